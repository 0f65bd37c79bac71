"""Report files in and out: every result, bye and forfeit of a section survives both ways."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments import builders as b
from tests.tournaments.builders import work_all
from tests.tournaments.whole_event import build
from tournaments.audit import SYSTEM, Actor
from tournaments.documents.parts import LeftOut
from tournaments.engine import trf
from tournaments.engine.types import Outcome, Tournament
from tournaments.errors import BadInput, NotFound, WrongState
from tournaments.exports.trf_io import export_trf, public_report
from tournaments.models import (
    PUBLIC_STATES,
    AuditEntry,
    Entry,
    Event,
    Job,
    Player,
    Role,
    Round,
    Section,
    User,
)
from tournaments.selectors.public import ledger
from tournaments.services import events, rounds
from tournaments.services.trf_import import import_trf

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
    content = report("162  W 1.0    D 5.0", line(1, "1.0", "   2 w 1"), line(2, "0.0", "   1 b 0"))

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


def table_points(section: Section) -> dict[int, int]:
    work_all(section)
    table = section.standings.order_by("-after_round").first()
    assert table is not None
    return {row["number"]: row["points"] for row in table.rows}


class TestPointsOfTheFile:
    def test_a_result_of_one_side_only_keeps_its_points(self, event: Event) -> None:
        content = report(line(1, "0.5", "   2 w ="), line(2, "0.0", "   1 b 0"))
        section = import_trf(SYSTEM, event.pk, content, name="半").section
        assert table_points(section) == {1: 1, 2: 0}
        assert table_points(import_trf(SYSTEM, event.pk, export_trf(section).text.encode()).section) == {
            1: 1,
            2: 0,
        }

    @pytest.mark.parametrize(
        ("record", "points", "own"),
        [
            ("XXS W=2 D=1 L=0 PAB=1", (2, 0, 1), {"bye": 1}),
            ("XXS WW=2.0 BW=2.0 WD=1.0 BD=1.0 WL=0.0 BL=0.0 PAB=2.0", (2, 0, 2), {}),
            ("162  W 5.0    D 1.0    P 3.0", (5, 0, 3), {"win": 5, "bye": 3}),
            ("162  W 3.0    D 1.0    L 1.0    P 1.0", (3, 1, 1), {"win": 3, "loss": 1, "bye": 1, "zero_bye": 0, "forfeit_loss": 0}),
        ],
    )  # fmt: skip
    def test_they_become_points_of_the_section(
        self, event: Event, record: str, points: tuple[int, ...], own: dict[str, int]
    ) -> None:
        cells = ("   2 w 1", "   1 b 0", "0000 - U")
        content = report(record, *(line(n, f"{points[n - 1]}.0", cells[n - 1]) for n in (1, 2, 3)))

        section = import_trf(SYSTEM, event.pk, content, name="分").section

        assert section.own_points == own
        assert table_points(section) == dict(zip((1, 2, 3), points, strict=True))
        again = import_trf(SYSTEM, event.pk, export_trf(section).text.encode()).section
        assert (again.scheme, again.own_points) == (section.scheme, section.own_points)
        assert table_points(again) == table_points(section)

    def test_points_of_a_full_bye_beside_a_smaller_one_become_a_ruling(self, event: Event) -> None:
        content = report("162  W 2.0    D 1.0    P 1.0", line(1, "2.0", "0000 - F"), line(2, "2.0", "   3 w 1"), line(3, "0.0", "   2 b 0"))  # fmt: skip
        section = import_trf(SYSTEM, event.pk, content, name="全").section
        assert table_points(section) == {1: 2, 2: 2, 3: 0}


class TestRoundRobins:
    def test_every_meeting_makes_a_round_robin(self, event: Event) -> None:
        content = report(
            line(1, "3.0", "   4 w 1", "   3 b 1", "   2 w 1"),
            line(2, "2.0", "   3 w 1", "   4 b 1", "   1 b 0"),
            line(3, "1.0", "   2 b 0", "   1 w 0", "   4 w 1"),
            line(4, "0.0", "   1 b 0", "   2 w 0", "   3 b 0"),
        )
        section = import_trf(SYSTEM, event.pk, content, name="循环").section
        assert (section.format, section.preset, section.rounds_total) == ("ROUND_ROBIN", "CN_ROUND_ROBIN", 3)
        assert table_points(section) == {1: 6, 2: 4, 3: 2, 4: 0}
        again = import_trf(SYSTEM, event.pk, export_trf(section).text.encode()).section
        assert again.format == "ROUND_ROBIN"
        swiss = import_trf(SYSTEM, event.pk, b"192 FIDE_DUTCH\n" + content, name="瑞士").section
        assert swiss.format == "SWISS"

    @pytest.mark.parametrize("format_", ["ROUND_ROBIN", "DOUBLE_ROUND_ROBIN"])
    def test_one_that_is_not_over_goes_on_by_its_table(self, event: Event, format_: str) -> None:
        actor = b.organizer()
        section = b.section(actor, players=5, format=format_)
        b.draft(actor, section)
        for number in (1, 2):
            b.enter_all(actor, rounds.publish_round(actor, section.rounds.get(number=number).pk))
        public = section.rounds.filter(state__in=PUBLIC_STATES).count()
        text = public_text(section)

        copy = import_trf(SYSTEM, event.pk, text.encode(), name="续").section

        assert copy.format == format_
        assert copy.rounds.filter(state__in=PUBLIC_STATES).count() == public
        pairs = [
            list(
                each.rounds.order_by("number").values_list(
                    "number", "pairings__white__number", "pairings__black__number"
                )
            )
            for each in (section, copy)
        ]
        assert sorted(map(str, pairs[0])) == sorted(map(str, pairs[1]))

    def test_one_that_follows_no_table_stays_a_swiss(self, event: Event) -> None:
        content = report("092 Round Robin", line(1, "1.0", "   2 w 1"), line(2, "0.0", "   1 b 0"), line(3, "1.0", "   4 w 1"), line(4, "0.0", "   3 b 0"))  # fmt: skip
        assert import_trf(SYSTEM, event.pk, content, name="无表").section.format == "SWISS"


def public_text(section: Section) -> str:
    """The report of the published rounds alone, which says that it is a round robin."""
    whole = export_trf(section).text
    last = section.rounds.filter(state__in=PUBLIC_STATES).count()
    return "\n".join(row[: 91 + 10 * last - 2] if row.startswith("001") else row for row in whole.split("\n"))


def test_the_file_says_of_the_event_what_the_site_knows() -> None:
    actor = b.organizer()
    section = b.section(actor, players=3, rounds_total=2, time_control="4800+60", numbering="RATING")
    event = section.event
    events.update_event(
        actor, event.pk, {"place": "岳阳  Yueyang", "starts_on": "2026-05-01", "ends_on": "2026-05-03"}
    )
    person = b.user()
    person.first_name, person.last_name = "Wei", "Li"
    person.save()
    Role.objects.create(event=event, user=person, kind=Role.Kind.CHIEF_ARBITER)
    b.play_round(actor, section)
    section.rounds.filter(number=1).update(starts_at="2026-05-01T09:00+08:00")

    text = export_trf(Section.objects.select_related("event").get(pk=section.pk)).text

    found = {row[:3]: row[4:] for row in text.splitlines()}
    assert {tag: found[tag] for tag in ("022", "042", "052", "062", "072", "092", "102", "122", "192")} == {
        "022": "岳阳 Yueyang", "042": "2026/05/01", "052": "2026/05/03", "062": "3", "072": "3",
        "092": "Individual: Swiss system", "102": "Wei Li", "122": "4800+60", "192": "FIDE_DUTCH",
    }  # fmt: skip
    dates = next(row for row in text.splitlines() if row.startswith("132"))
    assert dates[91:99] == "26/05/01" and not dates[4:91].strip()
    assert trf.read(text).tournament.rounds_total == 2
