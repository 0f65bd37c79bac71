"""The games that may stand behind faulty sheets, for an arbiter to look at. Nothing here is applied."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

import rules
from games.models import Side
from games.selectors.viewer import Line
from games.wording.codes import words
from games.wording.explanations import SIDES

SECONDS = 5  # of one request: a search that takes longer gives what it found
SHOWN = 3
LEAST_SHARE = 0.01  # rivals with less are noise


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One legal game with each change named. `percent` is its share of the odds; `up_to_order`: certain but for the order
    of moves and for the plies in `likely`, which rest on one text alone."""

    text: str
    percent: int
    certain: bool
    up_to_order: bool
    doubtful: tuple[int, ...]
    likely: tuple[int, ...]
    changes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposals:
    """`stood`: both copies agree, so that nothing is proposed beside them but that their irregular moves stood."""

    games: list[Proposal]
    reliable: bool
    complete: bool
    stood: rules.Stood | None = None


def stood(lines: Mapping[str, Line]) -> rules.Stood | None:
    """The irregular moves that both copies have and go on after (article 7.7)."""
    if set(lines) != set(Side.values):
        return None
    return rules.irregular_moves_that_stood(lines[Side.WHITE].sheet, lines[Side.BLACK].sheet)


def propose(lines: Mapping[str, Line]) -> Proposals:
    """The likeliest games behind the copies that are in, the best first."""
    sides = [side for side in Side.values if side in lines and lines[side].sheet.moves]
    if not sides:
        return Proposals(games=[], reliable=False, complete=True)
    agreed = stood(lines)
    if agreed is not None:
        return Proposals(games=[], reliable=True, complete=True, stood=agreed)
    whole = not any(lines[side].sheet.unread for side in sides)
    until = time.monotonic() + SECONDS
    found = rules.reconstruct(
        [lines[side].sheet.moves for side in sides],
        start=lines[sides[0]].sheet.start,
        should_stop=lambda: time.monotonic() > until,
    )
    return Proposals(
        games=[
            _proposal(game, found, sides, best=number == 0, whole=whole)
            for number, game in enumerate(found.games[:SHOWN])
            if not number or game.share >= LEAST_SHARE
        ],
        reliable=found.reliable,
        complete=found.complete,
    )


def _proposal(
    game: rules.Candidate, found: rules.Candidates, sides: list[str], *, best: bool, whole: bool
) -> Proposal:
    """`whole`: every text of the copies was read; nothing is certain about moves that may stand unread."""
    share = found.confidence if best else game.share
    return Proposal(
        text=" ".join(game.moves),
        percent=min(99, round(100 * share)) if share < 1 else 100,
        certain=best and found.certain and whole,
        up_to_order=best and found.certain_up_to_order and whole and not found.certain,
        doubtful=found.doubtful if best else (),
        likely=found.likely if best else (),
        changes=[_change(change, sides) for change in game.changes],
    )


def _change(change: rules.Change, sides: list[str]) -> str:
    return _("%(side)s's sheet, ply %(ply)s: %(written)s → %(move)s (%(kind)s)") % {
        "side": SIDES[rules.Side(sides[change.sheet])],
        "ply": change.ply,
        "written": change.written or "–",
        "move": change.move or "–",
        "kind": words(f"change-{change.kind.value}"),
    }
