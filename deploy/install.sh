#!/bin/sh
# Makes .venv and installs the locked packages of one list: `deploy/install.sh base` or `deploy/install.sh dev`.
set -eu
cd "$(dirname "$0")/.."
list=$1

fail() {
    echo "Error: $1" >&2
    exit 1
}

find_python() {
    for name in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            # The program itself: a version manager's stand-in would change its mind with the folder.
            "$name" -c 'import sys; print(sys.executable)'
            return
        fi
    done
    fail "Python 3.11 or newer is needed: install it, or name it: make PYTHON=/path/to/python3.11"
}

install_uv() {
    echo "installing uv (once) ..." >&2
    wanted="--quiet --require-hashes -r requirements/tools.txt"
    if "$python" -m pip --version >/dev/null 2>&1; then
        "$python" -m pip install --root-user-action ignore --target .tools --upgrade $wanted >&2 && return
    fi
    if ! "$python" -m venv .tools/venv >/dev/null 2>&1; then
        if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
            echo "installing python3-venv (once) ..." >&2
            apt-get -qq update >&2 && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y python3-venv >&2
            python=$(find_python)
        fi
        "$python" -m venv .tools/venv >/dev/null 2>&1 ||
            fail "$python has neither pip nor venv: install them (on Debian: apt-get install python3-venv) or uv."
    fi
    mkdir -p .tools/bin
    .tools/venv/bin/pip install $wanted >&2
    ln -sf ../venv/bin/uv .tools/bin/uv
}

# Trust what the machine trusts (a company's proxy, say), as pip does; uv's own list is for machines without one.
if [ -s /etc/ssl/certs/ca-certificates.crt ] || [ -s /etc/pki/tls/certs/ca-bundle.crt ]; then
    export UV_SYSTEM_CERTS=1 UV_NATIVE_TLS=1
fi
python=$(find_python)
if command -v uv >/dev/null 2>&1; then
    uv=uv
else
    uv=.tools/bin/uv
    "$uv" --version >/dev/null 2>&1 || install_uv || fail "uv could not be installed: see above."
fi

[ -x .venv/bin/python ] || "$uv" venv --quiet --python "$python" .venv ||
    fail "the virtual environment .venv could not be made: see above."
echo "installing the locked packages of requirements/$list.txt ..." >&2
"$uv" pip install --quiet --compile-bytecode --python .venv/bin/python --require-hashes -r "requirements/$list.txt" ||
    fail "the locked packages could not be installed: see above."
touch ".venv/.$list"
# The list for development holds the other one.
[ "$list" = base ] || touch .venv/.base
