"""Why a player was paired so, in sentences. The engine gives codes and numbers (its `Explanation` as plain data)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Why = Mapping[str, Any]
Naming = Callable[[int], str]

# What stood against a pair, a float or a bye: the criteria of FIDE C.04.3, article 2.
_CRITERIA: dict[str, Any] = {
    "C1": gettext_lazy("they have met in round %(round)s"),
    "C2": gettext_lazy("%(player)s has had a bye or a win without play already"),
    "C3": gettext_lazy("both must get the same colour"),
    "C4": gettext_lazy("somebody could then not be paired at all"),
    "C5": gettext_lazy("the bye goes to the lowest score possible"),
    "C6": gettext_lazy("more players would go down to the next score group"),
    "C7": gettext_lazy("players of higher score would go down"),
    "C8": gettext_lazy("the next score group could be paired less well"),
    "C9": gettext_lazy("the bye goes to whoever has fewer unplayed games"),
    "C10": gettext_lazy("the colours of a leader would differ by more than two"),
    "C11": gettext_lazy("a leader would get the same colour three times running"),
    "C12": gettext_lazy("fewer colour preferences could be granted"),
    "C13": gettext_lazy("fewer strong colour preferences could be granted"),
    "C14": gettext_lazy("somebody would go down two rounds running"),
    "C15": gettext_lazy("somebody would meet a player from above two rounds running"),
    "C16": gettext_lazy("somebody would go down who did so two rounds ago"),
    "C17": gettext_lazy("somebody would meet a player from above who did so two rounds ago"),
    "C18": gettext_lazy("somebody who went down last round would go down further"),
    "C19": gettext_lazy("somebody who met a player from above last round would meet one from further above"),
    "C20": gettext_lazy("somebody who went down two rounds ago would go down further"),
    "C21": gettext_lazy("somebody who met a player from above two rounds ago would meet one from further above"),
    "forbidden": gettext_lazy("the arbiter's list keeps them apart"),
    "taken": gettext_lazy("paired already with %(player)s, who stands before"),
    "order": gettext_lazy("as good, but later in the order of candidates"),
    "exchange": gettext_lazy("as good, but only with an exchange between the halves"),
}  # fmt: skip

_ROLES: dict[str, Any] = {
    "moved": gettext_lazy("%(name)s came down to the score group of %(score)s."),
    "met-moved": gettext_lazy("%(name)s, number %(number)s of the score group of %(score)s, meets a player from above."),
    "S1": gettext_lazy("%(name)s is number %(number)s of the score group of %(score)s, in the upper half."),
    "S2": gettext_lazy("%(name)s is number %(number)s of the score group of %(score)s, in the lower half."),
    "bye": gettext_lazy("%(name)s, of the score group of %(score)s, gets the bye."),
}  # fmt: skip

_COLOUR_RULES: dict[str, Any] = {
    "5.2.1": gettext_lazy("both get the colour they prefer"),
    "5.2.2": gettext_lazy("the stronger preference is granted"),
    "5.2.3": gettext_lazy("the colours alternate from the last round in which they differed"),
    "5.2.4": gettext_lazy("the higher-ranked player's preference is granted"),
    "5.2.5": gettext_lazy("no preference: by the pairing number and the colour drawn"),
}

_PREFERENCES: dict[tuple[str, str], Any] = {
    ("w", "mild"): gettext_lazy("%(name)s prefers White."),
    ("w", "strong"): gettext_lazy("%(name)s strongly prefers White."),
    ("w", "absolute"): gettext_lazy("%(name)s must get White."),
    ("b", "mild"): gettext_lazy("%(name)s prefers Black."),
    ("b", "strong"): gettext_lazy("%(name)s strongly prefers Black."),
    ("b", "absolute"): gettext_lazy("%(name)s must get Black."),
}


def refusal_words(refusal: Why, naming: Naming) -> str:
    """What stood in the way, with the criterion's code."""
    code = refusal.get("criterion", "")
    values = {"round": refusal.get("round", ""), "player": naming(refusal.get("player") or 0)}
    text = str(_CRITERIA.get(code, code)) % values
    return f"{text} ({code})" if code.startswith("C") else text


def place_words(why: Why, naming: Naming) -> list[str]:
    """Where the player stands, and how he came there."""
    name = naming(why["player"])
    role = _ROLES.get(why.get("role", ""))
    told = (
        [str(role) % {"name": name, "score": why.get("score", 0), "number": why.get("number", "")}]
        if role
        else []
    )
    return [*told, *(_drop_words(drop, name, naming) for drop in why.get("drops") or ())]


def _drop_words(drop: Why, name: str, naming: Naming) -> str:
    values = {"name": name, "score": drop.get("score", 0)}
    if drop.get("reason") == "no-partner":
        return _("In the score group of %(score)s nobody was left for %(name)s to meet.") % values
    told = _("%(name)s went down from the score group of %(score)s.") % values
    if drop.get("reason") == "odd" and not drop.get("instead"):
        return _("The score group of %(score)s is odd, and %(name)s is the last of it.") % values
    refusal = drop.get("refusal")
    if not refusal:
        return told
    instead = drop.get("instead")
    if instead:
        words = {**values, "other": naming(instead), "why": refusal_words(refusal, naming)}
        return _("%(name)s went down instead of %(other)s: %(why)s.") % words
    return _("%(told)s Staying was not possible: %(why)s.") % {
        "told": told,
        "why": refusal_words(refusal, naming),
    }


def opponent_words(why: Why, naming: Naming) -> list[str]:
    """Whose turn it was, and what stood against it."""
    refused, natural = why.get("refused"), why.get("natural")
    if not refused or not natural or natural == why.get("opponent"):
        return []
    values = {
        "name": naming(why["player"]),
        "natural": naming(natural),
        "why": refusal_words(refused, naming),
    }
    return [_("The turn of %(name)s was %(natural)s, but %(why)s.") % values]


def colour_words(white: Why, black: Why, naming: Naming) -> list[str]:
    wishes = []
    for why in (white, black):
        wish = _PREFERENCES.get((why.get("preference", ""), why.get("strength", "")))
        if wish:
            wishes.append(str(wish) % {"name": naming(why["player"])})
    rule = white.get("colour_rule") or black.get("colour_rule") or ""
    if rule in _COLOUR_RULES:
        wishes.append(_("Colours: %(rule)s (%(article)s).") % {"rule": _COLOUR_RULES[rule], "article": rule})
    return wishes


def bye_words(why: Why, naming: Naming) -> list[str]:
    """Who stood after the one with the bye and did not get it."""
    return [
        _("Not %(other)s: %(why)s.")
        % {"other": naming(passed["player"]), "why": refusal_words(passed.get("refusal") or {}, naming)}
        for passed in why.get("passed_over") or ()
    ]


def board_words(white: Why | None, black: Why | None, naming: Naming) -> list[str]:
    """A board of the engine in sentences; empty when nothing was stored."""
    if white is None:
        return []
    if black is None:
        return [*place_words(white, naming), *bye_words(white, naming)]
    told = [*place_words(white, naming), *place_words(black, naming)]
    first = opponent_words(white, naming)
    same = white.get("natural") == black.get("player") or black.get("natural") == white.get("player")
    second = [] if same and first else opponent_words(black, naming)
    return [*told, *first, *second, *colour_words(white, black, naming)]


def why_not_words(answer: Why, naming: Naming) -> list[str]:
    """The engine's answer about two players: what stands against the pair, what it would cost, and the bracket with it."""
    values = {"a": naming(answer["a"]), "b": naming(answer["b"])}
    refusal = answer.get("refusal")
    if not refusal:
        return [_("%(a)s and %(b)s do meet in this round.") % values]
    words = refusal_words(refusal, naming)
    if not answer.get("bracket"):
        told = [_("%(a)s and %(b)s do not meet: %(why)s.") % {**values, "why": words}]
    else:
        where = {**values, "why": words, "score": answer.get("score", 0)}
        text = _("If %(a)s and %(b)s met, this would come of it in the score group of %(score)s: %(why)s.")
        told = [text % where]
    return [*told, *_cost_words(refusal), *_instead_words(answer, naming)]


def _cost_words(refusal: Why) -> list[str]:
    if "was" not in refusal or "would" not in refusal:
        return []
    values = {
        "criterion": refusal.get("criterion", ""),
        "was": _value_text(refusal["was"]),
        "would": _value_text(refusal["would"]),
    }
    return [_("%(criterion)s is %(was)s as paired and would be %(would)s; less is better.") % values]


def _value_text(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(str(part) for part in value) or "–"
    return str(value)


def _instead_words(answer: Why, naming: Naming) -> list[str]:
    pairs = answer.get("pairs")
    if not pairs:
        return []
    listed = "; ".join(f"{naming(first)} – {naming(second)}" for first, second in pairs)
    return [_("With that pair the score group would be: %(pairs)s.") % {"pairs": listed}]
