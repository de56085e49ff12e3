#!/usr/bin/env bash
# Gradescope runs this once, as root, when the autograder is built.
set -euo pipefail
apt-get update
apt-get install -y bubblewrap libseccomp2
for python in python3.14 python3.13 python3.12 python3.11; do
    apt-get install -y "$python" "$python-venv" && break
done
cd /autograder/source
"$python" -m venv /autograder/venv
/autograder/venv/bin/pip install --extra-index-url https://download.pytorch.org/whl/cpu -c constraints.txt "./$(ls *.whl)[instructor]"
