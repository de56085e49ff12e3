#!/bin/sh
# Create .venv and install the course in it: tools/venv.sh PACKAGE STAMP, where PACKAGE is "." or ".[test]".
# If something is missing, one line says what, and what to do. To choose a Python, set PYTHON=/path/to/python.
set -u
package=$1 stamp=$2
log=.venv-install.log

stop() {
    echo "$1" >&2
    exit 1
}

fits() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1
}

if [ -n "${PYTHON:-}" ]; then
    command -v "$PYTHON" >/dev/null 2>&1 || stop "PYTHON=$PYTHON was not found. Give the path of a Python 3.11 to 3.14."
    fits "$PYTHON" || stop "PYTHON=$PYTHON is $("$PYTHON" -V 2>&1), but the course needs Python 3.11 to 3.14."
else
    unsuitable=
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do
        command -v "$candidate" >/dev/null 2>&1 || continue
        if fits "$candidate"; then
            PYTHON=$candidate
            break
        fi
        unsuitable=${unsuitable:-$("$candidate" -V 2>&1)}
    done
    if [ -z "${PYTHON:-}" ]; then
        [ -n "$unsuitable" ] || stop "Python was not found. Install Python 3.14 from python.org, or with your system's package manager."
        stop "The course needs Python 3.11 to 3.14, but found $unsuitable. Install one of these, or give its path: make lab PYTHON=/path/to/python3"
    fi
fi

if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    rm -rf .venv
    "$PYTHON" -m venv .venv >"$log" 2>&1 || {
        rm -rf .venv
        if grep -qi -e ensurepip -e "no module named venv" "$log"; then
            stop "This Python cannot create virtual environments. On Debian and Ubuntu, run: sudo apt install python3-venv. Then try again."
        fi
        stop "The folder .venv could not be created. See $log for details."
    }
fi

# torch's CPU build is a tenth of the size of the default build for Linux. On other systems, the default is a CPU build.
cpu=https://download.pytorch.org/whl/cpu
index=
if [ "$(uname -s)" = Linux ] && .venv/bin/python -c "import urllib.request as r; r.urlopen('$cpu/torch/', timeout=5)" >/dev/null 2>&1; then
    index="--extra-index-url $cpu"
fi

# pip's output goes to the log. Of each line that begins something, a terminal shows a short form, always on the same line.
show() {
    while IFS= read -r line; do
        case $line in
            "Progress "*) # bytes so far and in all: "Progress 1048576 of 190512345"
                [ -t 1 ] || continue
                bytes=${line#Progress } && total=${bytes#* of } && bytes=${bytes%% of *}
                [ "${total:-0}" -gt 0 ] 2>/dev/null && printf '\r%-72.72s' "$doing, $((bytes * 100 / total)) %"
                continue
                ;;
            *Downloading\ *) # the file's address or name, then its size: "Downloading https://…/torch-2.13.0.whl (190.5 MB)"
                file=${line#*Downloading } && file=${file##*/}
                doing="Downloading ${file%%-*} (${line##*\(}"
                ;;
            Collecting\ *)
                name=${line#Collecting }
                doing="Looking for ${name%% *}"
                ;;
            Installing\ collected\ packages*) doing="Unpacking the packages, which takes a minute or two" ;;
        esac
        printf '%s\n' "$line" >>"$log"
        [ -t 1 ] && printf '\r%-72.72s' "$doing"
    done
    [ -t 1 ] && printf '\r%72s\r' ""
}

echo "Installing the course in .venv (the first time, this takes a few minutes)…"
doing=Preparing
bar=
.venv/bin/python -m pip install --help 2>/dev/null | grep -q ", raw" && bar="--progress-bar raw" # since pip 24.1
rm -f "$stamp"
: >"$log"
# shellcheck disable=SC2086 # index and bar are empty or two words
{
    .venv/bin/python -m pip install --disable-pip-version-check --retries 2 $bar $index -c constraints.txt -e "$package" 2>&1 &&
        touch "$stamp"
} | show
[ -e "$stamp" ] || {
    if grep -q -e "NewConnectionError" -e "NameResolutionError" -e "Failed to establish" -e "ConnectTimeout" "$log"; then
        stop "The packages could not be downloaded. Is this computer online? Once they are installed, the course needs no network. See $log for details."
    fi
    grep -q "No space left" "$log" && stop "The disk is full. The course needs about 2 GB for its packages."
    sed -n '/^ *[Ee][Rr][Rr][Oo][Rr]/,$p' "$log"
    stop "The packages could not be installed. See $log for details."
}
rm -f "$log"
