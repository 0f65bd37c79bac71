"""Secrets at rest: what is sealed here can be read with a key that lies in the data folder, not in the database."""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournaments.errors import DomainError

KEY_FILE = "seal.key"


class BrokenSeal(DomainError):
    """The key is not the one it was sealed with, or the text was changed."""

    code = "broken-seal"
    status = 409
    text = _(
        "The seal cannot be opened: the key in the data folder is not the one it was sealed with, or what was sealed "
        "was changed. Use the paper envelope."
    )


def seal(text: str) -> str:
    return Fernet(_key()).encrypt(text.encode()).decode("ascii")


def unseal(token: str) -> str:
    """Raises BrokenSeal."""
    try:
        return Fernet(_key()).decrypt(token.encode("ascii")).decode()
    except InvalidToken:
        raise BrokenSeal from None


def _key() -> bytes:
    """SEAL_KEY, or the installation's own key, drawn once. The file is made whole before it appears under its name."""
    if settings.SEAL_KEY:
        return str(settings.SEAL_KEY).encode()
    path = Path(settings.VAR) / KEY_FILE
    if not path.exists():
        draft = path.with_name(f"{KEY_FILE}.{os.getpid()}")
        draft.touch(mode=0o600)
        draft.write_bytes(Fernet.generate_key())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass  # another process was first: its key counts
        finally:
            draft.unlink()
    return path.read_bytes()
