#!/bin/sh
# Run a command as an ordinary user, where this is root: tools/as_nobody.sh COMMAND …
# Python or this folder may lie below root's home, which others cannot enter: then the command sees of it these two alone.
set -eu
if [ "$(id -u)" -ne 0 ]; then
    exec "$@"
fi
python=$(dirname "$(dirname "$(readlink -f .venv/bin/python)")")
export HERE="$PWD" PYTHON_HOME="$python" ROOT_HOME="$HOME"
exec unshare --mount --propagation private sh -euc '
    kept=$(mktemp -d)
    number=0
    for folder in "$HERE" "$PYTHON_HOME"; do
        case $folder in "$ROOT_HOME"/*) mkdir "$kept/$number"; mount --bind "$folder" "$kept/$number" ;; esac
        number=$((number + 1))
    done
    if [ -n "$(ls "$kept")" ]; then
        mount -t tmpfs -o mode=755 tmpfs "$ROOT_HOME"
        number=0
        for folder in "$HERE" "$PYTHON_HOME"; do
            if [ -d "$kept/$number" ]; then mkdir -p "$folder"; mount --bind "$kept/$number" "$folder"; fi
            number=$((number + 1))
        done
    fi
    home=$(mktemp -d)
    chown nobody "$home"
    cd "$HERE"
    exec setpriv --reuid nobody --regid nogroup --clear-groups env HOME="$home" HYPOTHESIS_STORAGE_DIRECTORY="$home" "$@"
' sh "$@"
