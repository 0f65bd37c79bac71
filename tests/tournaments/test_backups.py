"""The whole site in one file and back: nothing is lost, and what is damaged or newer changes nothing."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from games import encryption
from tests.tournaments import builders as b
from tournaments.models import AuditEntry, Entry, Event, Round, User
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


class TestOneEvent:
    def test_it_comes_back_beside_what_is_there_and_nothing_else_changes(
        self, made: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        event = Event.objects.get()
        owner = User.objects.get(is_staff=True)
        names = sorted(event.players.values_list("name", flat=True))
        Entry.objects.first().delete()  # type: ignore[union-attr]
        databases = _databases()

        call_command("restore", made, "--event", event.code, "--as", owner.username)

        restored = Event.objects.exclude(pk=event.pk).get()
        assert sorted(restored.players.values_list("name", flat=True)) == names
        assert (event.sections.get().entries.count(), restored.sections.get().entries.count()) == (3, 4)
        assert restored.roles.get().user == owner
        assert restored.code in capsys.readouterr().out
        assert _databases() == databases

    def test_one_that_is_not_in_it_is_refused(self, made: Path) -> None:
        owner = User.objects.get(is_staff=True)
        databases = _databases()

        with pytest.raises(CommandError, match="nowhere"):
            call_command("restore", made, "--event", "nowhere", "--as", owner.username)

        assert Event.objects.count() == 1
        assert _databases() == databases

    def test_one_of_another_site_is_refused(self, made: Path, var: Path) -> None:
        (var / "seal.key").unlink(missing_ok=True)
        encryption.seal("a")
        mine = backups.back_up(made.with_name("sealed.zip"))
        (var / "seal.key").unlink()
        encryption.seal("b")

        with pytest.raises(BackupError, match=r"site|站"):
            backups.event_document(mine, Event.objects.get().code)


def _databases() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname NOT LIKE 'test_%'")  # other workers'
        return {row[0] for row in cursor.fetchall()}


class TestPage:
    @pytest.fixture
    def owner(self, settings: Any, tmp_path: Path) -> Client:
        settings.BACKUP_FOLDER = str(tmp_path / "kept")
        client = Client(headers={"accept-language": "en"})
        client.force_login(User.objects.create_superuser("root"))
        return client

    def test_one_is_made_proved_and_taken_away(self, owner: Client, tmp_path: Path) -> None:
        b.section(b.organizer(), players=2)
        owner.post("/desk/backups/", {"make": "1"})
        (kept,) = (tmp_path / "kept").glob("*.zip")

        page = owner.get("/desk/backups/").content.decode()
        checked = owner.post("/desk/backups/", {"check": kept.name}, follow=True).content.decode()
        taken = owner.get(f"/desk/backups/{kept.name}")

        assert kept.name in page
        assert f"{kept.name} is whole." in checked
        assert b"".join(taken.streaming_content) == kept.read_bytes()  # type: ignore[arg-type]
        assert set(AuditEntry.objects.values_list("action", flat=True)) >= {"back-up", "take-backup"}

    def test_a_damaged_one_is_told(self, owner: Client, tmp_path: Path) -> None:
        owner.post("/desk/backups/", {"make": "1"})
        (kept,) = (tmp_path / "kept").glob("*.zip")
        kept.write_bytes(kept.read_bytes()[:-100])

        assert "damaged" in owner.post("/desk/backups/", {"check": kept.name}, follow=True).content.decode()

    @pytest.mark.parametrize("name", ["nothing.zip", "..%2Fseal.key", "backup-20260101-000000.zip"])
    def test_no_other_file_is_given_out(self, owner: Client, var: Path, name: str) -> None:
        encryption.seal("a")

        assert owner.get(f"/desk/backups/{name}").status_code == 404

    def test_staff_who_does_not_own_the_site_gets_none(self, owner: Client) -> None:
        owner.post("/desk/backups/", {"make": "1"})
        name = owner.get("/desk/backups/").content.decode().split('name="check" value="')[1].split('"')[0]
        client = Client()
        client.force_login(b.user(staff=True))

        assert [client.get(f"/desk/backups/{rest}").status_code for rest in ("", name)] == [403, 403]
        assert client.post("/desk/backups/", {"make": "1"}).status_code == 403
