"""Report files in and out: every result, bye and forfeit of a section survives both ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.whole_event import build
from tournaments.audit import SYSTEM, Actor
from tournaments.engine import trf
from tournaments.engine.types import Outcome, Tournament
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.exports.trf_io import export_trf, public_report
from tournaments.models import AuditEntry, Entry, Event, Job, Player, Round, Section, User
from tournaments.selectors.public import ledger
from tournaments.services.trf_import import LeftOut, import_trf

pytestmark = pytest.mark.django_db

SHARED = Path(__file__).resolve().parents[3] / "shared" / "pairing"
SHARED_FILES = sorted([*SHARED.glob("*.trf"), *SHARED.glob("*.trf16x"), *SHARED.glob("full/*.trf")])
GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "trf"


@pytest.fixture
def event() -> Event:
    return Event.objects.create(code="e", name="公开赛", state=Event.State.OPEN)


def cells(tournament: Tournament) -> list[set[tuple[int, int | None, Outcome]]]:
    return [{(b.white, b.black, b.outcome) for b in round_.boards} for round_ in tournament.rounds]


def forbidden(tournament: Tournament) -> set[tuple[frozenset[int], int, int]]:
    return {(g.players, g.first_round, min(g.last_round, 99)) for g in tournament.forbidden}


def round_trip(event: Event, content: bytes) -> tuple[Tournament, Tournament]:
    """What a file says, and what it says after a section was made of it and written again."""
    section = import_trf(SYSTEM, event.pk, content).section
    return trf.read(trf.decode(content)).tournament, trf.read(export_trf(section).text).tournament


def assert_kept(before: Tournament, after: Tournament) -> None:
    assert cells(after) == cells(before)
    assert after.players == before.players
    assert set(after.requested_byes) == set(before.requested_byes)
    assert forbidden(after) == forbidden(before)
    assert after.initial_colour == before.initial_colour
    assert after.rounds_total == max(before.rounds_total, len(before.rounds), 1)
    assert [(a.player, a.points, a.after_round) for a in after.adjustments] == [
        (a.player, a.points, a.after_round) for a in before.adjustments
    ]


@pytest.mark.skipif(not SHARED_FILES, reason="the reference tournaments in ../shared are not on this machine")
@pytest.mark.parametrize("path", SHARED_FILES, ids=lambda path: path.name)
def test_a_reference_tournament_keeps_every_result_bye_and_forfeit(event: Event, path: Path) -> None:
    assert_kept(*round_trip(event, path.read_bytes()))


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.trf")), ids=lambda path: path.name)
def test_an_own_tournament_keeps_every_result_bye_and_forfeit(event: Event, path: Path) -> None:
    assert_kept(*round_trip(event, path.read_bytes()))


def report(*lines: str) -> bytes:
    return ("\n".join(lines) + "\n").encode()


def line(number: int, points: str, *results: str, name: str = "", rating: int = 1500) -> str:
    head = f"001 {number:>4} m    {name or f'Player {number}':<33} {rating:>4} NED {'':>11} {'2001/05/07':>10} {points:>4} {'':>4}"
    return head + "".join(f"  {cell:<8}" for cell in results)


def test_a_file_becomes_a_running_section(event: Event) -> None:
    content = report(
        "012 Small",
        "142 5",
        "092 individual",
        line(1, "1.5", "   2 w 1", "   3 b =", name="Ouyang, Nana"),
        line(2, "1.0", "   1 b 0", "0000 - U"),
        line(3, "0.5", "0000 - Z", "   1 w ="),
    )

    done = import_trf(SYSTEM, event.pk, content, filename="small.trf")

    section = done.section
    assert (section.name, section.rounds_total, section.state, section.scheme) == (
        "Small",
        5,
        Section.State.RUNNING,
        "STD",
    )
    assert (done.players, done.rounds, done.pairings) == (3, 2, 4)
    assert done.left_out == (LeftOut(what="line", value="092 individual"),)
    assert list(section.rounds.values_list("number", "state")) == [
        (1, Round.State.CLOSED),
        (2, Round.State.PUBLISHED),
    ]
    player = Player.objects.get(name="Ouyang, Nana")
    assert (player.family_name, player.birth_year, player.rating, player.sex) == ("Ouyang", 2001, 1500, "m")
    assert Job.objects.filter(section=section, kind=Job.Kind.STANDINGS).count() == 1
    assert list(AuditEntry.objects.order_by("pk").values_list("action", flat=True)) == [
        "create-section",
        "import-trf",
    ]


def test_a_three_point_file_finds_its_scheme(event: Event) -> None:
    content = report("162  W 3.0    D 1.0", line(1, "3.0", "   2 w 1"), line(2, "0.0", "   1 b 0"))

    assert import_trf(SYSTEM, event.pk, content, name="甲").section.scheme == "XQ3"


def test_points_of_no_scheme_are_refused(event: Event) -> None:
    content = report("162  W 5.0    D 1.0", line(1, "5.0", "   2 w 1"), line(2, "0.0", "   1 b 0"))

    with pytest.raises(BadInput) as caught:
        import_trf(SYSTEM, event.pk, content)

    assert caught.value.code == "unknown-scheme"
    assert not Section.objects.exists()


@pytest.mark.parametrize(
    ("lines", "where"),
    [
        ([line(1, "1.0", "   2 w 1"), line(2, "1.0", "   1 b 1")], None),
        ([line(1, "1.0", "   2 w 1"), line(2, "0.0", "   1 b x")], 2),
        ([line(1, "1.0", "   9 w 1")], 1),
        ([line(1, "2.5", "   2 w 1"), line(2, "0.0", "   1 b 0")], 1),
        (["hello"], None),
    ],
)
def test_a_fault_is_named_with_its_line_and_nothing_is_written(
    event: Event, lines: list[str], where: int | None
) -> None:
    with pytest.raises(BadInput) as caught:
        import_trf(SYSTEM, event.pk, report(*lines))

    assert caught.value.code == "bad-report"
    assert caught.value.values["reason"]
    if where is not None:
        assert caught.value.values["line"] == where
    assert not Section.objects.exists()
    assert not Player.objects.exists()


def test_a_stranger_finds_no_event(event: Event) -> None:
    with pytest.raises(NotFound):
        import_trf(Actor(user=User.objects.create_user(username="x")), event.pk, report(line(1, "0.0")))

    assert not Section.objects.exists()


def test_a_section_of_ours_comes_back(event: Event) -> None:
    section = build().sections.get(code="a")

    written = export_trf(section)
    again = import_trf(SYSTEM, event.pk, written.text.encode()).section

    before, after = trf.read(written.text).tournament, trf.read(export_trf(again).text).tournament
    assert cells(after) == cells(before)
    assert before.players[0].name == "欧阳娜娜"
    assert len(cells(before)[1]) == 5
    assert {loss.what for loss in written.losses} >= {"club", "withdrawal", "reason"}


def test_before_numbers_are_drawn_there_is_no_report(event: Event) -> None:
    section = Section.objects.create(event=event, code="a", name="甲")
    Entry.objects.create(section=section, player=Player.objects.create(event=event, name="张伟"))

    with pytest.raises(WrongState):
        export_trf(section)
    with pytest.raises(CommandError):
        call_command("export_trf", "e", "a")


def test_what_is_published_holds_no_draft(event: Event) -> None:
    section = build().sections.get(code="a")

    public = trf.read(public_report(ledger(section), None).text).tournament

    assert len(public.rounds) == 2
    assert (public.requested_byes, public.forbidden) == ((), ())
    assert len(trf.read(export_trf(section).text).tournament.rounds) == 3


def test_the_commands_carry_a_section_through_a_file(
    event: Event, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    build()
    path = tmp_path / "a.trf"

    call_command("export_trf", "whole", "a", out=str(path))
    call_command("import_trf", str(path), event="e", section="neu")

    assert event.sections.get().code == "neu"
    assert "7 players, 3 rounds" in capsys.readouterr().out


def test_the_commands_say_what_is_wrong(event: Event, tmp_path: Any) -> None:
    bad = tmp_path / "bad.trf"
    bad.write_text("001 nonsense")

    for arguments, words in (
        (["export_trf", "e", "z"], "'z'"),
        (["import_trf", str(bad), "--event", "nowhere"], "nowhere"),
        (["import_trf", str(bad), "--event", "e"], "nons"),
        (["import_trf", str(bad)], "--event"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command(*arguments)

    assert not Section.objects.exists()
