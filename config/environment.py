"""Reads the environment: every setting of the site comes from here or has a safe default."""

import base64
import errno
import hashlib
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from config.problems import OperatorProblem

TRUE_WORDS = {"1", "true", "yes", "on"}
FALSE_WORDS = {"", "0", "false", "no", "off"}
DATABASE_SCHEMES = {"postgres", "postgresql"}
EXPECTED_DATABASE_URL = "postgresql://user:password@host:5432/name"


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseAddress:
    name: str
    user: str
    password: str
    host: str
    port: str
    options: dict[str, str]


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool = False) -> bool:
    word = os.environ.get(name)
    if word is None:
        return default
    if word.strip().lower() in TRUE_WORDS:
        return True
    if word.strip().lower() in FALSE_WORDS:
        return False
    raise OperatorProblem(f"{name} is {word!r}: write 1 or 0.")


def number(name: str, default: int) -> int:
    word = text(name, str(default))
    if not word.isdecimal():
        raise OperatorProblem(f"{name} is {word!r}: write a whole number.")
    return int(word)


def choice(name: str, choices: list[str]) -> str:
    """One of the choices; the first when the variable is unset."""
    word = text(name, choices[0])
    if word not in choices:
        raise OperatorProblem(f"{name} is {word!r}: write one of {', '.join(choices)}.")
    return word


def words(name: str, default: list[str]) -> list[str]:
    listed = [word.strip() for word in text(name).split(",") if word.strip()]
    return listed or default


def data_folder(default: Path) -> Path:
    """The folder of all data (``VAR``), made if missing."""
    folder = Path(text("VAR", str(default))).expanduser().resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise OperatorProblem(
                f"the disk is full: free some space for {folder}, or set VAR to a folder on another disk."
            ) from error
        raise OperatorProblem(
            f"the data folder {folder} cannot be made ({error.strerror}): set VAR to another."
        ) from error
    return folder


def seal_key() -> str:
    """``SEAL_KEY``; else one that follows from a given ``SECRET_KEY``, so that machines without a common folder share it;
    else "": the installation draws its own."""
    given = text("SEAL_KEY")
    if given or not text("SECRET_KEY"):
        return given
    digest = hashlib.sha256(b"seal " + text("SECRET_KEY").encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()


def secret_key(folder: Path) -> str:
    """``SECRET_KEY``, or a key of this installation's own, drawn once and kept in the data folder."""
    given = text("SECRET_KEY")
    if given:
        return given
    path = folder / "secret_key"
    try:
        return _kept_key(path)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise OperatorProblem(
                f"the disk is full: free some space for {folder}, or set VAR to a folder on another disk."
            ) from error
        raise OperatorProblem(
            f"the secret key {path} cannot be read or written ({error.strerror}): "
            "run as the owner of the data folder, or set VAR to another."
        ) from error


def _kept_key(path: Path) -> str:
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        try:
            # link() refuses to replace: of two processes starting at once, both end up with the first key.
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text().strip()


def database_address() -> DatabaseAddress | None:
    """``DATABASE_URL`` taken apart; None when it is unset and the embedded database serves."""
    url = text("DATABASE_URL")
    if not url:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise OperatorProblem(_wrong_url(str(error))) from error
    if parts.scheme not in DATABASE_SCHEMES:
        raise OperatorProblem(_wrong_url(f"it begins with {parts.scheme or 'nothing'!r}"))
    name = unquote(parts.path.lstrip("/"))
    if not name:
        raise OperatorProblem(_wrong_url("it names no database"))
    return DatabaseAddress(
        name=name,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        host=unquote(parts.hostname or ""),
        port=str(port or ""),
        options=dict(parse_qsl(parts.query)),
    )


def _wrong_url(why: str) -> str:
    return f"DATABASE_URL is not the address of a PostgreSQL database ({why}): write {EXPECTED_DATABASE_URL}."
