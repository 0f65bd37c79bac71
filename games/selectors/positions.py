"""The position that stands for an event: the last noted one of the first board of its latest round."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import rules
from games import sheets
from games.models import Game
from tournaments.models import PUBLIC_STATES, Event

KEPT = 512  # positions kept at hand, so that a page of many events does not play through their games again


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A position and the game that it comes from; without a game the starting position."""

    position: rules.Position
    game: Game | None = None
    plies: int = 0


def of_events(events: Iterable[Event]) -> dict[int, Shown]:
    """By event. One query; an event without a noted game has no row."""
    games = (
        Game.objects.filter(
            pairing__round__section__event__in=list(events), pairing__round__state__in=PUBLIC_STATES
        )
        .exclude(moves=[])
        .select_related("pairing__round__section")
        .order_by(
            "pairing__round__section__event_id", "-pairing__round__number", "pairing__round__section__position",
            "pairing__board", "number", "-attempt",
        )
        .distinct("pairing__round__section__event_id")
    )  # fmt: skip
    found: dict[int, Shown] = {}
    for game in games:
        position, plies = _last(*_key(game))
        found[game.pairing.round.section.event_id] = Shown(position=position, game=game, plies=plies)
    return found


def start() -> Shown:
    return Shown(position=rules.START)


def _key(game: Game) -> tuple[str, tuple[str, ...], tuple[int, ...], str]:
    source = "" if game.is_accepted else game.source
    return game.fen, tuple(game.moves), tuple(game.accepted_plies), source


@lru_cache(maxsize=KEPT)
def _last(
    fen: str, moves: tuple[str, ...], accepted: tuple[int, ...], source: str
) -> tuple[rules.Position, int]:
    game = Game(fen=fen, moves=list(moves), accepted_plies=list(accepted), source=source)
    verdict = rules.validate(sheets.score_value(game), profile=sheets.PROFILE)
    return verdict.positions[verdict.plies], verdict.plies
