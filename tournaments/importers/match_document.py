"""What an event document says about knock-outs and matches of several games; older documents say nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournaments.documents.ledger import GAME_FIELDS, MEMBER_FIELDS
from tournaments.documents.parsing import Node, refuse_hidden
from tournaments.engine import micromatch, scoring
from tournaments.engine.types import InvalidState
from tournaments.formats import match_outcome
from tournaments.models import Entry, MatchGame, Pairing, TeamMember


def check_own(node: Node) -> None:
    """Check the section's own points and stages. Raises BadInput with the path of those that do not go together."""
    scheme = scoring.SCHEMES[node["scheme"].value]
    _check(node["own_match"], micromatch.own_rule)
    _check(node["own_points"], lambda own: scoring.with_own_points(scheme, own))


def _check(node: Node, check: Callable[[Mapping[str, Any]], object]) -> None:
    """An empty object is none."""
    if node.value:
        try:
            check(node.value)
        except InvalidState as error:
            node.refuse(_("there is no such choice: %(name)s"), name=error.values.get("field"))


def bracket(node: Node, entries: Mapping[int, Entry]) -> list[int]:
    """The entries by seed, each once."""
    found: list[int] = []
    for item in node.items():
        ref = item.value
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
        for member in item["members"].items():
            key = (ref, member["position"].value)
            refuse_hidden(member["name"])
            if key in found:
                member.refuse(_("%(value)s is given twice"), value=key[1])
            found[key] = TeamMember(entry=entries[ref], **member.values(MEMBER_FIELDS))
    return found


def games(
    node: Node, pairings: Sequence[Pairing], known: Mapping[tuple[int, int], TeamMember]
) -> list[MatchGame]:
    """The games of the pairings of a round, which stand in the same order."""
    found = []
    for item, pairing in zip(node.items(), pairings, strict=True):
        own: list[MatchGame] = []
        for game in item["games"].items():
            own.append(
                MatchGame(
                    pairing=pairing,
                    first=_member(game["first"], item["white"].value, known),
                    second=_member(game["second"], item["black"].value, known),
                    **game.values(GAME_FIELDS),
                )
            )
        _check_result(item, pairing, sorted(own, key=lambda row: row.number))
        found += own
    return found


def _check_result(item: Node, pairing: Pairing, games: Sequence[MatchGame]) -> None:
    """A match has the result of its games unless it was forfeited or ruled on, which the document says."""
    ruled = item["ruled"].value
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
    position = node.value
    if position is None:
        return None
    if (team, position) not in known:
        node.refuse(_("the team has no player %(number)s"), number=position)
    return known[team, position]
