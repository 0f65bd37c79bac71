"""What an event document says about knock-outs and matches of several games; older documents say nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournaments.engine import micromatch, scoring
from tournaments.engine.types import BYES, InvalidState, Outcome
from tournaments.formats import match_outcome
from tournaments.importers.documents import Node, refuse_hidden
from tournaments.models import Entry, MatchGame, Pairing, TeamMember

_NUMBERS = {
    "groups": (1, 64, 2),
    "group_places": (1, 16, 2),
    "team_boards": (1, 20, 4),
    "team_places": (0, 20, 0),
}


def options(node: Node) -> dict[str, Any]:
    """The fields of the section."""
    return {
        "match_rule": node.get("match_rule", "").choice(["", *micromatch.RULES]),
        "own_match": _own(node.get("own_match", {}), micromatch.own_rule),
        "own_points": _own(
            node.get("own_points", {}),
            lambda own: scoring.with_own_points(scoring.SCHEMES[node["scheme"].value], own),
        ),
        "third_place": node.get("third_place", False).truth(),
        **{name: node.get(name, given).whole(low, high) for name, (low, high, given) in _NUMBERS.items()},
    }


def _own(node: Node, check: Callable[[Mapping[str, Any]], object]) -> dict[str, Any]:
    """Points or stages of the section's own; an empty object is none."""
    found: dict[str, Any] = node.json(dict)
    if found:
        try:
            check(found)
        except InvalidState as error:
            node.refuse(_("there is no such choice: %(name)s"), name=error.values.get("field"))
    return found


def bracket(node: Node, entries: Mapping[int, Entry]) -> list[int]:
    """The entries by seed, each once."""
    found: list[int] = []
    for item in node.items():
        ref = item.whole(1, 2**31 - 1)
        if ref not in entries:
            item.refuse(_("there is no %(id)s in the document"), id=ref)
        if ref in found:
            item.refuse(_("%(value)s is given twice"), value=ref)
        found.append(ref)
    return found


def members(node: Node, entries: Mapping[int, Entry]) -> dict[tuple[int, int], TeamMember]:
    """The players of teams, by the entry's number in the document and their position."""
    found: dict[tuple[int, int], TeamMember] = {}
    for item in node.items():
        ref = item["id"].value
        for member in item.get("members", []).items(limit=40):
            member.only({"position", "name", "rating", "out_from_round"})
            key = (ref, member["position"].whole(1, 999))
            refuse_hidden(member["name"])
            if key in found:
                member.refuse(_("%(value)s is given twice"), value=key[1])
            found[key] = TeamMember(
                entry=entries[ref],
                position=key[1],
                name=member["name"].text(limit=120, blank=False),
                rating=member["rating"].whole(0, 4000),
                out_from_round=member.get("out_from_round", None).whole_or_none(1, 999),
            )
    return found


def games(
    node: Node, pairings: Sequence[Pairing], known: Mapping[tuple[int, int], TeamMember]
) -> list[MatchGame]:
    """The games of the pairings of a round, which stand in the same order."""
    found = []
    for item, pairing in zip(node.items(), pairings, strict=True):
        own: list[MatchGame] = []
        for game in item.get("games", []).items(limit=100):
            game.only({"number", "stage", "first_white", "outcome", "grade", "first", "second"})
            own.append(
                MatchGame(
                    pairing=pairing,
                    number=game["number"].whole(1, 999),
                    stage=game["stage"].whole(0, 20),
                    first_white=game["first_white"].truth(),
                    outcome=game["outcome"].choice([o.value for o in Outcome if o not in BYES]),
                    grade=game["grade"].text(limit=12),
                    first=_member(game["first"], item["white"].value, known),
                    second=_member(game["second"], item["black"].value, known),
                )
            )
        _check_result(item, pairing, sorted(own, key=lambda row: row.number))
        found += own
    return found


def _check_result(item: Node, pairing: Pairing, games: Sequence[MatchGame]) -> None:
    """A match has the result of its games unless it was forfeited or ruled on, which the document says."""
    ruled = item.get("ruled", False).truth()
    beside = pairing.outcome in match_outcome.BESIDE_THE_GAMES
    if (
        ruled
        or beside
        or not match_outcome.differs(pairing.round.section, pairing.outcome, pairing.grade, games)
    ):
        return
    told, _grade = match_outcome.of_games(pairing.round.section, games)
    item["outcome"].refuse(
        _("by its games the match is %(result)s; a result that was ruled otherwise has ruled: true"),
        result=told,
    )


def _member(node: Node, team: Any, known: Mapping[tuple[int, int], TeamMember]) -> TeamMember | None:
    position = node.whole_or_none(1, 999)
    if position is None:
        return None
    if (team, position) not in known:
        node.refuse(_("the team has no player %(number)s"), number=position)
    return known[team, position]
