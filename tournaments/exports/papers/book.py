"""The results book of a whole event, as the federation files it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from django.utils.translation import gettext_noop as _

from tournaments import formats
from tournaments.exports.papers import lists
from tournaments.exports.papers.ask import Ask, Block
from tournaments.exports.papers.cards import OFFICIALS, days, moment
from tournaments.exports.papers.words import Words
from tournaments.models import OUTCOME_LABELS, Notice, Role, Section
from tournaments.selectors import boards, public
from tournaments.selectors.public import Ledger

_CONDUCT = (Notice.Kind.WARNING, Notice.Kind.RULING, Notice.Kind.DECISION)


def book(ask: Ask) -> list[Block]:
    """Cover, officials, entries by club, schedule, the rounds and tables of each section, rulings, prizes, signatures."""
    words = ask.words
    blocks: list[Block] = [_cover(ask), _officials(ask), *_entries(ask)]
    schedule = _schedule(ask)
    blocks += [schedule] if schedule["rows"] else []
    for section in ask.sections:
        blocks += _section(ask, section)
    rulings = _rulings(ask)
    blocks += [rulings] if rulings["rows"] else []
    return [*blocks, lists.signatures(words)]


def _cover(ask: Ask) -> Block:
    words, event = ask.words, ask.event
    players = sum(section.entries.count() for section in ask.sections)
    facts = [
        [words(_("Date")), days(event)], [words(_("Place")), event.place],
        [words(_("Sections")), ", ".join(words.thing(section) for section in ask.sections)], [words(_("Players")), str(players)],
    ]  # fmt: skip
    return {
        "type": "cover", "names": words.things(event), "title": words.each(_("Results book")),
        "facts": [fact for fact in facts if fact[1]],
    }  # fmt: skip


def _officials(ask: Ask) -> Block:
    words = ask.words
    roles = list(ask.event.roles.filter(kind__in=OFFICIALS).select_related("user"))
    roles.sort(key=lambda role: (OFFICIALS.index(Role.Kind(role.kind)), role.pk))
    rows = [[words(Role.Kind(role.kind).label), words.official(role.user), role.delegation] for role in roles]
    columns = [
        lists.column(words(_("Office")), width=1), lists.column(words(_("Name")), width=2), lists.column(words(_("Club")), width=1),
    ]  # fmt: skip
    return lists.table(words(_("Officials")), columns, rows, new_page=True)


def _entries(ask: Ask) -> list[Block]:
    found = []
    for section in ask.sections:
        block = lists.entry_list(ask.words, section, signed=False)
        block["title"] = f"{ask.words(_('Entry list'))} · {ask.words.thing(section)}"
        clubs = Counter(
            entry.player.club for entry in section.entries.select_related("player") if entry.player.club
        )
        block["notes"] = (
            [ask.words(_("Clubs and delegations: %(number)s"), number=len(clubs))] if clubs else []
        )
        found.append(block)
    return found


def _schedule(ask: Ask) -> Block:
    words = ask.words
    rows: list[list[Any]] = []
    for section in ask.sections:
        for round_ in section.rounds.filter(starts_at__isnull=False).order_by("number"):
            rows.append(
                [
                    moment(round_.starts_at),
                    words.thing(section),
                    words(_("Round %(number)s"), number=round_.number),
                ]
            )
    rows.sort(key=lambda row: row[0])
    columns = [
        lists.column(words(_("Start"))),
        lists.column(words(_("Section")), width=1),
        lists.column(words(_("Round")), width=1),
    ]
    return lists.table(words(_("Schedule")), columns, rows)


def _section(ask: Ask, section: Section) -> list[Block]:
    words = ask.words
    ledger, found = lists.opened(section)
    name = words.thing(section)
    blocks: list[Block] = []
    if found is not None:
        blocks.append(lists.places(words, found, new_page=True))
    if ledger.rounds and not formats.of(section).has_bracket:
        blocks.append(lists.cross_table(words, ledger, found, new_page=True))
    blocks += [_round(words, ledger, round_.number) for round_ in ledger.rounds]
    for block in blocks:
        block["title"] = f"{name} · {block['title']}"
    if blocks:
        blocks[0]["new_page"] = True
    _found, groups = lists.prizes_of(_of(ask, section)) if found is not None else (None, [])
    for label, rows in groups[1:]:
        columns = [
            lists.column(words(_("Place")), side="right"), lists.column(words(_("Name")), width=3),
            lists.column(words(_("Club")), width=2), lists.column(words(_("Points")), side="right"),
        ]  # fmt: skip
        blocks.append(
            lists.table(
                f"{name} · {label}",
                columns,
                [[r, words.person(e.player), e.player.club, str(p)] for r, e, p in rows],
            )
        )
    return blocks


def _of(ask: Ask, section: Section) -> Ask:
    return Ask(
        event=ask.event, sections=ask.sections, words=ask.words, address=ask.address, of_section=section
    )


def _round(words: Words, ledger: Ledger, number: int) -> Block:
    rows, byes, idle = boards.rows(ledger, number)
    lines = [
        [
            str(row.line.board), lists.numbered(words, row.white), str(row.white_before), row.line.score.replace("-", "–"),
            str(row.black_before), lists.numbered(words, row.black) if row.black else "",
        ]
        for row in rows
    ]  # fmt: skip
    apart = [
        f"{row.white.number} {row.white.player.name}: {words(OUTCOME_LABELS[row.line.outcome])}"
        for row in byes
    ]
    apart += [f"{entry.number} {entry.player.name}: {words(_('not paired'))}" for entry in idle]
    columns = [
        lists.column(words(_("Board")), side="right"), lists.column(words(_("White")), width=1), lists.column(words(_("Pts")), side="right"),
        lists.column(words(_("Result")), side="center"), lists.column(words(_("Pts")), side="right"), lists.column(words(_("Black")), width=1),
    ]  # fmt: skip
    return lists.table(words(_("Round %(number)s"), number=number), columns, lines, notes=apart)


def _rulings(ask: Ask) -> Block:
    words = ask.words
    rows: list[list[Any]] = []
    for notice in (
        ask.event.notices.filter(kind__in=_CONDUCT, withdrawn_at__isnull=True)
        .select_related("section")
        .order_by("at", "pk")
    ):
        texts = [notice.texts.get(code) for code in words.languages]
        said = "\n".join(dict.fromkeys(filter(None, texts))) or next(iter(notice.texts.values()), "")
        where = words.thing(notice.section) if notice.section else ""
        rows.append([moment(notice.at), where, words(Notice.Kind(notice.kind).label), said])
    for section in ask.sections:
        ledger = public.ledger(section)
        for extra in ledger.extras:
            entry = ledger.entries.get(extra.entry)
            if entry is not None:
                rows.append(
                    [
                        "",
                        words.thing(section),
                        words(_("points by ruling")),
                        f"{entry.number} {entry.player.name}: {extra.points:+d}. {extra.reason}",
                    ]
                )
    columns = [
        lists.column(words(_("Date"))),
        lists.column(words(_("Section"))),
        lists.column(words(_("Kind"))),
        lists.column(words(_("Ruling")), width=1),
    ]
    return lists.table(words(_("Rulings and decisions")), columns, rows, new_page=True)
