"""Papers that are cut or hung up: result slips, match sheets, tent cards, badges, board numbers, poster, certificates."""

from __future__ import annotations

from math import ceil
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_noop as _

from tournaments.exports.papers.ask import Ask, Block
from tournaments.exports.papers.lists import pairings_of, prizes_of
from tournaments.exports.papers.words import Words, code_image
from tournaments.models import PUBLIC_STATES, Entry, Event, Pairing, Role, Round, Section
from tournaments.selectors import matches

OFFICIALS = (Role.Kind.CHIEF_ARBITER, Role.Kind.ARBITER, Role.Kind.ORGANIZER, Role.Kind.COMMITTEE)


def round_title(words: Words, round_: Round) -> str:
    """Section, round and start in the event's time zone."""
    said = [words.thing(round_.section), words(_("Round %(number)s"), number=round_.number)]
    if round_.starts_at is not None:
        said.append(moment(round_.starts_at))
    return " · ".join(said)


def moment(at: Any) -> str:
    return date_format(timezone.localtime(at), "Y-m-d H:i")


def days(event: Event) -> str:
    found = [date_format(day, "Y-m-d") for day in (event.starts_on, event.ends_on) if day]
    return " – ".join(dict.fromkeys(found))


def side(words: Words, entry: Entry) -> dict[str, Any]:
    person = entry.player
    return {
        "number": str(entry.number or ""), "name": words.person(person), "club": person.club,
        "from": " · ".join(filter(None, [person.club, person.federation])),
    }  # fmt: skip


def slips(ask: Ask) -> list[Block]:
    """Four a sheet. Always in both languages: whoever plays must understand what he signs."""
    round_, words, both = ask.round, ask.words, Words("BOTH")
    rows = [row for row in pairings_of(round_) if row.black is not None]
    win = ask.section.result_scheme
    address = ask.link("public:round", ask.event.code, ask.section.code, round_.number)
    return [{
        "type": "slips", "event": words.thing(ask.event), "head": round_title(words, round_), "code": code_image(address),
        "results": _results(win), "other": both(_("Other, written by the arbiter")), "white": both(_("White")),
        "black": both(_("Black")), "white_signs": both(_("White signs")), "black_signs": both(_("Black signs")),
        "clocks": both(_("Clocks W / B")), "arbiter": both(_("Arbiter")),
        "todo": both.each(_("Tick one box, both sign, and bring this slip to the arbiter at once.")),
        "draft": "" if round_.is_public else words(_("DRAFT, not published")),
        "slips": [
            {"board": str(row.board), "white": side(words, row.white), "black": side(words, row.black)}
            for row in rows if row.black is not None
        ],
    }]  # fmt: skip


def _results(scheme: Any) -> list[str]:
    """The scores of a win, a draw and a loss; of schemes with other results the arbiter writes the score."""
    return [f"{scheme.win}–{scheme.loss}", f"{scheme.draw}–{scheme.draw}", f"{scheme.loss}–{scheme.win}"]


def match_sheets(ask: Ask) -> list[Block]:
    """One sheet a match of teams: the line-up where it is known, else the roster and lines to write it on."""
    round_, words = ask.round, ask.words
    members = matches.members_of(ask.section)
    address = ask.link("public:round", ask.event.code, ask.section.code, round_.number)
    return [{
        "type": "matches", "event": words.thing(ask.event), "head": round_title(words, round_), "code": code_image(address),
        "draft": "" if round_.is_public else words(_("DRAFT, not published")),
        "words": {
            "match": words(_("Match")), "board": words(_("Board")), "result": words(_("Result")), "players": words(_("Players by board order")),
            "total": words(_("Total")), "captain": words(_("Captain signs")), "arbiter": words(_("Arbiter")),
            "todo": words(_("Captains write the line-up in board order before the start; both sign when all boards are over.")),
        },
        "matches": [
            {
                "board": str(row.board), "first": words.person(row.white.player), "second": words.person(row.black.player),
                "rosters": [_roster(words, members.get(e.pk, [])) for e in (row.white, row.black)],
                "boards": _line_up(words, row, ask.section.team_boards),
            }
            for row in pairings_of(round_) if row.black is not None
        ],
    }]  # fmt: skip


def _roster(words: Words, members: list[Any]) -> list[list[Any]]:
    return [[str(member.position), words.named(member.name), str(member.rating or "")] for member in members]


def _line_up(words: Words, pairing: Pairing, boards: int) -> list[dict[str, Any]]:
    games = {game.number: game for game in pairing.match_games.select_related("first", "second")}
    found = []
    for number in range(1, max(boards, *games, 0) + 1):
        game = games.get(number)
        found.append({
            "number": str(number),
            "first": words.named(game.first.name) if game and game.first else ("", ""),
            "second": words.named(game.second.name) if game and game.second else ("", ""),
            "first_white": game.first_white if game else number % 2 == 1,
        })  # fmt: skip
    return found


def tents(ask: Ask) -> list[Block]:
    """Two cards a sheet, each cut from its neighbours and folded in the middle; both faces carry the name."""
    words = ask.words
    cards = []
    for row in pairings_of(ask.round):
        if row.black is None:
            continue
        for entry, colour in ((row.white, "w"), (row.black, "b")):
            said = words(_("White")) if colour == "w" else words(_("Black"))
            cards.append({"board": str(row.board), "colour": colour, "said": said, **side(words, entry)})
    return [{
        "type": "tents", "event": words.thing(ask.event), "head": round_title(words, ask.round), "board": words(_("Board")),
        "cut": words(_("cut")), "fold": words(_("fold")), "cards": cards,
    }]  # fmt: skip


def badges(ask: Ask) -> list[Block]:
    """90 x 54 mm, ten a sheet: players with a code of their page, then the officials."""
    words = ask.words
    cards = [card for section in ask.sections for card in _player_badges(ask, section)]
    event_code = code_image(ask.link("public:event", ask.event.code))
    roles = ask.event.roles.filter(kind__in=OFFICIALS).select_related("user").order_by("kind", "pk")
    cards += [
        {
            "role": words(Role.Kind(role.kind).label), "name": words.official(role.user),
            "from": role.delegation, "official": True, "section": "", "number": "", "code": event_code,
        }
        for role in roles
    ]  # fmt: skip
    return [{"type": "badges", "event": words.thing(ask.event), "days": days(ask.event), "cards": cards}]


def _player_badges(ask: Ask, section: Section) -> list[dict[str, Any]]:
    """With the numbers once they are public."""
    words, event = ask.words, ask.event
    is_begun = section.rounds.filter(state__in=PUBLIC_STATES).exists()
    found = []
    for entry in section.entries.select_related("player").order_by("number", "player__name", "pk"):
        number = entry.number if is_begun else None
        address = ask.link("public:player", event.code, section.code, entry.pk)
        found.append({
            "role": words(_("Player")), "name": words.person(entry.player), "from": side(words, entry)["from"], "official": False,
            "section": words.thing(section), "number": str(number or ""), "code": code_image(address),
        })  # fmt: skip
    return found


def numbers(ask: Ask) -> list[Block]:
    """One number for each board that a section can have, two a sheet."""
    count = ceil(ask.section.entries.count() / 2)
    return [{
        "type": "numbers", "head": f"{ask.words.thing(ask.event)} · {ask.words.thing(ask.section)}", "board": ask.words(_("Board")),
        "numbers": [str(number) for number in range(1, max(count, 1) + 1)],
    }]  # fmt: skip


def poster(ask: Ask) -> list[Block]:
    event, words = ask.event, ask.words
    address = ask.link("public:event", event.code)
    starts = []
    for section in ask.sections:
        rounds = section.rounds.filter(starts_at__isnull=False).order_by("number")
        starts += [
            [words.thing(section), words(_("Round %(number)s"), number=r.number), moment(r.starts_at)]
            for r in rounds
        ]
    return [{
        "type": "poster", "names": words.things(event), "place": event.place, "days": days(event), "address": address,
        "code": code_image(address), "sections": [words.thing(section) for section in ask.sections], "starts": starts[:14],
        "scan": words.each(_("Pairings, results and standings")), "no_code": words(_("Ask at the arbiters' table for the address.")),
    }]  # fmt: skip


def certificates(ask: Ask) -> list[Block]:
    """For the first three, and the first of each category."""
    words = ask.words
    _table, groups = prizes_of(ask)
    made = []
    for label, rows in groups:
        for place, entry, points in rows:
            if int(place.rstrip("=")) > (1 if label else 3):
                continue
            made.append({
                "name": words.person(entry.player), "from": side(words, entry)["from"], "place": place.rstrip("="), "category": label,
                "lines": words.each(_("Place %(place)s"), place=place.rstrip("=")),
                "points": words(_("%(points)s points"), points=points),
            })  # fmt: skip
    return [{
        "type": "certificates", "title": words.each(_("Certificate")), "names": words.things(ask.event), "section": words.thing(ask.section),
        "place": ask.event.place, "days": days(ask.event), "signs": [words(_("Chief arbiter")), words(_("Organizer"))],
        "seal": words(_("Seal")), "certificates": made,
    }]  # fmt: skip
