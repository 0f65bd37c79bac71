"""Every option of a section with every other: saved, played, closed, exported, imported, the same table; nonsense is refused.

All pairs are asked of the services here; of the rows that play them a part, chosen so that each value is played. The
whole walk: `DRAUGHTS_WALK=all pytest tests/tournaments/test_section_walk.py`.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tests.tournaments import builders as b
from tests.tournaments import section_walk as walk
from tournaments.engine.micromatch import RULES, fits, own_rule
from tournaments.engine.scoring import SCHEMES, with_own_points
from tournaments.engine.types import InvalidState
from tournaments.errors import BadInput
from tournaments.models import Section

WHOLE = os.environ.get("DRAUGHTS_WALK") == "all"


def makes_sense(fields: dict[str, Any]) -> bool:
    """What the guide for organizers says, said once more: a rule and its points, and options that a format has."""
    format_ = fields.get("format", "SWISS")
    is_team, is_swiss = format_.startswith("TEAM_"), format_ in ("SWISS", "TEAM_SWISS")
    rule = (
        own_rule(fields["own_match"]) if fields.get("own_match") else RULES.get(fields.get("match_rule", ""))
    )
    given = fields.keys() & {"scheme", "own_points"}
    if rule is not None:
        if is_team or (fields.get("own_match") and fields.get("match_rule")):
            return False
        scheme = with_own_points(SCHEMES[fields.get("scheme", "STD")], fields.get("own_points", {}))
        if given and not fits(rule, scheme):
            return False
    return not (
        (fields.get("acceleration") and format_ != "SWISS")
        or (fields.get("ranking") == "SOLKOFF" and format_ != "SWISS")
        or (fields.get("drop_absent") and not is_swiss)
        or (fields.get("third_place") and "KNOCKOUT" not in format_)
        or (fields.get("protect_clubs_rounds") and ("ROUND_ROBIN" in format_ or format_ == "SCHEVENINGEN"))
    )


def test_every_value_and_every_pair_is_taken_or_refused_with_a_sentence() -> None:
    taken = refused = 0
    for row in walk.rows_of_pairs():
        fields = walk.fields_of(row)
        told = walk.refusal(fields)
        try:
            expected = makes_sense(fields)
        except InvalidState:  # points that cannot be
            expected = False
        assert bool(told) is not expected, (fields, told)
        assert all(sentence.endswith((".", "。")) for said in told.values() for sentence in said), told
        taken, refused = taken + expected, refused + (not expected)
    assert taken > 2_000 and refused > 100


def rows_to_play() -> list[walk.Row]:
    rows = walk.covering_rows()
    if WHOLE:
        return rows
    chosen: list[walk.Row] = []
    missing = {(name, str(value)) for name, values in walk.SPACE.items() for value in values}
    for row in rows:
        fresh = {(name, str(value)) for name, value in row.items()} & missing
        if fresh:
            chosen.append(row)
            missing -= fresh
    return chosen


@pytest.mark.django_db
@pytest.mark.parametrize("players", [5, 6] if WHOLE else [walk.PLAYERS])
@pytest.mark.parametrize(
    "row", rows_to_play(), ids=lambda row: "-".join(str(v) for v in walk.fields_of(row).values())[:60]
)
def test_it_is_played_closed_exported_and_imported_with_the_same_table(row: walk.Row, players: int) -> None:
    actor = b.organizer()
    section = walk.play(actor, row, players=players)
    assert section.state == Section.State.CLOSED
    walk.check_copies(actor, section)


@pytest.mark.django_db
def test_what_is_refused_is_not_saved() -> None:
    actor = b.organizer()
    before = Section.objects.count()
    nonsense = [row for row in walk.rows_of_pairs() if walk.refusal(walk.fields_of(row))][::25]
    for row in nonsense:
        with pytest.raises(BadInput):
            b.section(actor, **walk.fields_of(row))
    assert Section.objects.count() == before
