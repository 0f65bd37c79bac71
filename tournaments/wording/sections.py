"""The options of a section in words: result schemes, presets, and how byes and forfeits count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext

from tournaments.engine import micromatch, policies, presets, scoring
from tournaments.engine.types import InvalidState
from tournaments.models import Section

_SCHEMES = {
    "STD": _("2 for a win, 1 for a draw"),
    "PLUS": _("2-1-0 with plus-draws"),
    "DELFT4": _("Delft counting, 4 points"),
    "GRAD12": _("graded draws, 12 points"),
    "MICRO12": _("micro-match, 12 points"),
    "MICRO5": _("micro-match, 5 points"),
    "XQ3": _("3 for a win, 1 for a draw"),
    "XQ_SECOND": _("2-1-0, a draw can give the second player 2"),
}
RANKING_HELP = _(
    "Both are paired by the FIDE Dutch rules (C.04.3, 2026) with the section's points; they differ in the order inside a "
    "score group. On rating: the pairing number in every round. On Solkoff: in round 1 a lot, drawn from a recorded seed; "
    "from round 2 on the tie-breaks of the section as they stand after the round before, then the pairing number."
)
ACCELERATION_HELP = _(
    "The first half of the numbers (2 × a quarter of the players, rounded up) counts virtual points, for pairing only, in "
    "the first half of the rounds: a win's points in the first half of these, a draw's in the rest."
)
ABSENCE_HELP = _(
    "Whoever did not appear and had not said so is not paired in the round after; whoever then does not appear again is out."
)
# The section has a field of its own for those who withdraw.
_LEFT_OUT = {"withdrawal"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyOption:
    """One choice of the treatment of byes and forfeits. Forms carry its value as text."""

    name: str
    label: str
    choices: Sequence[tuple[str, Any]]
    is_yes_no: bool

    def parsed(self, text: str) -> str | bool:
        return text == "True" if self.is_yes_no else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerated:
    """Virtual points that hold in some rounds, and how many players have them."""

    points: int
    first_round: int
    last_round: int
    players: int


def acceleration(section: Section, number: int | None = None) -> list[Accelerated]:
    """The virtual points of a section, or only those that hold in a round."""
    return [
        Accelerated(
            points=record["points"],
            first_round=record["first_round"],
            last_round=record["last_round"],
            players=len(record["entries"]),
        )
        for record in section.virtual_points
        if number is None or record["first_round"] <= number <= record["last_round"]
    ]


_MATCHES = {
    "WTM_2020": _("World Title Match 2020: 12-0, 8-4, 7-5, 6-6"),
    "WTM_2013": _("World Title Matches 2013 and 2015: the earliest stage decides"),
    "WORLD_CUP_FINAL_2017": _("World Cup final 2017: 5-0, 3-2"),
    "TWO_GAMES": _("two games"),
    "BLITZ_2023": _("Blitz play-off 2023: to the first win"),
}
PACES = {
    "CLASSICAL": _("classical"),
    "RAPID": _("rapid"),
    "BLITZ": _("blitz"),
    "SUPER_BLITZ": _("super-blitz"),
}


def match_rules() -> list[tuple[str, Any]]:
    return [(code, _MATCHES.get(code, code)) for code in micromatch.RULES]


_OWN_POINTS = {
    "win": _("win"),
    "draw": _("draw"),
    "loss": _("loss"),
    "bye": _("bye"),
    "half_bye": _("half-point bye"),
    "zero_bye": _("absence"),
    "forfeit_win": _("win by forfeit"),
    "forfeit_loss": _("loss by forfeit"),
    "grades": _("further results"),
}


def own_points() -> list[tuple[str, Any]]:
    """What a section may give points of its own to, in the order of forms."""
    return [(name, _OWN_POINTS[name]) for name in scoring.OWN_POINTS]


def own_points_fault(error: InvalidState) -> str:
    """A sentence for the points that `scoring.with_own_points` refuses."""
    field = str(error.values.get("field"))
    words = {
        "unknown": _("There is no such result: %(name)s."),
        "number": _("Points are whole numbers from 0 to 99: %(name)s."),
        "order": _("A win counts more than a loss, and a draw neither more than a win nor less than a loss."),
        "above-win": _("No more than a win can be given for this: %(name)s."),
        "grades": _("Write further results as 8-4 for a win or 3-1= for a draw, the higher number first."),
    }
    return str(words[str(error.values.get("why"))]) % {"name": _OWN_POINTS.get(field, field)}


def own_match_fault(error: InvalidState) -> str:
    """A sentence for the stages that `micromatch.own_rule` refuses."""
    words = {
        "stages": _("A match has one to six stages, each with pace, games and score."),
        "pace": _("Stage %(stage)s: there is no such pace."),
        "clock": _("Stage %(stage)s: a clock is a text of at most 40 signs."),
        "games": _("Stage %(stage)s: 1 to 20 games, or 0 in the last stage for games until somebody wins."),
        "score": _("Stage %(stage)s: the winner has more points than the loser, both from 0 to 99."),
        "drawn": _(
            "Give the points of a drawn match if the last stage has a fixed number of games, and only then."
        ),
    }
    return str(words[str(error.values["field"])]) % {"stage": error.values.get("stage")}


def points_of_the_rule(rule: micromatch.MatchRule) -> str:
    """Which points a match rule needs, in a sentence."""
    if rule.scheme:
        return str(_("This match rule counts with the result scheme “%(name)s”: choose it.")) % {
            "name": dict(schemes())[rule.scheme]
        }
    if micromatch.is_plain(rule):
        return str(
            _("This match rule says only who won: choose a scheme without further results, such as 2-1-0.")
        )
    scores = [f"{stage.score[0]}-{stage.score[1]}" for stage in rule.stages]
    scores += [f"{rule.drawn[0]}-{rule.drawn[1]}"] if rule.drawn else []
    return str(
        _("The stages count %(scores)s: give these as points of your own, or leave the points to them.")
    ) % {"scores": ", ".join(dict.fromkeys(scores))}


def stages_in_words(rule: micromatch.MatchRule) -> list[str]:
    """A line for each stage of a match, and one for the drawn match."""
    lines = []
    for stage in rule.stages:
        games = (
            str(ngettext("%(n)s game", "%(n)s games", stage.games)) % {"n": stage.games}
            if stage.games
            else str(_("games until somebody wins"))
        )
        parts = [str(PACES[stage.pace]), stage.clock, games]
        lines.append(f"{', '.join(filter(None, parts))}: {stage.score[0]}-{stage.score[1]}")
    if rule.drawn:
        lines.append(f"{_('drawn')}: {rule.drawn[0]}-{rule.drawn[1]}")
    return lines


def schemes() -> list[tuple[str, Any]]:
    return [(code, _SCHEMES.get(code, code)) for code in scoring.SCHEMES]


def preset_codes() -> list[str]:
    return list(presets.PRESETS)


def presets_in_words() -> list[tuple[str, str]]:
    return [(code, in_words("tie-break preset", preset.label)) for code, preset in presets.PRESETS.items()]


def policy_options() -> list[PolicyOption]:
    """In the reader's language, from the texts that stand beside the engine's choices."""
    found = []
    for name, text in policies.CHOICE_TEXTS.items():
        if name in _LEFT_OUT:
            continue
        default = getattr(policies.DEFAULT_POLICY, name)
        words = list(type(default)) if isinstance(default, StrEnum) else []
        choices = [(word.value, in_words("tie-break policy", policies.WORD_TEXTS[word])) for word in words]
        found.append(
            PolicyOption(
                name=name,
                label=in_words("tie-break policy", text),
                choices=choices or [("True", _("yes")), ("False", _("no"))],
                is_yes_no=not choices,
            )
        )
    return found


# The engine's texts are no literals here; their translations are kept with the engine's other words.
in_words = pgettext
