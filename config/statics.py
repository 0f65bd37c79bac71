"""Collects the static files for serving, and only when one of them has changed: compressing them takes seconds."""

import hashlib
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

STAMP = ".collected"


def collect() -> bool:
    """True if there was something to collect."""
    stamp = Path(settings.STATIC_ROOT) / STAMP
    present = fingerprint()
    if stamp.exists() and stamp.read_text() == present:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(present)
    return True


def fingerprint() -> str:
    """Changes when a static file comes, goes or changes, and when they are served in another way."""
    found = hashlib.sha256(settings.STORAGES["staticfiles"]["BACKEND"].encode())
    for finder in get_finders():
        for path, storage in finder.list([]):
            status = Path(storage.path(path)).stat()
            found.update(f"{path} {status.st_size} {status.st_mtime_ns}\n".encode())
    return found.hexdigest()
