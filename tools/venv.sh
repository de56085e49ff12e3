#!/bin/sh
# Make .venv and install the course into it: tools/venv.sh WHAT STAMP, where WHAT is "." or ".[test]".
# Whatever is missing is said in one sentence. PYTHON=/path/to/python chooses the Python.
set -u
what=$1 stamp=$2
log=.venv-install.log

stop() {
    echo "$1" >&2
    exit 1
}

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1
}

if [ -n "${PYTHON:-}" ]; then
    command -v "$PYTHON" >/dev/null 2>&1 || stop "PYTHON=$PYTHON cannot be found; give the path of a Python 3.11 to 3.14."
    fits "$PYTHON" || stop "PYTHON=$PYTHON is $("$PYTHON" -V 2>&1), and the course needs Python 3.11 to 3.14."
else
    seen=
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        if fits "$candidate"; then
            PYTHON=$candidate
            break
        fi
        seen=${seen:-$("$candidate" -V 2>&1)}
    done
    if [ -z "${PYTHON:-}" ]; then
        [ -n "$seen" ] || stop "No Python was found; install Python 3.14 from python.org or your system's packages."
        stop "The course needs Python 3.11 to 3.14 and found $seen; install one of these, or name it: make lab PYTHON=/path/to/python3."
    fi
fi

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    rm -rf .venv
    "$PYTHON" -m venv .venv >"$log" 2>&1 || {
        rm -rf .venv
        if grep -qi -e ensurepip -e "no module named venv" "$log"; then
            stop "This Python cannot make virtual environments; on Debian and Ubuntu run: sudo apt install python3-venv, then try again."
        fi
        stop "The folder .venv could not be made; $log has the details."
    }
fi

# torch's CPU build is a tenth of what Linux gets by default. Elsewhere the default is the CPU build already.
cpu=https://download.pytorch.org/whl/cpu
index=
if [ "$(uname -s)" = Linux ] && .venv/bin/python -c "import urllib.request as r; r.urlopen('$cpu/torch/', timeout=5)" >/dev/null 2>&1; then
    index="--extra-index-url $cpu"
fi

echo "Installing the course into .venv (the first time takes a few minutes)…"
# shellcheck disable=SC2086 # index is empty or two words
.venv/bin/python -m pip install --disable-pip-version-check --retries 2 $index -c constraints.txt -e "$what" >"$log" 2>&1 || {
    if grep -q -e "NewConnectionError" -e "NameResolutionError" -e "Failed to establish" -e "ConnectTimeout" "$log"; then
        stop "The packages could not be fetched: is this computer online? Details: $log. Once they are here, no network is needed."
    fi
    grep -q "No space left" "$log" && stop "The disk is full: the course needs about 2 GB for its packages."
    stop "The packages could not be installed; $log says why."
}
rm -f "$log"
touch "$stamp"
