"""Codes and values of the log in words, by field, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.db import models
from django.utils.translation import gettext as _gettext
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from tournaments.engine.types import Outcome
from tournaments.models import OUTCOME_LABELS, Entry, Event, Player, Role, Section
from tournaments.wording import sections, tiebreaks

OBJECTS: dict[str, Any] = {
    "event": _("event"),
    "section": _("section"),
    "role": _("role"),
    "user": _("account"),
    "entry": _("player"),
    "round": _("round"),
    "pairing": _("board"),
    "forbiddenpair": _("forbidden pair"),
    "adjustment": _("ruling on points"),
    "game": _("game"),
    "adjournment": _("adjournment"),
    "gamerules": _("rules for games"),
    "notice": _("notice"),
    "incident": _("incident"),
    "ruling": _("ruling"),
    "appeal": _("appeal"),
    "registration": _("registration"),
}


# The fields that the log shows. A row of the log may hold others, by the columns' own names.
FIELDS: dict[str, Any] = {
    "files": _("files"),
    "pages": _("pages"),
    "round": _("round"),
    "board": _("board"),
    "outcome": _("result"),
    "grade": _("grade"),
    "entries": _("players"),
    "names": _("players"),
    "user": _("account"),
    "username": _("user name"),
    "kind": _("kind"),
    "verb": _("change"),
    "edits": _("changes by hand"),
    "digest": _("check sum"),
    "warnings": _("warnings"),
    "after_round": _("after round"),
    "points": _("points"),
    "entry": _("player"),
    "reason": _("reason"),
    "by": _("by"),
    "at": _("at"),
    "file": _("file"),
    "entered": _("entered"),
    "skipped_lines": _("lines skipped"),
    "status": _("state"),
    "withdrawn_after_round": _("withdrawn after round"),
    "accepted_from": _("accepted from"),
    "advances": _("advances"),
    "appellant": _("appellant"),
    "article": _("article"),
    "ballot": _("vote number"),
    "black": _("Black"),
    "black_seconds": _("Black's time"),
    "boards": _("boards"),
    "claimant": _("claimant"),
    "convenor": _("convenor"),
    "counts": _("votes"),
    "effect": _("measure"),
    "effects": _("measures"),
    "envelope": _("envelope"),
    "fee": _("fee"),
    "fen": _("position"),
    "flag_fell": _("flag fallen"),
    "games": _("games"),
    "interests": _("interests"),
    "involved": _("players concerned"),
    "left_out": _("left out"),
    "log_lines_left_out": _("lines of the log left out"),
    "member": _("member"),
    "missing": _("missing"),
    "moves": _("moves"),
    "name": _("name"),
    "number": _("number"),
    "on_paper": _("on paper"),
    "out_from_round": _("out from round"),
    "party": _("party"),
    "played": _("played on"),
    "players": _("players"),
    "plies": _("plies"),
    "ply": _("ply"),
    "proposal": _("proposal"),
    "readings": _("possible readings"),
    "reasons": _("reasons"),
    "remaining": _("time left"),
    "replaces": _("replaces"),
    "rounds": _("rounds"),
    "ruling": _("ruling"),
    "seats": _("members who voted"),
    "sections": _("sections"),
    "settled": _("settled as"),
    "sha256": _("check sum"),
    "sheets": _("scoresheets"),
    "side": _("side"),
    "source": _("source"),
    "state": _("state"),
    "subject": _("against what"),
    "text": _("text"),
    "texts": _("texts"),
    "to_complete": _("to be completed"),
    "upheld": _("granted"),
    "verdict": _("verdict"),
    "waived_reason": _("why waived"),
    "white": _("White"),
    "white_seconds": _("White's time"),
    "written": _("as written"),
    "appeals": _("appeals"),
    "begun": _("begun"),
    "against": _("against"),
    "category": _("category"),
    "raised_by": _("raised by"),
    "person": _("person"),
    "tiebreaks": _("tie-breaks"),
    "preset": _("preset"),
    "scheme": _("points"),
    "match_rule": _("match rule"),
    "policy": _("byes and forfeits"),
    "paid": _("paid"),
    "granted": _("granted"),
    "absent": _("absent"),
    "left_out_lines": _("lines left out"),
    "is_open": _("open"),
    "places": _("places"),
    "remark": _("remark"),
}

# Fields whose numbers are entries; the log names the players.
ENTRIES = frozenset({"white", "black", "entry", "entries", "involved", "appellant"})
# What only programs use: no reader is helped by it.
HIDDEN = frozenset({"digest", "sha256", "hash"})
EMPTY: tuple[Any, ...] = (None, "", [], {})

_FIRST = (Player, Entry, Section, Event)


def object_words(kind: str) -> str:
    """Return the word for a kind of object, by its model's name."""
    return str(OBJECTS.get(kind) or _verbose_name(kind))


def field_words(name: str, kind: str = "") -> str:
    """Return the word for a field of the log; `kind` names the model of the row's object."""
    if name in FIELDS:
        return str(FIELDS[name])
    for field in _fields_named(name, kind):
        return str(getattr(field, "verbose_name", name))
    return name.replace("_", " ")


def value_words(name: str, value: Any, *, kind: str = "", players: Mapping[int, str] | None = None) -> str:
    """Return a value of the log in words, read by its field; `players` names the entries."""
    if value in EMPTY:
        return "–"
    if isinstance(value, bool):
        return str(_gettext("yes") if value else _gettext("no"))
    if isinstance(value, Mapping):
        pairs = (
            f"{field_words(key, kind)}: {value_words(key, part, kind=kind, players=players)}"
            for key, part in value.items()
        )
        return "; ".join(pairs)
    if isinstance(value, list):
        return _list_words(name, value, kind=kind, players=players)
    if name in ENTRIES and isinstance(value, int):
        return (players or {}).get(value, str(_gettext("a player no longer entered")))
    return str(_code_words(name, str(value), kind) or value)


def entries_in(name: str, value: Any) -> Iterator[int]:
    """Yield the entries that a value of the log names by their numbers."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from entries_in(key, part)
    elif isinstance(value, list):
        for part in value:
            yield from entries_in(name, part)
    elif name in ENTRIES and isinstance(value, int) and not isinstance(value, bool):
        yield value


def _list_words(name: str, value: list[Any], *, kind: str, players: Mapping[int, str] | None) -> str:
    if name == "games" and all(isinstance(part, list) and len(part) == 3 for part in value):
        return "; ".join(
            str(
                _gettext("game %(number)s: %(result)s")
                % {"number": number, "result": result_words(outcome, grade)}
            )
            for number, outcome, grade in value
        )
    separator = pgettext("between the parts of a list", ", ")
    return separator.join(value_words(name, part, kind=kind, players=players) for part in value)


def result_words(outcome: str, grade: str = "") -> str:
    """Return a result in words; a grade by its two numbers."""
    known = {code.value: text for code, text in OUTCOME_LABELS.items()}
    return grade or str(known.get(outcome or Outcome.UNPLAYED.value, outcome))


def _code_words(name: str, code: str, kind: str) -> Any:
    if name == "outcome":
        return result_words(code)
    if name in {"tiebreaks", "tiebreak"}:
        return tiebreaks.name(code)
    if name in {"scheme", "preset", "match_rule"}:
        return _section_codes().get(code)
    if name == "kind" and code in Role.Kind.values:
        return Role.Kind(code).label
    for field in _fields_named(name, kind):
        found = dict(getattr(field, "flatchoices", ()))
        if code in found:
            return found[code]
    return None


def _section_codes() -> dict[str, Any]:
    return {
        str(code): label
        for code, label in [*sections.schemes(), *sections.presets_in_words(), *sections.match_rules()]
    }


def _fields_named(name: str, kind: str) -> Iterable[models.Field[Any, Any]]:
    """The columns of this name: of the object's own model first, then of the others."""
    candidates: list[type[models.Model]] = [*_models_named(kind), *_FIRST, *apps.get_models()]
    for model in candidates:
        try:
            field = model._meta.get_field(name)
        except FieldDoesNotExist:
            continue
        if isinstance(field, models.Field):
            yield field


@lru_cache(maxsize=64)
def _models_named(kind: str) -> tuple[type[models.Model], ...]:
    return tuple(model for model in apps.get_models() if model._meta.model_name == kind)


def _verbose_name(kind: str) -> str:
    return next((str(model._meta.verbose_name) for model in _models_named(kind)), kind)
