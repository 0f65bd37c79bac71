"""The whole site in one file and back: nothing is lost, and what is damaged or newer changes nothing."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from games import encryption
from tests.tournaments import builders as b
from tournaments.models import Entry, Event, Round
from tournaments.services import backups
from tournaments.services.backups import BackupError

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def var(settings: Any, tmp_path: Path) -> Path:
    folder = tmp_path / "var"
    (folder / "media").mkdir(parents=True)
    settings.VAR, settings.MEDIA_ROOT, settings.SEAL_KEY = folder, folder / "media", ""
    return folder


@pytest.fixture
def made(var: Path, tmp_path: Path) -> Path:
    b.section(b.organizer(), players=4)
    (var / "media" / "poster.txt").write_text("海报")
    return backups.back_up(tmp_path / "backup.zip")


def test_everything_comes_back_the_seals_too(var: Path, tmp_path: Path) -> None:
    b.section(b.organizer(), players=4)
    (var / "media" / "poster.txt").write_text("海报")
    sealed = encryption.seal("32-28")
    Event.objects.update(description=sealed)
    names = list(Entry.objects.order_by("pk").values_list("pk", "player__name"))
    made = backups.back_up(tmp_path / "backup.zip")
    Event.objects.create(name="later")
    Entry.objects.all().delete()
    (var / "seal.key").unlink()
    (var / "media" / "poster.txt").unlink()

    backups.restore(made)

    assert list(Entry.objects.order_by("pk").values_list("pk", "player__name")) == names
    assert not Event.objects.filter(name="later").exists()
    assert encryption.unseal(Event.objects.get().description) == "32-28"
    assert (var / "media" / "poster.txt").read_text() == "海报"
    assert made.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("place", [0.1, 0.4, 0.7, 0.95])
def test_a_damaged_file_changes_nothing(made: Path, place: float) -> None:
    content = bytearray(made.read_bytes())
    for offset in range(40):
        content[int(len(content) * place) + offset] ^= 0xFF
    made.write_bytes(content)
    Event.objects.create(name="later")

    with pytest.raises(BackupError):
        backups.restore(made)

    assert Event.objects.filter(name="later").exists()


@pytest.mark.parametrize("cut", [0, 100, -1])
def test_a_file_cut_short_changes_nothing(made: Path, cut: int) -> None:
    made.write_bytes(made.read_bytes()[:cut])

    with pytest.raises(BackupError):
        backups.restore(made)

    assert Event.objects.exists()


def with_manifest(made: Path, **changes: Any) -> Path:
    out = made.with_name("changed.zip")
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == backups.MANIFEST:
                content = json.dumps({**json.loads(content), **changes}).encode()
            new.writestr(name, content)
    return out


@pytest.mark.parametrize("changes", [{"format": 99}, {"migrations": [["tournaments", "9999_of_tomorrow"]]}])
def test_a_file_of_a_newer_version_changes_nothing(made: Path, changes: dict[str, Any]) -> None:
    with pytest.raises(BackupError) as caught:
        backups.restore(with_manifest(made, **changes))

    assert caught.value.code == "backup-newer"
    assert Event.objects.exists()


def test_a_database_that_cannot_be_put_in_leaves_the_old_one(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = backups._replace_database

    def broken(script: Path) -> None:
        script.write_text(script.read_text() + "\nSELECT no_such_function();\n")
        replace(script)

    monkeypatch.setattr(backups, "_replace_database", broken)
    Event.objects.create(name="later")

    with pytest.raises(BackupError):
        backups.restore(made)

    assert Event.objects.filter(name="later").exists()


def test_a_key_that_does_not_go_with_it_changes_nothing(made: Path, var: Path, settings: Any) -> None:
    encryption.seal("x")
    made = backups.back_up(made.with_name("sealed.zip"))
    settings.SEAL_KEY = "another"

    with pytest.raises(BackupError) as caught:
        backups.restore(made)

    assert caught.value.code == "backup-other-key"


def test_the_commands(made: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    call_command("backup", str(tmp_path / "by-hand.zip"))
    call_command("restore", str(tmp_path / "by-hand.zip"), "--check")
    assert "is whole" in capsys.readouterr().out

    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", str(made))
    call_command("restore", str(made), "--replace")
    assert Event.objects.count() == 1


def test_one_is_made_after_each_publication(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_FOLDER = str(tmp_path / "kept")
    now = timezone.now()
    assert backups.back_up_if_due(now) is None  # nothing is public yet

    section = b.section(b.organizer(), players=4)
    Round.objects.create(
        section=section, number=1, state=Round.State.PUBLISHED, published_at=now - timedelta(seconds=5)
    )

    assert backups.back_up_if_due(now) is not None
    assert backups.back_up_if_due(now + timedelta(seconds=30)) is None
    Round.objects.update(published_at=now + timedelta(seconds=40))
    assert backups.back_up_if_due(now + timedelta(seconds=60)) is not None


def test_old_ones_are_thinned_out_by_age(tmp_path: Path) -> None:
    now = datetime(2026, 6, 1, 12, tzinfo=UTC)
    ages = [
        timedelta(hours=1),
        timedelta(hours=30),
        timedelta(days=5, hours=1),
        timedelta(days=5, hours=3),
        timedelta(days=80),
    ]
    for age in ages:
        (tmp_path / f"backup-{now - age:%Y%m%d-%H%M%S}.zip").touch()
    (tmp_path / "backup-mine.zip").touch()

    backups.thin_out(tmp_path, now)

    left = {path.name for path in tmp_path.glob("*.zip")}
    assert left == {"backup-mine.zip", *(f"backup-{now - age:%Y%m%d-%H%M%S}.zip" for age in ages[:3])}
