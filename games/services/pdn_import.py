"""A tournament out of a PDN file: players, rounds, boards, outcomes and the games with their moves.

A result counts whether or not the moves are legal; what is wrong with the moves is told beside it. A game that has no
place is named with its reason.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

import rules
from games.models import Game
from games.pdn_grouping import Remark, SectionPlan
from games.pdn_reading import Reading, read_placed
from tournaments.audit import Actor
from tournaments.confined import run_confined
from tournaments.encodings import encoding_named
from tournaments.errors import BadInput
from tournaments.formats import kept
from tournaments.models import Event, Section, Standings
from tournaments.services import events, history
from tournaments.services.history import PastBoard, PastPlayer

LARGEST_FILE = 20 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What came in: counts, points by player, and what has no place."""

    event: Event
    sections: tuple[dict[str, Any], ...]
    not_placed: tuple[Remark, ...]
    remarks: tuple[Remark, ...]
    encoding: str

    def as_json(self) -> dict[str, Any]:
        points: Counter[str] = Counter()
        for section in self.sections:
            for player in section["players"]:
                points[player["name"]] += player["points"]
        return {
            "event": self.event.code,
            "name": self.event.name,
            "encoding": self.encoding,
            "players": [{"name": name, "points": points[name]} for name in sorted(points, key=_by(points))],
            "rounds": sum(section["rounds"] for section in self.sections),
            "pairings": sum(section["pairings"] for section in self.sections),
            "games": sum(section["games"] for section in self.sections),
            "sections": list(self.sections),
            "not_placed": [asdict(remark) for remark in self.not_placed],
            "remarks": [asdict(remark) for remark in self.remarks],
        }


def read_tournament(data: bytes, *, encoding: str = "") -> Reading:
    """Read and place a file from outside.

    Raises BadInput, with the line, for a file that holds no game of this board, or whose encoding is in doubt.
    """
    if len(data) > LARGEST_FILE:
        raise BadInput(_("The file is larger than 20 MB."), code="too-large")
    return run_confined(read_placed, data, encoding=encoding_named(encoding))


def import_tournament(
    actor: Actor,
    data: bytes,
    *,
    filename: str = "",
    name: str = "",
    encoding: str = "",
    is_trusted: bool = False,
) -> Report:
    """Write a file as a new event that is not yet public: one section for each event named in the file.

    A trusted file, of the operator, may take as long as it takes.
    """
    if is_trusted:
        reading = read_placed(data, encoding=encoding_named(encoding))
    else:
        reading = read_tournament(data, encoding=encoding)
    title = name or max(reading.plan.sections, key=lambda s: len(s.boards)).name or filename or "PDN"
    with transaction.atomic():
        event = events.create_event(actor, {"name": title[:200]})
        sections = tuple(
            _write_section(actor, event, part, reading, filename) for part in reading.plan.sections
        )
    return Report(
        event=event,
        sections=sections,
        not_placed=reading.plan.not_placed,
        remarks=tuple(sorted([*reading.plan.remarks, *reading.faults], key=lambda remark: remark.game)),
        encoding=reading.encoding,
    )


def _by(points: Counter[str]) -> Any:
    return lambda name: (-points[name], name)


def _write_section(
    actor: Actor, event: Event, part: SectionPlan, reading: Reading, filename: str
) -> dict[str, Any]:
    section = events.create_section(
        actor,
        event.pk,
        {
            "name": (part.name or "PDN")[:100],
            "rounds_total": part.rounds,
            "preset": _preset(part),
            "format": _format(part),
        },
    )
    pairing_of = history.enter_history(
        actor,
        section,
        [PastPlayer(key=key, name=person.name, rating=person.rating) for key, person in part.people.items()],
        [
            PastBoard(ref=b.game, round=b.round, white=b.white, black=b.black, outcome=b.outcome)
            for b in sorted(part.boards, key=lambda b: (b.round, b.game))
        ],
        source=filename,
    )
    games = [_game(index, pairing, reading) for index, pairing in pairing_of.items()]
    Game.objects.bulk_create(games)
    return {
        "code": section.code,
        "name": section.name,
        "events": list(part.spellings),
        "players": _points(section),
        "rounds": part.rounds,
        "pairings": len(pairing_of),
        "games": len(games),
    }


def _format(part: SectionPlan) -> str:
    return kept.of_meetings(everybody_met=_everybody_met(part))


def _everybody_met(part: SectionPlan) -> bool:
    """Once each; anything else is kept as a Swiss."""
    people = len(part.people)
    pairs = {frozenset((b.white, b.black)) for b in part.boards}
    return people > 2 and len(pairs) == len(part.boards) == people * (people - 1) // 2


def _preset(part: SectionPlan) -> str:
    return "CN_ROUND_ROBIN" if _everybody_met(part) else "CN_SWISS"


def _game(index: int, pairing: int, reading: Reading) -> Game:
    game, sheet = reading.games[index - 1], reading.sheets[index - 1]
    return Game(
        pairing_id=pairing,
        fen="" if sheet.start == rules.START else sheet.start.fen(),
        moves=list(sheet.moves),
        tags=dict(game.tags),
        source=rules.write_pdn([game]),
        white_time=sheet.white_seconds,
        black_time=sheet.black_seconds,
    )


def _points(section: Section) -> list[dict[str, Any]]:
    table = Standings.objects.filter(section=section).order_by("-after_round").first()
    if table is None:
        return []
    name_of = dict(section.entries.values_list("pk", "player__name"))
    return [{"name": name_of[row["entry"]], "points": row["points"]} for row in table.rows]
