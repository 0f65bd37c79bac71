"""Tie-breaks in words: a short head for a column, the name, and the meaning. The engine knows their codes only."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _


class Words(NamedTuple):
    short: Any
    name: Any
    meaning: Any


_WORDS: dict[str, Words] = {
    "SOLKOFF": Words(
        _("Solk."),
        _("Solkoff"),
        _("Sum of the points of all opponents; a bye gives what the section says."),
    ),
    "SOLKOFF_MEDIAN": Words(
        _("Med."),
        _("Median Solkoff"),
        _("Solkoff without the highest and the lowest opponent."),
    ),
    "SOLKOFF_TRUNC_SHORT": Words(
        _("Solk-1"), _("Solkoff truncated once"), _("Solkoff without the lowest opponent.")
    ),
    "SOLKOFF_TRUNC_FULL": Words(
        _("Trunc."),
        _("Solkoff truncated"),
        _("Solkoff without the lowest opponent; if equal, without the two lowest, and so on."),
    ),
    "SOLKOFF_PLUS": Words(_("Solk+"), _("Solkoff plus"), _("Sum of the Solkoffs of the opponents played.")),
    "SB": Words(
        _("SB"),
        _("Sonneborn-Berger"),
        _("For each opponent the points taken from him times his own points, added up."),
    ),
    "WINS": Words(_("Wins"), _("Wins"), _("Number of games won; forfeits and byes as the section says.")),
    "DIRECT": Words(
        _("Direct"),
        _("Direct encounter"),
        _("Points taken in the games among the tied players, if they have all met."),
    ),
    "CUM": Words(_("Cum."), _("Cumulative score"), _("Sum of the points after each round.")),
    "CUM_FULL": Words(
        _("Cum."),
        _("Cumulative score, first rounds dropped"),
        _(
            "Sum of the points after each round; if equal, without round 1, then without rounds 1 and 2, and so on."
        ),
    ),
    "games_black": Words(
        _("Black"), _("Games with Black"), _("Number of games played with Black, the second player.")
    ),
    "wins_black": Words(
        _("Bl. wins"), _("Wins with Black"), _("Number of games won with Black, the second player.")
    ),
    "FOULS": Words(_("Warn."), _("Warnings"), _("Number of warnings; fewer is better.")),
    "RATING_SUM": Words(
        _("Ratings"), _("Ratings of the opponents"), _("Sum of the ratings of the opponents played.")
    ),
    "ARO": Words(
        _("ARO"),
        _("Average rating of the opponents"),
        _("Mean of the ratings of the rated opponents played."),
    ),
    "PERFORMANCE": Words(
        _("Perf."),
        _("Performance"),
        _("Mean of the opponents' ratings, plus 500 for a win, minus 500 for a loss."),
    ),
    "PLUS_DRAWS": Words(
        _("Plus"), _("Balance of plus-draws"), _("Plus-draws for the player minus plus-draws against.")
    ),
    "VS_STRONGEST": Words(
        _("Strongest"),
        _("Score against the strongest"),
        _("Points taken from the players with the most points; if equal, from the next, and so on."),
    ),
    "PREVIOUS_ROUND": Words(
        _("Before"),
        _("Place after the round before"),
        _("The place in the standings one round earlier, by the same tie-breaks."),
    ),
    "LOTS": Words(_("Lot"), _("Drawing of lots"), _("A recorded drawing; the lower number goes first.")),
}

_TRUNCATED = Words(
    _("Solk-%(k)d"), _("Solkoff truncated %(k)d times"), _("Solkoff without the %(k)d lowest opponents.")
)
_CUMULATIVE = Words(
    _("Cum-%(k)d"),
    _("Cumulative score without %(k)d rounds"),
    _("Sum of the points after each round, the first %(k)d rounds left out."),
)


def words(code: str) -> Words:
    """For a code of the engine; one that is not known stands for itself."""
    known = _WORDS.get(code)
    if known:
        return known
    for prefix, template in (("SOLKOFF_TRUNC_", _TRUNCATED), ("CUM_DROP_", _CUMULATIVE)):
        tail = code.removeprefix(prefix)
        if tail != code and tail.isdigit():
            return Words(*(text % {"k": int(tail)} for text in template))
    return Words(code, code, "")


def short(code: str) -> str:
    return str(words(code).short)


def name(code: str) -> str:
    return str(words(code).name)


def meaning(code: str) -> str:
    return str(words(code).meaning)


def choices() -> list[tuple[str, Any]]:
    """Code and name of every tie-break, for forms."""
    return [(code, found.name) for code, found in _WORDS.items()]
