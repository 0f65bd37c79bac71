"""A micro-match and a team match in public rounds, with who judges them, for tests of sheets game by game."""

from __future__ import annotations

from dataclasses import dataclass

from games import sheets as reading
from games.models import Game
from games.services import sheets
from games.services.results import Score
from games.services.sheets import Filed, Handed
from games.slots import Seat, seat_of
from tests import factories as f
from tests.games.boards import LEGAL, SHORT_WIN, actor
from tournaments.audit import Actor
from tournaments.engine.types import Outcome
from tournaments.models import Entry, Event, Pairing, Role, Round, Section, TeamMember
from tournaments.services import matches
from tournaments.services.matches import BoardLine

NOBODY = Actor(address="192.0.2.9")
MOVES = tuple(reading.read_sheet(LEGAL).moves)
WON = " ".join(SHORT_WIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    section: Section
    pairing: Pairing
    white: Entry
    black: Entry
    arbiter: Actor
    chief: Actor
    organizer: Actor

    @property
    def event(self) -> Event:
        return self.section.event

    @property
    def round(self) -> Round:
        return self.pairing.round

    def fresh(self) -> Pairing:
        return Pairing.objects.get(pk=self.pairing.pk)

    def seat(self, number: int) -> Seat:
        return seat_of(self.pairing.pk, number)

    def outcomes(self) -> list[str]:
        return list(self.pairing.match_games.order_by("number").values_list("outcome", flat=True))

    def game(self, number: int) -> Game:
        return Game.objects.get(pairing=self.pairing, number=number)


def micro_match(*, rule: str = "WTM_2020", scheme: str = "MICRO12", players: int = 4) -> Stage:
    """Classic, rapid and blitz, each only while the match is level."""
    section = f.make_section(match_rule=rule, scheme=scheme, format="KNOCKOUT", time_control="4800")
    return _stage(section, f.make_entries(section, players))


def team_match(*, boards: int = 2, line_up: bool = True) -> Stage:
    """Two teams of two boards and a substitute; the first team has White on board 1."""
    section = f.make_section(
        format="TEAM_SWISS", team_boards=boards, preset="TEAM", tiebreaks=["BOARD_POINTS"]
    )
    entries = f.make_entries(section, 4)
    for entry in entries:
        TeamMember.objects.bulk_create(
            TeamMember(entry=entry, position=n, name=f"{entry.player.name} / {n}", rating=2000 - n)
            for n in range(1, boards + 2)
        )
    stage = _stage(section, entries)
    if line_up:
        seat_teams(stage)
    return stage


def seat_teams(stage: Stage, *, boards: int = 2) -> None:
    first, second = (
        list(entry.members.values_list("pk", flat=True)[:boards]) for entry in (stage.white, stage.black)
    )
    lines = [BoardLine(first=one, second=two) for one, two in zip(first, second, strict=True)]
    matches.record_team_match(stage.arbiter, stage.pairing.pk, lines, version=stage.fresh().version)


def member(entry: Entry, position: int) -> TeamMember:
    return entry.members.get(position=position)


def hand(stage: Stage, number: int, link: str, *, text: str = LEGAL, result: str = "2-0") -> Filed:
    handed = Handed(text=text, submission=f"{number} {link} {text}"[:64], result=result)
    return sheets.file_sheet(NOBODY, stage.pairing.pk, handed, link=link, number=number)


def score(stage: Stage, outcome: str, **fields: object) -> Score:
    given = {
        "moves": MOVES,
        "outcome": outcome,
        "version": stage.fresh().version,
        "source": "WHITE",
        **fields,
    }
    return Score(**given)  # type: ignore[arg-type]


def _stage(section: Section, entries: list[Entry]) -> Stage:
    pairs = zip(entries[::2], entries[1::2], strict=True)
    f.make_round(section, [(white, black, Outcome.UNPLAYED) for white, black in pairs])
    pairing = Pairing.objects.select_related("round").get(round__section=section, board=1)
    return Stage(
        section=section,
        pairing=pairing,
        white=entries[0],
        black=entries[1],
        arbiter=actor(section.event, Role.Kind.ARBITER),
        chief=actor(section.event, Role.Kind.CHIEF_ARBITER),
        organizer=actor(section.event, Role.Kind.ORGANIZER),
    )
