"""Words, names and codes to scan as a paper of one or two languages shows them."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import segno
from django.utils.functional import Promise
from django.utils.translation import gettext as translated
from django.utils.translation import override

from tournaments.models import Event, Paper, Player, Section, User
from tournaments.wording.names import is_chinese, latin

ZH, EN = "zh-hans", "en"
_LANGUAGES = {Paper.Language.BOTH: (ZH, EN), Paper.Language.ZH: (ZH,), Paper.Language.EN: (EN,)}

T = TypeVar("T")
Name = tuple[str, str]  # in large letters, and what stands smaller beside it


class Words:
    """Says things in the languages of a paper, the Chinese first, with a space between."""

    def __init__(self, language: str) -> None:
        self.languages: Sequence[str] = _LANGUAGES[Paper.Language(language)]

    @property
    def main(self) -> str:
        return self.languages[0]

    def __call__(self, text: str | Promise, **values: Any) -> str:
        """The marked text, or the lazy one, translated; `values` fill its places."""
        return " ".join(self.each(text, **values))

    def each(self, text: str | Promise, **values: Any) -> list[str]:
        """The same, an item for each language; texts that are alike stand once."""
        found: dict[str, None] = {}
        for code in self.languages:
            with override(code):
                said = str(text) if isinstance(text, Promise) else translated(text)
                found[said % values if values else said] = None
        return list(found)

    def said(self, say: Callable[[], str]) -> list[str]:
        """What `say` says in each language, once where it is the same."""
        return list(dict.fromkeys(self.said_list(say)))

    def said_list(self, say: Callable[[], T]) -> list[T]:
        """What `say` gives in each language."""
        found = []
        for code in self.languages:
            with override(code):
                found.append(say())
        return found

    def thing(self, thing: Event | Section) -> str:
        """The name of an event or section, in both languages where it has both."""
        return " ".join(self.things(thing))

    def things(self, thing: Event | Section) -> list[str]:
        names = {ZH: thing.name, EN: thing.name_en or thing.name}
        return list(dict.fromkeys(names[code] for code in self.languages))

    def person(self, player: Player) -> Name:
        """As written first, in Latin letters second; in English the other way round."""
        return self._name(player.name, player.latin_name or latin(player.name))

    def named(self, name: str) -> Name:
        return self._name(name, latin(name))

    def official(self, user: User) -> Name:
        return self.named(str(user))

    def _name(self, name: str, reading: str) -> Name:
        if not reading or reading == name or not is_chinese(name):
            return name, ""
        if self.main == EN:
            return reading, name
        return name, reading if EN in self.languages else ""


@lru_cache(maxsize=2000)
def code_image(address: str) -> str:
    """The address as a code to scan: an SVG picture, "" for no address."""
    if not address:
        return ""
    stream = io.BytesIO()
    segno.make(address, error="m").save(stream, kind="svg", border=0, xmldecl=False, svgns=True)
    return stream.getvalue().decode()
