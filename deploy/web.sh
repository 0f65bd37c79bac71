#!/bin/sh
# One web process group, as the one command runs it.
set -eu
cd "$(dirname "$0")/.."
exec "${PYTHON:-python}" -m config.serve --only web
