#!/bin/sh
# Installs the course from the folder that this file lies in, without a network: sh install.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-"$HOME/transformer-course"}
case $(uname -s) in
    Darwin) pythons="MACOS" ;;
    *) pythons="LINUX" ;;
esac
if [ -z "$pythons" ]; then
    echo "This folder does not have the course for this system; its README.txt says for which it does." >&2
    exit 1
fi
found=
for python in $(for version in $pythons; do echo "python$version"; done) python3; do
    if "$python" -c 'import sys; sys.exit("%d.%d" % sys.version_info[:2] not in sys.argv)' $pythons >/dev/null 2>&1; then
        found=$python
        break
    fi
done
if [ -z "$found" ]; then
    echo "This folder has the course for Python $pythons; install one of them, and try again." >&2
    exit 1
fi
"$found" -m venv "$folder/.venv"
install() {
    "$folder/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --find-links "$here/wheels" \
        --constraint "$here/constraints.txt" "$@" transformer-course
}
echo "Installing the course into $folder (this takes some minutes)..."
install
install --no-deps --force-reinstall # a new edition may have the number of the old one
cd "$folder"
echo "Installed. Now everything that the course needs is tried..."
tried=0
.venv/bin/transformer-course doctor || tried=$?
if [ "$tried" -ne 0 ]; then
    echo "The course is installed; nothing needs to be installed again. Do what stands below each !!, then try again with:"
    echo "            cd \"$folder\" && .venv/bin/transformer-course doctor"
fi
echo "Begin with: cd \"$folder\" && .venv/bin/transformer-course lab"
echo "A folder from an instructor? Put it beside .venv (in $folder), then, with its name for FOLDER:"
echo "            cd \"$folder\" && .venv/bin/transformer-course lab FOLDER"
exit "$tried"
