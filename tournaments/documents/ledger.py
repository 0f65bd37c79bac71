"""The schema of an event document, form `draughts-event`: the ledger's part of it, and the whole with what `games` adds.

Both directions use it: the export writes the fields named here, the import takes nothing else. `json_schema` publishes it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

from tournaments.documents.kinds import (
    ABSENT,
    MAX_BIG,
    MAX_INT,
    MAX_SMALL,
    TRUTH,
    by_name,
    choice,
    fault,
    kept,
    kind,
    known_text,
    many,
    of_model,
    plain,
    record,
    text,
    whole,
)
from tournaments.documents.parts import PARTS
from tournaments.engine import micromatch, scoring, tiebreaks
from tournaments.engine.policies import TieBreakPolicy
from tournaments.engine.presets import PRESETS
from tournaments.engine.types import BYES, InvalidState, Outcome
from tournaments.models import (
    BYE_CODES,
    Absence,
    Adjustment,
    Entry,
    Event,
    ForbiddenPair,
    MatchGame,
    Notice,
    Player,
    Round,
    Section,
    Standings,
    TeamMember,
)

FORMAT = "draughts-event"
VERSION = 3
SCHEMA_ADDRESS = "https://json-schema.org/draft/2020-12/schema"

EVENT_FIELDS = (
    "code", "name", "name_en", "place", "starts_on", "ends_on", "description", "regulations", "contact", "state",
    "created_at", "closed_at",
)  # fmt: skip
SECTION_FIELDS = (
    "code", "name", "name_en", "position", "format", "ranking", "numbering", "rounds_total", "time_control", "scheme",
    "preset", "tiebreaks", "policy", "withdrawal", "lateness_limit", "appeal_fee", "appeal_deadline", "refunds_withdrawn",
    "protect_clubs_rounds", "drop_absent", "acceleration", "lots_decide", "seed", "initial_colour", "state",
    "match_rule", "own_match", "own_points", "third_place", "groups", "group_places", "team_boards", "team_places",
)  # fmt: skip
SECTION_ADDED = frozenset(
    {
        "refunds_withdrawn", "acceleration", "match_rule", "own_match", "own_points", "third_place", "groups",
        "group_places", "team_boards", "team_places",
    }
)  # fmt: skip
PLAYER_FIELDS = (
    "name", "family_name", "latin_name", "sex", "birth_year", "federation", "club", "rating", "title", "grade", "fmjd_id",
    "family",
)  # fmt: skip
ENTRY_FIELDS = (
    "number", "seed_number", "lot_number", "first_round", "status", "withdrawn_after_round", "created_at", "group",
)  # fmt: skip
MEMBER_FIELDS = ("position", "name", "rating", "out_from_round")
GAME_FIELDS = ("number", "stage", "first_white", "outcome", "grade")
ROUND_FIELDS = (
    "number", "state", "starts_at", "published_at", "engine", "canonical_input", "digest", "proposal", "explanations",
    "clocks_started_at", "all_here_at",
)  # fmt: skip
NOTICE_FIELDS = ("kind", "texts", "at", "withdrawn_at")
STANDINGS_FIELDS = ("after_round", "final", "tiebreaks", "policy", "lot_seed", "computed_at")

REF = whole(1, MAX_INT)
ROUND_NUMBER = whole(1, 999)
BOUND = whole(0, 999)
"""A round, or 0 for none."""
OUTCOME = choice([outcome.value for outcome in Outcome])
CODE = text(12)
_MEAN = re.compile(r"-?[0-9]{1,18}/[1-9][0-9]{0,17}")
_FIGURE = whole(-MAX_INT, MAX_INT)


def _check_policy(value: dict[str, Any]) -> None:
    try:
        TieBreakPolicy.from_json(value)
    except InvalidState as error:
        raise fault(_("there is no such choice: %(name)s"), name=error.values.get("field")) from None


def _tie_break_value(value: Any) -> Any:
    """A number, null, the numerator and denominator of a mean, or a list of numbers."""
    found = value if isinstance(value, list) else [value]
    if isinstance(value, str) and _MEAN.fullmatch(value):
        return value
    if any(item is not None and (type(item) is not int or abs(item) > MAX_INT) for item in found):
        raise fault(_("is no value of a tie-break"))
    return value


POLICY = plain(dict, _check_policy)
BOARD = record("Board", {"round": ROUND_NUMBER, "board": whole(1, MAX_SMALL)})
"""Names a board of a section."""

MEMBER = record(
    "TeamMember",
    of_model(
        TeamMember, MEMBER_FIELDS, added={"out_from_round"},
        position=ROUND_NUMBER, name=text(120, blank=False), rating=whole(0, 4000), out_from_round=ROUND_NUMBER | None,
    ),
)  # fmt: skip
ENTRY = record(
    "Entry",
    {
        "id": REF,
        "player": REF,
        "members": (many(MEMBER, 40), []),
        **of_model(
            Entry, ENTRY_FIELDS, added={"group"},
            number=REF | None, first_round=BOUND, withdrawn_after_round=BOUND | None, group=ROUND_NUMBER | None,
        ),
    },
)  # fmt: skip
MATCH_GAME = record(
    "MatchGame",
    {
        **of_model(
            MatchGame, GAME_FIELDS,
            number=ROUND_NUMBER, stage=whole(0, 20), outcome=choice([o.value for o in Outcome if o not in BYES]),
        ),
        "first": ROUND_NUMBER | None,
        "second": ROUND_NUMBER | None,
    },
)  # fmt: skip
PAIRING = record(
    "Pairing",
    {
        "board": whole(0, MAX_SMALL),
        "white": REF,
        "black": REF | None,
        "outcome": OUTCOME,
        "grade": text(12),
        "advances": (choice(["", "w", "b"]), ""),
        "ruled": (TRUTH, False),
        "games": (many(MATCH_GAME, 100), []),
    },
)
EDIT = record("Edit", {"verb": text(40), "reason": text(1000), "names": (many(text(200)), [])}, is_open=True)
ROUND = record(
    "Round",
    {
        **of_model(
            Round, ROUND_FIELDS, added={"clocks_started_at", "all_here_at"},
            number=ROUND_NUMBER, canonical_input=text(20_000_000),
            proposal=many(many(whole(0, MAX_INT) | None, 3)),
        ),
        "numbers": by_name(REF | None),
        "edits": kept(many(EDIT)),
        "pairings": many(PAIRING),
    },
)  # fmt: skip
PLACE = record(
    "Place",
    {"entry": REF, "rank": _FIGURE, "points": _FIGURE, "values": by_name(kind(_tie_break_value, Any))},
    is_open=True,
)
STANDINGS = record(
    "Standings",
    {
        **of_model(
            Standings, STANDINGS_FIELDS, after_round=BOUND, tiebreaks=many(text(60), 50), policy=POLICY,
            lot_seed=whole(-MAX_BIG, MAX_BIG) | None,
        ),
        "rows": kept(many(PLACE)),
    },
)  # fmt: skip
SECTION = record(
    "Section",
    {
        **of_model(
            Section, SECTION_FIELDS, added=SECTION_ADDED,
            initial_colour=choice(["w", "b"]), scheme=choice(tuple(scoring.SCHEMES)), preset=choice(("", *PRESETS)),
            tiebreaks=many(known_text(60, tiebreaks.is_known, _("there is no such tie-break")), 50), policy=POLICY,
            match_rule=choice(("", *micromatch.RULES)), groups=whole(1, 64), group_places=whole(1, 16),
            team_boards=whole(1, 20), team_places=whole(0, 20),
        ),
        "entries": many(ENTRY),
        "bracket": (many(REF), []),
        "rounds": many(ROUND, 200),
        "virtual_points": (
            many(
                record(
                    "VirtualPoints",
                    {"points": BOUND, "first_round": BOUND, "last_round": BOUND, "entries": many(REF)},
                ),
                20,
            ),
            [],
        ),
        "absences": many(
            record(
                "Absence",
                {"entry": REF, "round": ROUND_NUMBER, **of_model(Absence, ("kind", "reason"), kind=choice(BYE_CODES))},
            )
        ),
        "forbidden_pairs": many(
            record(
                "ForbiddenPair",
                {"first": REF, "second": REF, "first_round": BOUND, "last_round": BOUND,
                 **of_model(ForbiddenPair, ("reason",))},
            )
        ),
        "adjustments": many(
            record(
                "Adjustment",
                {"entry": REF, "after_round": BOUND, **of_model(Adjustment, ("points", "reason", "created_at"))},
            )
        ),
        "standings": many(STANDINGS, 1000),
    },
)  # fmt: skip
PLAYER = record(
    "Player",
    {
        "id": REF,
        **of_model(
            Player, PLAYER_FIELDS, added={"family"},
            name=text(120, blank=False), birth_year=whole(0, 9999) | None, sex=choice(["", "m", "f"]),
        ),
    },
)  # fmt: skip
NOTICE = record(
    "Notice",
    {
        **of_model(Notice, NOTICE_FIELDS, texts=kept(by_name(text(100_000)))),
        "section": CODE | None,
        "board_section": CODE | None,
        "board": BOARD | None,
    },
)


@cache
def document_model() -> type[BaseModel]:
    """Return the schema of a whole document, with the parts that stand in PARTS once the site has started."""
    return record(
        "EventDocument",
        {
            "format": choice([FORMAT]),
            "version": whole(1, VERSION),
            "event": record("Event", of_model(Event, EVENT_FIELDS)),
            "players": many(PLAYER),
            "sections": many(SECTION, 500),
            "notices": (many(NOTICE), []),
            **{part.name: (part.schema, ABSENT) for part in PARTS},
            "log": (kind(_log, list[dict[str, Any]]), []),
        },
    )


def _log(value: Any) -> list[Any]:
    """The log is a record to read: it is counted and not brought back."""
    if not isinstance(value, list):
        raise fault(_("expected a list"))
    return value


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a document, draft 2020-12."""
    return {
        "$schema": SCHEMA_ADDRESS,
        "$comment": "References between rows, and what depends on other rows, are checked on import.",
        **document_model().model_json_schema(),
        "title": f"{FORMAT}, version {VERSION}",
    }
