"""Events of random happenings, made through the services: after every step every surface tells the same points.

What each player has is counted here a second time, from the outcome codes alone.
"""

from __future__ import annotations

import csv
import io
import os
import re
from collections import Counter
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments import formats
from tournaments.errors import SiteError
from tournaments.models import PUBLIC_STATES, Absence, Entry, Event, Job, Pairing, Role, Round, Section
from tournaments.services import corrections, draft, entries, results, rounds

pytestmark = pytest.mark.django_db

# Longer runs of more events: RANDOM_EVENTS=50 RANDOM_HAPPENINGS=100.
SEEDS = range(int(os.environ.get("RANDOM_EVENTS", "2")))
HAPPENINGS = int(os.environ.get("RANDOM_HAPPENINGS", "20"))
TAKEN = {
    "WHITE": (2, 0), "DRAW": (1, 1), "BLACK": (0, 2), "WHITE_FORFEITS": (0, 2), "BLACK_FORFEITS": (2, 0),
    "BOTH_FORFEIT": (0, 0), "BOTH_LOSE": (0, 0), "BYE": (2, 0), "HALF_BYE": (1, 0), "ZERO_BYE": (0, 0), "UNPLAYED": (0, 0),
    "VOID": (0, 0),
}  # fmt: skip
RESULTS = (
    ["WHITE"] * 4
    + ["DRAW"] * 4
    + ["BLACK"] * 4
    + ["WHITE_FORFEITS", "BLACK_FORFEITS", "BOTH_FORFEIT", "BOTH_LOSE"]
)
OVER = frozenset({"WHITE", "DRAW", "BLACK", "BOTH_LOSE"})


class Story:
    """A section, the people who run it, and what may happen next."""

    def __init__(self, *, seed: int, players: int, **fields: Any) -> None:
        self.random = Random(seed)
        self.actor = b.organizer()
        self.section = b.section(self.actor, players=players, **fields)
        Section.objects.filter(pk=self.section.pk).update(seed=seed)
        Event.objects.filter(pk=self.section.event_id).update(state=Event.State.OPEN)
        self.event_code = self.section.event.code
        self.chief = b.with_role(self.section.event, Role.Kind.CHIEF_ARBITER)
        self.names = 0
        self.told: Counter[str] = Counter()
        self.gone: list[corrections.Departure] = []

    def step(self, verb: str = "") -> str:
        """One happening by its name; none when the house refuses it, and then nothing was written."""
        verb = (
            verb or self.random.choices(list(self.VERBS), weights=[w for _call, w in self.VERBS.values()])[0]
        )
        before = Section.objects.values_list("version", flat=True).get(pk=self.section.pk)
        try:
            self.VERBS[verb][0](self)
        except SiteError:
            assert Section.objects.values_list("version", flat=True).get(pk=self.section.pk) == before
            return ""
        if Section.objects.values_list("version", flat=True).get(pk=self.section.pk) == before:
            return ""
        self.told[verb] += 1
        b.work_all(self.section)
        return verb

    def anyone(self) -> Entry:
        return self.random.choice(b.entry_list(self.section))

    def boards(self, **which: Any) -> list[Pairing]:
        found = Pairing.objects.filter(
            round__section=self.section, round__state__in=PUBLIC_STATES, black__isnull=False, **which
        )
        return list(found.order_by("round__number", "board"))

    def pair(self) -> None:
        rounds.request_pairing(self.actor, self.section.pk, again=self.random.random() < 0.2)

    def publish(self) -> None:
        for round_ in Round.objects.filter(section=self.section, state="PAIRED").order_by("number")[:1]:
            rounds.publish_round(self.actor, round_.pk)

    def unpublish(self) -> None:
        for round_ in Round.objects.filter(section=self.section, state="PUBLISHED").order_by("-number")[:1]:
            rounds.unpublish_round(self.actor, round_.pk, reason="again")

    def discard(self) -> None:
        rounds.discard_draft(self.actor, self.section.pk)

    def swap(self) -> None:
        round_ = Round.objects.filter(section=self.section, state="PAIRED").first()
        if round_ is not None:
            one, two = self.random.sample(b.entry_list(self.section), 2)
            version = Section.objects.values_list("version", flat=True).get(pk=self.section.pk)
            draft.swap(self.actor, round_.pk, first=one.pk, second=two.pk, version=version, reason="by hand")

    def enter(self) -> None:
        for board in self.boards(outcome="UNPLAYED"):
            if self.random.random() < 0.8:
                results.record_outcome(
                    self.actor, board.pk, outcome=self.random.choice(RESULTS), version=board.version
                )

    def correct(self) -> None:
        board = self.random.choice(self.boards() or [None])
        if board is not None:
            outcome = self.random.choice([*RESULTS, "UNPLAYED", "VOID"])
            results.record_outcome(
                self.actor, board.pk, outcome=outcome, version=board.version, reason="slip"
            )

    def come_late(self) -> None:
        self.names += 1
        rating = self.random.choice([0, 1900, 2385, 2500])
        entries.add_entry(self.actor, self.section.pk, {"name": f"Late {self.names}", "rating": rating})

    def withdraw(self) -> None:
        after = self.random.randint(0, self.section.rounds_total)
        entries.withdraw_entry(self.actor, self.anyone().pk, after_round=after, reason="ill")

    def come_back(self) -> None:
        entries.return_entry(self.actor, self.anyone().pk)

    def stay_away(self) -> None:
        number = self.random.randint(1, self.section.rounds_total)
        kind = self.random.choice(["BYE", "HALF_BYE", "ZERO_BYE"])
        entries.announce_absence(self.actor, self.anyone().pk, round_number=number, kind=kind)

    def cancel(self) -> None:
        absence = Absence.objects.filter(entry__section=self.section).first()
        if absence is not None:
            entries.cancel_absence(self.actor, absence.pk)

    def adjust(self) -> None:
        results.adjust_score(
            self.chief, self.anyone().pk, points=self.random.choice([-1, 1]), reason="ruling",
            after_round=self.random.randint(0, self.section.rounds_total),
        )  # fmt: skip

    def send_away(self) -> None:
        number = self.random.randint(1, self.section.rounds_total)
        self._court(lambda: self.gone.append(
            corrections.disqualify_entry(self.chief, self.anyone().pk, round_number=number, reason="fraud")
        ))  # fmt: skip

    def take_back(self) -> None:
        if self.gone:
            self._court(lambda: corrections.restore_entry(self.chief, self.gone.pop(), reason="appeal"))

    @staticmethod
    def _court(act: Any) -> None:
        with transaction.atomic():
            act()

    VERBS: dict[str, tuple[Any, int]] = {
        "pair": (pair, 6), "publish": (publish, 6), "enter": (enter, 6), "correct": (correct, 3), "swap": (swap, 2),
        "come late": (come_late, 1), "withdraw": (withdraw, 2), "come back": (come_back, 2), "stay away": (stay_away, 2),
        "cancel": (cancel, 1), "unpublish": (unpublish, 1), "discard": (discard, 1), "adjust": (adjust, 1),
        "send away": (send_away, 1), "take back": (take_back, 1),
    }  # fmt: skip


def counted(section: Section, after: int) -> dict[int, int]:
    """Points per entry from the outcome codes and the rulings."""
    points = dict.fromkeys(section.entries.values_list("pk", flat=True), 0)
    for board in Pairing.objects.filter(
        round__section=section, round__state__in=PUBLIC_STATES, round__number__lte=after
    ):
        white, black = TAKEN[board.outcome]
        points[board.white_id] += white
        if board.black_id is not None:
            points[board.black_id] += black
    for row in section.adjustments.filter(after_round__lte=after):
        points[row.entry_id] += row.points
    return points


def nobody_is_twice(section: Section) -> None:
    for round_ in section.rounds.exclude(state="OPEN"):
        seated = b.seated(round_)
        assert len(seated) == len(set(seated)), f"somebody sits twice in round {round_.number}"
        boards = round_.pairings.filter(black__isnull=False).order_by("board")
        numbers = [board.board for board in boards]
        assert numbers == list(range(1, len(numbers) + 1))


def nobody_meets_again(section: Section) -> None:
    """Just after pairing: no game that was played is played again, and nobody has a second bye."""
    drafted = section.rounds.filter(state="PAIRED").order_by("number").first()
    if drafted is None or formats.of(section).drawn_whole:
        return
    earlier = Pairing.objects.filter(round__section=section, round__number__lt=drafted.number)
    met = {frozenset((p.white_id, p.black_id)) for p in earlier if p.outcome in OVER}
    rested = {p.white_id for p in earlier if p.outcome == "BYE"}
    boards = list(drafted.pairings.all())

    assert [p for p in boards if frozenset((p.white_id, p.black_id)) in met] == []
    asked = set(
        Absence.objects.filter(entry__section=section, round_number=drafted.number).values_list(
            "entry", flat=True
        )
    )
    assert [p for p in boards if p.outcome == "BYE" and p.white_id in rested - asked] == []


def surfaces(story: Story) -> dict[str, tuple[int, dict[int, int]]]:
    """Every place that tells points: the round after which it tells them, and the points by pairing number."""
    section, public = story.section, Client(headers={"accept-language": "en"})
    at = f"/e/{story.event_code}/{section.code}/"
    api = f"/api/v1/events/{story.event_code}/sections/{section.code}/"
    numbers = dict(section.entries.values_list("pk", "number"))
    told = public.get(f"{api}standings/?page_size=200").json()
    after = told["after_round"]
    found = {
        "API standings": (after, {row["entry"]["number"]: row["points"] for row in told["results"]}),
        "API cross table": (
            after,
            {
                row["entry"]["number"]: row["points"]
                for row in public.get(f"{api}cross-table/?page_size=200").json()["results"]
            },
        ),
        "standings.csv": (after, _column(public.get(f"{at}download/standings.csv"), "points")),
        "cross.csv": (after, _column(public.get(f"{at}download/cross.csv"), "points")),
        "standings": (after, _rows(public.get(f"{at}standings/"))),
        "cross": (after, _rows(public.get(f"{at}cross/"))),
        "print": (
            after,
            _rows(client_of(story.actor.user).get(f"/desk/sections/{section.pk}/standings/print/")),
        ),
        "players": (after, {}),
    }
    for pk in story.random.sample(sorted(pk for pk, number in numbers.items() if number), 2):
        page = public.get(f"{at}p/{pk}/").content.decode()
        shown = re.search(r"<dt>Points</dt><dd>(-?\d+)</dd>", page)
        assert shown is not None
        found["players"][1][numbers[pk]] = int(shown[1])
    for round_ in section.rounds.filter(state__in=PUBLIC_STATES).order_by("-number")[:2]:
        rows = public.get(f"{api}rounds/{round_.number}/pairings/?page_size=200").json()["results"]
        header: dict[int, int] = {}
        for row in rows:
            for side in ("white", "black"):
                if row[side]:
                    header[row[side]["number"]] = row[f"{side}_before"]
        found[f"pairings {round_.number}"] = (round_.number - 1, header)
    return found


def _column(answer: Any, name: str) -> dict[int, int]:
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    return {int(row["pairing number"]): int(row[name]) for row in rows}


def _rows(answer: Any) -> dict[int, int]:
    """Pairing number and points of a table's rows: the number is the last key that a public row is found by, or has a cell."""
    body = answer.content.decode().split("<tbody>")[1].split("</tbody>")[0]
    found = {}
    for row in body.split("<tr")[1:]:
        number = re.search(r'data-keys="[^"]* (\d+)"|</th>\s*<td class="num">(\d+)</td>', row)
        points = re.search(r'class="n pts">(-?\d+)|<strong>(-?\d+)</strong>', row)
        assert number is not None and points is not None, row
        found[int(number[1] or number[2])] = int(points[1] or points[2])
    return found


def agree(story: Story) -> None:
    section = Section.objects.get(pk=story.section.pk)
    nobody_is_twice(section)
    assert not Job.objects.filter(section=section, state__in=["QUEUED", "RUNNING"]).exists()
    if not section.rounds.filter(state__in=PUBLIC_STATES).exists():
        return
    numbers = dict(section.entries.values_list("pk", "number"))
    for name, (after, told) in surfaces(story).items():
        expected = {numbers[pk]: points for pk, points in counted(section, after).items()}
        wrong = {
            number: (points, expected.get(number))
            for number, points in told.items()
            if expected.get(number) != points
        }
        assert wrong == {}, f"{name} after round {after}: (told, counted) by number"
        if name not in ("players",) and not name.startswith("pairings"):
            assert told.keys() == {number for number in expected if number is not None}, name


def live(story: Story, *, happenings: int) -> None:
    opening = iter(["pair", "publish", "enter"])
    while story.told.total() < happenings:
        verb = story.step(next(opening, ""))
        try:
            if verb == "pair":
                nobody_meets_again(story.section)
            if verb:
                agree(story)
        except AssertionError as error:
            error.add_note(f"after {verb}: {dict(story.told)}")
            raise


@pytest.mark.parametrize("seed", SEEDS)
def test_a_swiss_tells_the_same_points_everywhere(seed: int) -> None:
    story = Story(seed=seed, players=7 + seed % 2, rounds_total=5)

    live(story, happenings=HAPPENINGS)

    assert story.section.standings.exists()


@pytest.mark.parametrize("seed", SEEDS[:1])
@pytest.mark.parametrize("withdrawal", ["FORFEIT", "ANNUL"])
def test_a_round_robin_tells_the_same_points_everywhere(seed: int, withdrawal: str) -> None:
    story = Story(seed=seed, players=5, format="ROUND_ROBIN", preset="CN_ROUND_ROBIN", withdrawal=withdrawal)

    live(story, happenings=HAPPENINGS)

    assert story.section.standings.exists()
