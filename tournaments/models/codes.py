"""What the tables draw at random when a row is made: address codes, seeds and link tokens."""

from __future__ import annotations

import secrets

CODE_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no 0/o, 1/l/i: codes are read off posters and typed


def random_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _i in range(6))


def random_seed() -> int:
    return secrets.randbelow(2**53)  # whole in JSON and in every spreadsheet


def link_token() -> str:
    return secrets.token_urlsafe(18)
