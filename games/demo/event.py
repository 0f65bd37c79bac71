"""The demo: one event that is half played, one that is over, one still being set up, and an account for each role.

The same seed gives the same event each time. Everything is entered through the services, as people would.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random

from django.db import transaction
from django.utils import timezone

from games.demo import court, formats
from games.demo import games as demo_games
from tournaments.audit import Actor
from tournaments.models import Event, Job, Pairing, Role, Round, Section, User
from tournaments.services import entries, events, results, rounds
from tournaments.services.runners import work_off, work_off_waiting

PASSWORD = "draughts-demo"
ACCOUNTS = (
    ("organizer", "林晓舟", Role.Kind.ORGANIZER),
    ("chief", "何建平", Role.Kind.CHIEF_ARBITER),
    ("arbiter", "唐雨", Role.Kind.ARBITER),
    ("committee1", "Anna Berg", Role.Kind.COMMITTEE),
    ("committee2", "邓文博", Role.Kind.COMMITTEE),
    ("committee3", "Piet Mol", Role.Kind.COMMITTEE),
    ("player", "陈思远", Role.Kind.PLAYER),
)
PLAYERS = (
    ("陈思远", "m", "北京", 2210), ("王若兰", "f", "上海", 2145), ("李明哲", "m", "重庆", 2302), ("赵子涵", "f", "浙江", 2056),
    ("欧阳雪", "f", "四川", 2120), ("刘浩然", "m", "广东", 2188), ("单雨桐", "f", "黑龙江", 1990), ("周启航", "m", "江苏", 2075),
    ("吴佳怡", "f", "湖北", 1935), ("徐子轩", "m", "山东", 2011), ("孙一诺", "f", "河北", 1870), ("胡俊杰", "m", "陕西", 1965),
    ("Marek Nowak", "m", "Warszawa", 2250), ("Els Visser", "f", "Utrecht", 2170), ("Moussa Diallo", "m", "Dakar", 2235),
    ("高云飞", "m", "重庆", 2030), ("马晓东", "m", "甘肃", 1845), ("曾宇", "m", "湖南", 1900), ("谢婉清", "f", "福建", 1815),
    ("Jānis Kalniņš", "m", "Rīga", 2099), ("田野", "m", "吉林", 1780), ("方圆", "f", "安徽", 1755), ("石磊", "m", "云南", 1720),
)  # fmt: skip
LEAGUE = (
    ("诸葛静", "f", "北京", 2080), ("Olga Petrenko", "f", "Київ", 2160), ("白露", "f", "上海", 1985), ("Noor Smit", "f", "Delft", 2040),
    ("彭晓梅", "f", "四川", 1920), ("曹丽", "f", "重庆", 1890), ("段雪晴", "f", "云南", 1830),
)  # fmt: skip
CITIES = {"Warszawa": "POL", "Utrecht": "NED", "Delft": "NED", "Dakar": "SEN", "Rīga": "LAT", "Київ": "UKR"}


def load() -> bool:
    """Make the demo once; False when it is there already."""
    if Event.objects.filter(code="demo").exists():
        return False
    with transaction.atomic():
        _load()
    return True


def _load() -> None:
    organizer = _accounts()
    actor = Actor(user=organizer)
    running = _event(actor, "demo", "重庆国际跳棋公开赛", "Chongqing Open", days=-1)
    _officials(running, actor)
    _open_section(actor, running)
    _league(actor, running)
    formats.load(actor, running)
    over = _event(actor, "autumn", "秋季国际跳棋快棋赛", "Autumn Rapid", days=-40)
    _finished(actor, over)
    _event(actor, "winter", "冬季国际跳棋锦标赛", "Winter Championship", days=30)


def log_ins() -> str:
    lines = ["Demo log-ins (all with the password " + PASSWORD + "):"]
    for username, name, kind in ACCOUNTS:
        lines.append(f"  {username:<12} {Role.Kind(kind).name.lower().replace('_', ' '):<16} {name}")
    return "\n".join(lines)


def open_accounts() -> list[User]:
    """The accounts of the demo that still log in with its password."""
    names = [username for username, _name, _kind in ACCOUNTS]
    found = User.objects.filter(username__in=names, is_active=True).order_by("username")
    return [user for user in found if user.check_password(PASSWORD)]


def _accounts() -> User:
    made = {}
    for username, name, _kind in ACCOUNTS:
        user, created = User.objects.get_or_create(username=username, defaults={"first_name": name})
        if created:
            user.set_password(PASSWORD)
        user.is_staff = user.is_superuser = username == "organizer"
        user.save()
        made[username] = user
    return made["organizer"]


def _officials(event: Event, actor: Actor) -> None:
    for username, _name, kind in ACCOUNTS:
        events.assign_role(actor, event.pk, username=username, kind=kind)


def _event(actor: Actor, code: str, name: str, name_en: str, *, days: int) -> Event:
    first = timezone.localdate() + timedelta(days=days)
    event = events.create_event(
        actor,
        {
            "code": code,
            "name": name,
            "name_en": name_en,
            "place": "重庆 Chongqing",
            "starts_on": first,
            "ends_on": first + timedelta(days=4),
            "contact": "arbiters@example.org",
            "regulations": (
                "迟到时限15分钟。申诉须在成绩公布后30分钟内以书面形式提出。\n"
                "Lateness limit 15 minutes. Appeals in writing within 30 minutes after the result is posted."
            ),
        },
    )
    events.show_event(actor, event.pk, public=True)
    return event


def _section(
    actor: Actor, event: Event, people: tuple[tuple[str, str, str, int], ...], **fields: object
) -> Section:
    section = events.create_section(actor, event.pk, {"lateness_limit": 15, **fields})
    for name, sex, club, rating in people:
        entries.add_entry(
            actor,
            section.pk,
            {"name": name, "sex": sex, "club": club, "federation": CITIES.get(club, "CHN"), "rating": rating},
        )
    return section


def _open_section(actor: Actor, event: Event) -> None:
    """Three rounds played, the fourth half in."""
    section = _section(
        actor, event, PLAYERS, name="公开组", name_en="Open", rounds_total=7, preset="CN_SWISS"
    )
    chance = Random(100)
    for number in range(1, 5):
        play_round(actor, section, chance, share=1.0 if number < 4 else 0.5)
    me = section.entries.select_related("player").get(player__name="陈思远").player
    me.user = User.objects.get(username="player")
    me.save(update_fields=["user"])
    demo_games.load(Actor(user=User.objects.get(username="arbiter")), section)
    court.load(section)


def _league(actor: Actor, event: Event) -> None:
    section = _section(
        actor,
        event,
        LEAGUE,
        name="女子组",
        name_en="Women",
        format="ROUND_ROBIN",
        preset="CN_ROUND_ROBIN",
        rounds_total=7,
    )
    run(rounds.request_pairing(actor, section.pk))
    rounds.publish_all_rounds(actor, section.pk)
    chance = Random(64)
    for number in range(1, 4):
        _enter(actor, section, number, chance, share=1.0)


def _finished(actor: Actor, event: Event) -> None:
    section = _section(
        actor, event, PLAYERS[:12], name="快棋组", name_en="Rapid", rounds_total=5, preset="FMJD_SWISS"
    )
    chance = Random(7)
    for _number in range(5):
        play_round(actor, section, chance, share=1.0)
    results.close_section(actor, section.pk)
    events.close_event(actor, event.pk)


def play_round(actor: Actor, section: Section, chance: Random, *, share: float) -> Round:
    """Pair, publish, and enter the given share of the results."""
    job = run(rounds.request_pairing(actor, section.pk))
    round_ = section.rounds.get(number=job.round_number or 1)
    rounds.publish_round(actor, round_.pk)
    _enter(actor, section, round_.number, chance, share=share)
    return round_


def run(job: Job) -> Job:
    """Work a job; a demo in which one fails is no demo."""
    job = work_off(job)
    if job.state != Job.State.DONE:
        raise RuntimeError(f"{job}: {job.error_code} {job.error_values}")
    return job


def _enter(actor: Actor, section: Section, number: int, chance: Random, *, share: float) -> None:
    boards = list(
        Pairing.objects.filter(round__section=section, round__number=number, black__isnull=False)
        .select_related("white__player", "black__player")
        .order_by("board")
    )
    lines = []
    for pairing in boards[: round(len(boards) * share)]:
        gap = pairing.white.player.rating - pairing.black.player.rating if pairing.black else 0
        white = 35 + max(-30, min(30, gap // 8))
        drawn = chance.choices(["WHITE", "DRAW", "BLACK"], [white, 45, 70 - white])[0]
        lines.append(results.Line(pairing=pairing.pk, outcome=drawn, version=pairing.version))
    results.record_outcomes(actor, section.pk, lines)
    work_off_waiting(section.pk)
