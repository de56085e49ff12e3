#!/bin/sh
# Stop `make test-all` where this computer lacks a program that its tests need, with the command that installs it.
missing=
command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || missing=" chromium"
command -v bwrap >/dev/null || missing="$missing bubblewrap"
if [ -n "$missing" ]; then
    echo "make test-all needs what is not installed here. On Debian and Ubuntu, run: sudo apt install$missing" >&2
    exit 1
fi
if ! said=$(bwrap --ro-bind / / --unshare-all true 2>&1); then
    echo "make test-all needs bubblewrap, which may not create a sandbox here ($said). docs/grading.md says what to do." >&2
    exit 1
fi
