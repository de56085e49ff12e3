#!/bin/sh
# If you are root, run a command as an ordinary user instead: tools/as_nobody.sh COMMAND …
# If this folder or Python is inside a folder that ordinary users may not enter, the command sees only these two in it.
set -eu
if [ "$(id -u)" -ne 0 ]; then
    exec "$@"
fi
PYTHON_HOME=$(dirname "$(dirname "$(readlink -f .venv/bin/python)")")
export PYTHON_HOME HERE="$PWD"
exec unshare --mount --propagation private sh -euc '
    kept=$(mktemp -d)
    mkdir "$kept/here" "$kept/python"
    mount --bind "$HERE" "$kept/here"
    mount --bind "$PYTHON_HOME" "$kept/python"
    for folder in "$HERE" "$PYTHON_HOME"; do
        closed=
        while [ "$folder" != / ]; do
            folder=$(dirname "$folder")
            case $(stat -c %a "$folder") in *[1357]) ;; *) closed=$folder ;; esac
        done
        if [ -n "$closed" ]; then mount -t tmpfs -o mode=755 tmpfs "$closed"; fi
    done
    mkdir -p "$HERE" "$PYTHON_HOME"
    mount --bind "$kept/here" "$HERE"
    mount --bind "$kept/python" "$PYTHON_HOME"
    home=$(mktemp -d)
    chown nobody "$home"
    cd "$HERE"
    exec setpriv --reuid nobody --regid nogroup --clear-groups env HOME="$home" HYPOTHESIS_STORAGE_DIRECTORY="$home" "$@"
' sh "$@"
