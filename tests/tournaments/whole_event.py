"""An event with one of everything, for files that must lose nothing. Made row by row, as no rule is under test here."""

from __future__ import annotations

import datetime as dt

from tournaments.engine.types import Outcome
from tournaments.models import (
    Absence,
    Adjustment,
    Entry,
    Event,
    ForbiddenPair,
    Pairing,
    Player,
    Round,
    Section,
    Standings,
)

NAMES = (
    "欧阳娜娜",
    "Ján Čapek-Müller",
    '=HYPERLINK("x")',
    "#panic(1) $x$ *b* `c` <d> @e \\",
    "Иванов Пётр",
    "李伟",
    "Zoë 'Q'",
)
NOON = dt.datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=dt.UTC)


def build(code: str = "whole") -> Event:
    event = Event.objects.create(
        code=code, name="2026年“丽水杯”国际跳棋公开赛", name_en="Lishui Open", place="丽水", starts_on=dt.date(2026, 5, 1),
        ends_on=dt.date(2026, 5, 4), description="一\n二", regulations="规程", contact="0578-123", state=Event.State.OPEN,
    )  # fmt: skip
    players = [
        Player.objects.create(
            event=event, name=name, family_name=name[:1], latin_name=f"Latin {i}", sex="mf"[i % 2], birth_year=2000 + i if i else None,
            federation="CHN", club="北京" if i % 2 else "", rating=1500 - i if i != 6 else 0, title="MF" if i == 1 else "",
            grade="一级棋士" if i == 2 else "", fmjd_id=str(100 + i) if i < 3 else "",
        )
        for i, name in enumerate(NAMES)
    ]  # fmt: skip
    _swiss(event, players)
    _round_robin(event, players[:3])
    return event


def _swiss(event: Event, players: list[Player]) -> None:
    section = Section.objects.create(
        event=event, code="a", name="公开组", name_en="Open", rounds_total=5, preset="CN_SWISS",
        tiebreaks=["SOLKOFF_MEDIAN", "SOLKOFF", "LOTS"], policy={"bye_opponent_score": "own_score"}, lateness_limit=15, seed=7,
        appeal_fee=300, protect_clubs_rounds=1, drop_absent=True, lots_decide=True, state=Section.State.RUNNING, version=9,
    )  # fmt: skip
    e = [
        Entry.objects.create(
            section=section,
            player=p,
            number=n,
            seed_number=n,
            lot_number=8 - n,
            first_round=2 if n == 7 else 1,
        )
        for n, p in enumerate(players, start=1)
    ]
    Entry.objects.filter(pk=e[5].pk).update(status=Entry.Status.WITHDRAWN, withdrawn_after_round=2)
    one, two = (
        Round.objects.create(
            section=section, number=n, state=state, starts_at=NOON, published_at=NOON, engine="DUTCH 2026", digest="ab" * 32,
            canonical_input="TRF\n", proposal=[[1, 1, 4], [2, 5, 2]], explanations={"1": {"kind": "S1"}},
            numbers={str(entry.number): entry.pk for entry in e},
        )
        for n, state in ((1, Round.State.CLOSED), (2, Round.State.PUBLISHED))
    )  # fmt: skip
    one.edits = [
        {
            "verb": "swap",
            "entries": [e[0].pk, e[1].pk],
            "reason": "笔误",
            "warnings": [{"kind": "repeat", "entries": [e[2].pk]}],
        }
    ]
    one.save()
    boards(
        one,
        [
            (1, e[0], e[3], Outcome.WHITE),
            (2, e[4], e[1], Outcome.DRAW),
            (3, e[2], e[5], Outcome.BLACK_FORFEITS),
        ],
    )
    boards(
        two,
        [(1, e[1], e[0], Outcome.BLACK), (2, e[3], e[4], Outcome.BOTH_FORFEIT), (0, e[2], None, Outcome.BYE)],
    )
    boards(two, [(0, e[5], None, Outcome.HALF_BYE), (0, e[6], None, Outcome.ZERO_BYE)])
    draft = Round.objects.create(section=section, number=3, state=Round.State.PAIRED, engine="DUTCH 2026")
    boards(draft, [(1, e[0], e[2], Outcome.UNPLAYED), (2, e[6], e[1], Outcome.UNPLAYED)])
    Round.objects.create(section=section, number=4, starts_at=NOON)
    Absence.objects.create(entry=e[3], round_number=4, kind=Outcome.HALF_BYE, reason="考试")
    ForbiddenPair.objects.create(section=section, first=e[0], second=e[6], last_round=3, reason="同校")
    Adjustment.objects.create(section=section, entry=e[4], points=-1, after_round=1, reason="场外指导")
    rows = [
        {"entry": x.pk, "number": x.number, "rank": n, "shared": False, "points": 4 - n // 2, "adjustment": 0,
         "values": {"SOLKOFF_MEDIAN": n, "SOLKOFF": "7/2", "LOTS": [1, 2]}, "separated_by": "SOLKOFF", "status": x.status}
        for n, x in enumerate(e, start=1)
    ]  # fmt: skip
    for after in (1, 2):
        Standings.objects.create(
            section=section,
            after_round=after,
            version=9,
            rows=rows,
            tiebreaks=section.tiebreaks,
            policy=section.policy,
            lot_seed=5,
        )


def _round_robin(event: Event, players: list[Player]) -> None:
    section = Section.objects.create(
        event=event, code="b", name="循环组", format=Section.Format.DOUBLE_ROUND_ROBIN, position=1, rounds_total=6,
        scheme="XQ_SECOND", preset="", tiebreaks=["WINS"], state=Section.State.SETUP,
    )  # fmt: skip
    e = [Entry.objects.create(section=section, player=p, number=n) for n, p in enumerate(players, start=1)]
    first = Round.objects.create(section=section, number=1, state=Round.State.PUBLISHED, published_at=NOON)
    Pairing.objects.create(round=first, board=1, white=e[0], black=e[2], outcome=Outcome.DRAW, grade="1-2")
    boards(first, [(0, e[1], None, Outcome.BYE)])


def boards(round_: Round, rows: list[tuple[int, Entry, Entry | None, Outcome]]) -> None:
    for board, white, black, outcome in rows:
        Pairing.objects.create(round=round_, board=board, white=white, black=black, outcome=outcome)
