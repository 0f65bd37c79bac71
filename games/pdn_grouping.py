"""From loose game headers to a tournament: who are the players, which round is it, what came of the board.

Pure: headers in, a plan out. Every game is placed or named with the reason why not; nothing is dropped in silence.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rules import canonical_result

OUTCOMES = {"2-0": "WHITE", "0-2": "BLACK", "1-1": "DRAW", "0-0": "BOTH_LOSE"}
"""The ledger's code of a result in points."""
FORFEITS = {"2-0": "BLACK_FORFEITS", "0-2": "WHITE_FORFEITS", "0-0": "BOTH_FORFEIT"}
"""The same with an F behind it: the loser did not play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What the placing reads of one game. `index` counts from 1 in the file; texts are as written."""

    index: int
    line: int
    event: str
    white: str
    black: str
    round: str
    result: str
    moves: tuple[str, ...] = ()
    white_rating: int = 0
    black_rating: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """Something about a game that a person should know. `kind` says what, `detail` with which value."""

    game: int
    line: int
    kind: str
    detail: str = ""


@dataclass(slots=True, kw_only=True)
class Person:
    name: str
    rating: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A game on a board: players by key, outcome a code of the ledger."""

    game: int
    round: int
    white: str
    black: str
    outcome: str


@dataclass(slots=True, kw_only=True)
class SectionPlan:
    name: str
    spellings: tuple[str, ...] = ()  # the names that the file gives this event
    people: dict[str, Person] = field(default_factory=dict)
    boards: list[Placed] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        return max((board.round for board in self.boards), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    sections: tuple[SectionPlan, ...]
    not_placed: tuple[Remark, ...]
    remarks: tuple[Remark, ...]


def name_key(name: str) -> str:
    """One key for "Last, First", "First Last" and "LAST First", with or without accents. The order of the words counts:
    "Li Wang" and "Wang Li" are two people."""
    folded = unicodedata.normalize("NFKD", _first_name_first(name).casefold())
    plain = "".join(c if c.isalnum() else " " for c in folded if not unicodedata.combining(c))
    return " ".join(plain.split())


def _first_name_first(name: str) -> str:
    """A name with the family name behind, where a comma or capitals say which it is."""
    last, comma, first = name.partition(",")
    if comma:
        return f"{first} {last}"
    words = name.split()
    capitals = [word for word in words if word.isupper() and len(word) > 1]
    if not capitals or len(capitals) == len(words):
        return name
    return " ".join([*(word for word in words if word not in capitals), *capitals])


def outcome_of(result: str) -> str | None:
    """The ledger's code for a written result of one game; None when it says nothing of win, draw or loss."""
    points = canonical_result(result)
    if points is None:
        return None
    forfeit = result.strip().upper().endswith("F")
    return FORFEITS.get(points) if forfeit else OUTCOMES[points]


def round_of(text: str) -> int | None:
    """The round in "3", "3.1", "ronde 3", "Round 3": its first number, 1 to 99."""
    found = re.search(r"\d+", text)
    number = int(found.group()) if found else 0
    return number if 1 <= number <= 99 else None


def place(headers: Sequence[Header]) -> Plan:
    """One section for each event of the file; names of one event differ when most of its players are the same.

    A game without a round, or whose player has a board in that round already, goes to the first later round that no
    header names, where both are free: it counts, and a remark says so. A game without two names has no place.
    """
    not_placed: list[Remark] = []
    remarks: list[Remark] = []
    by_event: dict[str, list[Header]] = {}
    for header in headers:
        reason = _unplaceable(header)
        if reason:
            not_placed.append(Remark(game=header.index, line=header.line, kind=reason))
            continue
        by_event.setdefault(" ".join(header.event.split()), []).append(header)
    sections = [_place_section(names, by_event, remarks) for names in _same_events(by_event)]
    return Plan(sections=tuple(sections), not_placed=tuple(not_placed), remarks=tuple(remarks))


def _unplaceable(header: Header) -> str:
    white, black = name_key(header.white), name_key(header.black)
    if not white or not black:
        return "no-player"
    if white == black:
        return "same-player"
    if outcome_of(header.result) is None and not header.moves:
        return "empty"
    return ""


def _same_events(by_event: Mapping[str, Sequence[Header]]) -> list[list[str]]:
    """The event names in groups, each group led by the name of most games: files spell one event in several ways."""
    groups: list[list[str]] = []
    people: list[set[frozenset[str]]] = []
    for name in sorted(by_event, key=lambda n: -len(by_event[n])):
        here = {frozenset(name_key(p).split()) for h in by_event[name] for p in (h.white, h.black)}
        for group, known in zip(groups, people, strict=True):
            if 2 * sum(any(one <= other or other <= one for other in known) for one in here) > len(here):
                group.append(name)
                known |= here
                break
        else:
            groups.append([name])
            people.append(here)
    return groups


def _place_section(
    names: Sequence[str], by_event: Mapping[str, Sequence[Header]], remarks: list[Remark]
) -> SectionPlan:
    plan = SectionPlan(name=names[0], spellings=tuple(names))
    games = sorted((h for name in names for h in by_event[name]), key=lambda h: h.index)
    _tell_repeats(games, remarks)
    seated: dict[int, set[str]] = {}
    later: list[Header] = []
    for header in games:
        _meet(plan, header)
        number = round_of(header.round)
        if number is None:
            remarks.append(_remark(header, "no-round", header.round))
            later.append(header)
        elif {name_key(header.white), name_key(header.black)} & seated.get(number, set()):
            remarks.append(_remark(header, "round-taken", header.round))
            later.append(header)
        else:
            _seat(plan, seated, header, number, remarks)
    first_free = plan.rounds + 1
    for header in later:
        pair = {name_key(header.white), name_key(header.black)}
        number = next(
            n for n in range(first_free, first_free + len(later)) if not pair & seated.get(n, set())
        )
        _seat(plan, seated, header, number, remarks)
    return plan


def _tell_repeats(games: Iterable[Header], remarks: list[Remark]) -> None:
    """The same players, colours and moves again: it counts, as its result stands in the file, and a person is told."""
    first: dict[tuple[str, str, tuple[str, ...]], int] = {}
    for header in games:
        if header.moves:
            key = (name_key(header.white), name_key(header.black), header.moves)
            seen = first.setdefault(key, header.index)
            if seen != header.index:
                remarks.append(_remark(header, "same-game", str(seen)))


def _meet(plan: SectionPlan, header: Header) -> None:
    for name, rating in ((header.white, header.white_rating), (header.black, header.black_rating)):
        person = plan.people.setdefault(name_key(name), Person(name=" ".join(name.split())))
        person.rating = person.rating or rating


def _seat(
    plan: SectionPlan, seated: dict[int, set[str]], header: Header, number: int, remarks: list[Remark]
) -> None:
    white, black = name_key(header.white), name_key(header.black)
    outcome = outcome_of(header.result)
    if outcome is None:
        remarks.append(_remark(header, "no-result", header.result))
    seated.setdefault(number, set()).update((white, black))
    plan.boards.append(
        Placed(game=header.index, round=number, white=white, black=black, outcome=outcome or "UNPLAYED")
    )


def _remark(header: Header, kind: str, detail: str) -> Remark:
    return Remark(game=header.index, line=header.line, kind=kind, detail=detail)
