#!/bin/sh
# Install the course from the folder that contains this file, without a network: sh install.sh [FOLDER]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:-"$HOME/transformer-course"}
case $(uname -s) in
    Darwin) pythons="MACOS" ;;
    *) pythons="LINUX" ;;
esac
if [ -z "$pythons" ]; then
    echo "This folder does not contain the course for this system. Its README.txt lists the systems that it supports." >&2
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
    echo "No suitable Python was found. Install one of these versions, then try again: $pythons" >&2
    exit 1
fi
"$found" -m venv "$folder/.venv"
install() {
    "$folder/.venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --find-links "$here/wheels" \
        --constraint "$here/constraints.txt" "$@" transformer-course
}
echo "Installing the course in $folder (this takes a few minutes)..."
install
install --no-deps --force-reinstall # because an update can have the same version number
cd "$folder"
echo "Installed. Now testing everything the course needs..."
status=0
.venv/bin/transformer-course doctor || status=$?
if [ "$status" -ne 0 ]; then
    echo "The course is installed; you do not need to install it again. Follow the advice below each line marked !!, then run:"
    echo "            cd \"$folder\" && .venv/bin/transformer-course doctor"
fi
echo "To start the course: cd \"$folder\" && .venv/bin/transformer-course lab"
echo "If your instructor gave you a folder, put it next to .venv (in $folder), then run this with its name in place of FOLDER:"
echo "            cd \"$folder\" && .venv/bin/transformer-course lab FOLDER"
exit "$status"
