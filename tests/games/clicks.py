"""A hand that goes through pages as a person does, and counts: links, summaries, boxes, choices and buttons are one click each.

Texts are typed beside the clicks. What a page does not show cannot be clicked: links and buttons are found by their words.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.http import HttpResponse
from django.test import Client
from lxml import html

FOLDED = "ancestor::details[not(@open)]"


@dataclass(kw_only=True)
class Hand:
    """One person at one page. `clicks` counts; `clicked` says what, in order."""

    client: Client
    page: Any = None
    address: str = ""
    clicked: list[str] = field(default_factory=list)

    @property
    def clicks(self) -> int:
        return len(self.clicked)

    def open(self, address: str) -> None:
        """The page somebody is at already, or types; redirects are followed. No click."""
        self._show(self.client.get(address, follow=True, headers={"accept-language": "en"}), address)

    def follow(self, words: str) -> None:
        (found, *_more) = self._with_words("//a[@href]", words)
        self._unfold(found)
        self.clicked.append(words)
        self.open(found.get("href") if found.get("href")[0] != "?" else self.address + found.get("href"))

    def choose(self, name: str, value: str, *, form: str = "") -> None:
        """One value of a list, a radio button or a box: a click, where it is not chosen already."""
        within = f"//form[contains(@action, '{form}')]" if form else "//form"
        for box in self.page.xpath(f"{within}//input[@name='{name}' and @value='{value}']"):
            if box.get("checked") is None:
                self._unfold(box)
                self.clicked.append(f"{name}={value}")
                for other in self.page.xpath(f"//input[@name='{name}' and @type='radio']"):
                    other.attrib.pop("checked", None)
                box.set("checked", "checked")
            return
        (select,) = self.page.xpath(f"{within}//select[@name='{name}']")
        self._unfold(select)
        assert value in select.value_options, (name, value)
        self.clicked.append(f"{name}={value}")
        select.value = value

    def write(self, name: str, text: str, *, form: str = "") -> None:
        """A text beside the clicks."""
        within = f"//form[contains(@action, '{form}')]" if form else "//form"
        (place, *_more) = self.page.xpath(f"{within}//*[(self::input or self::textarea) and @name='{name}']")
        self._unfold(place)
        if place.tag == "textarea":
            place.text = text
        else:
            place.set("value", text)

    def press(self, words: str, *, status: int = 200) -> None:
        """A button sends its form with what stands in it; required fields must be filled."""
        (button, *_more) = self._with_words("//form//button", words)
        self._unfold(button)
        (form, *_outer) = button.xpath("ancestor::form")
        empty = [p.get("name") for p in form.xpath(".//*[@required]") if not self._filled(form, p)]
        assert not empty, empty
        sent: dict[str, list[str]] = {}
        for name, value in form.form_values():
            sent.setdefault(name, []).append(value)
        if button.get("name"):
            sent[button.get("name")] = [button.get("value")]
        self.clicked.append(words)
        address = form.get("action") or self.address
        answer = self.client.post(address, sent, follow=True, headers={"accept-language": "en"})
        self._show(answer, address, status=status)

    def _filled(self, form: Any, place: Any) -> bool:
        return any(name == place.get("name") and value for name, value in form.form_values())

    def _with_words(self, path: str, words: str) -> list[Any]:
        found = [e for e in self.page.xpath(path) if words in " ".join(e.text_content().split())]
        assert found, f"nothing says {words!r} at {self.address}"
        return found

    def _unfold(self, element: Any) -> None:
        for fold in element.xpath(FOLDED):
            self.clicked.append("unfold")
            fold.set("open", "open")

    def _show(self, answer: HttpResponse, address: str, *, status: int = 200) -> None:
        assert answer.status_code == status, (answer.status_code, address, answer.content.decode()[-1500:])
        chain = getattr(answer, "redirect_chain", [])
        self.address = (chain[-1][0] if chain else address).partition("#")[0]
        self.page = html.fromstring(answer.content.decode())
