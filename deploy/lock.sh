#!/bin/sh
# Locks the dependencies with hashes, for every platform, and without the address of any index.
set -eu
cd "$(dirname "$0")/.."
uv=$(command -v uv || echo .tools/bin/uv)
for list in tools base dev reader; do
    "$uv" pip compile --quiet --upgrade --generate-hashes --universal --python-version 3.11 --no-emit-index-url \
        --no-emit-find-links --custom-compile-command "make lock" "requirements/$list.in" -o "requirements/$list.txt"
done
