"""The demo's knock-out with micro-matches and its league of teams, entered through the services."""

from __future__ import annotations

from random import Random

from django.db.models import QuerySet

from tournaments.audit import Actor
from tournaments.models import Entry, Event, Job, Pairing, Section
from tournaments.services import entries, events, matches, rounds
from tournaments.services.matches import BoardLine
from tournaments.services.runners import work_off, work_off_waiting

KNOCKOUT = (
    ("李明哲", "重庆", 2302), ("Marek Nowak", "Warszawa", 2250), ("Moussa Diallo", "Dakar", 2235),
    ("陈思远", "北京", 2210), ("刘浩然", "广东", 2188), ("Els Visser", "Utrecht", 2170),
)  # fmt: skip
TEAMS = {
    "北京队": ("陈思远", "诸葛静", "孙一诺", "石磊"),
    "重庆队": ("李明哲", "高云飞", "曹丽", "方圆"),
    "上海队": ("王若兰", "白露", "徐子轩", "田野"),
    "Warszawa": ("Marek Nowak", "Olga Petrenko", "Noor Smit"),
}
BOARDS = 3
GAMES = ("WHITE", "DRAW", "BLACK")


def load(actor: Actor, event: Event) -> None:
    _knockout(actor, event)
    _teams(actor, event)


def _knockout(actor: Actor, event: Event) -> None:
    """Six players, matches by stage: the first round is over, the semi-finals are half in."""
    section = events.create_section(
        actor,
        event.pk,
        {
            "name": "淘汰赛", "name_en": "Knock-out", "format": "KNOCKOUT", "third_place": True, "match_rule": "WTM_2020",
            "scheme": "MICRO12", "lateness_limit": 15,
        },
    )  # fmt: skip
    for name, club, rating in KNOCKOUT:
        entries.add_entry(actor, section.pk, {"name": name, "club": club, "rating": rating})
    chance = Random(12)
    for number, played in ((1, 2), (2, 1)):
        _run(rounds.request_pairing(actor, section.pk))
        rounds.publish_round(actor, section.rounds.get(number=number).pk)
        for pairing in _boards(section).filter(round__number=number)[:played]:
            _play_micro_match(actor, pairing, chance)
    work_off_waiting(section.pk)


def _play_micro_match(actor: Actor, pairing: Pairing, chance: Random) -> None:
    """Stage after stage until the match is over; who goes on from a level one is drawn."""
    games: list[str] = []
    found = pairing
    while found.outcome == "UNPLAYED":
        games.append(chance.choice(GAMES))
        found = matches.record_stage_games(actor, pairing.pk, games, version=found.version)
    if found.outcome == "DRAW":
        matches.decide(actor, found.pk, advances="w", version=found.version, reason="抽签 drawing of lots")


def _teams(actor: Actor, event: Event) -> None:
    """Four teams over three boards, everybody against everybody: two of three rounds are over."""
    section = events.create_section(
        actor,
        event.pk,
        {
            "name": "团体组", "name_en": "Teams", "format": "TEAM_ROUND_ROBIN", "preset": "TEAM", "team_boards": BOARDS,
            "lateness_limit": 15,
        },
    )  # fmt: skip
    for number, (name, members) in enumerate(TEAMS.items()):
        entry = entries.add_entry(actor, section.pk, {"name": name, "rating": 2300 - 50 * number})
        matches.set_members(actor, entry.pk, [(member, 0) for member in members])
    _run(rounds.request_pairing(actor, section.pk))
    rounds.publish_all_rounds(actor, section.pk)
    chance = Random(3)
    for pairing in _boards(section).filter(round__number__lte=2):
        assert pairing.black is not None
        first, second = (_lineup(entry) for entry in (pairing.white, pairing.black))
        lines = [
            BoardLine(first=one, second=two, outcome=chance.choice(GAMES))
            for one, two in zip(first, second, strict=True)
        ]
        matches.record_team_match(actor, pairing.pk, lines, version=pairing.version)
    work_off_waiting(section.pk)


def _lineup(entry: Entry) -> list[int]:
    return list(entry.members.values_list("pk", flat=True)[:BOARDS])


def _boards(section: Section) -> QuerySet[Pairing]:
    rows = Pairing.objects.filter(round__section=section, black__isnull=False)
    return rows.select_related("round", "white", "black").order_by("round__number", "board")


def _run(job: Job) -> None:
    done = work_off(job)
    if done.state != Job.State.DONE:
        raise RuntimeError(f"{done}: {done.error_code} {done.error_values}")
