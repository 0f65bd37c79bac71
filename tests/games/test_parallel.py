"""Many at once, on real connections: a sheet sent many times is kept once, and one of two arbiters is told."""

from __future__ import annotations

import pytest
from django.core.management import call_command

import rules
from games import sheets as reading
from games.models import Copy, Game, Result, Scoresheet, Verdict
from games.services import results, sheets
from games.services.results import Score
from games.services.sheets import Filed, Handed
from tests.games.boards import LEGAL, board
from tests.tournaments.test_parallel import together
from tournaments.audit import Actor
from tournaments.services.results import StaleResult

pytestmark = pytest.mark.django_db(transaction=True)

NOBODY = Actor(address="192.0.2.9")


def test_a_sheet_sent_eight_times_at_once_is_kept_once() -> None:
    on = board()
    handed = Handed(text=LEGAL, submission="once")

    answers = together(*[lambda: sheets.file_sheet(NOBODY, on.pairing.pk, handed, link=on.white.link)] * 8)

    assert {answer.sheet.pk for answer in answers if isinstance(answer, Filed)} == {
        Scoresheet.objects.get().pk
    }
    assert sorted(answer.again for answer in answers if isinstance(answer, Filed)) == [False] + [True] * 7
    assert (Game.objects.filter(pairing=on.pairing).count(), Copy.objects.count()) == (1, 2)


def test_both_players_hand_in_at_the_same_moment() -> None:
    on = board()

    together(
        lambda: sheets.file_sheet(
            NOBODY, on.pairing.pk, Handed(text=LEGAL, submission="w"), link=on.white.link
        ),
        lambda: sheets.file_sheet(
            NOBODY, on.pairing.pk, Handed(text=LEGAL, submission="b"), link=on.black.link
        ),
    )

    assert (Game.objects.filter(pairing=on.pairing).count(), Scoresheet.objects.count()) == (1, 2)
    assert set(Copy.objects.values_list("status", flat=True)) == {"RECEIVED"}


def test_of_two_arbiters_with_different_results_one_is_told() -> None:
    on = board()
    moves = reading.read_sheet(LEGAL).moves

    answers = together(
        lambda: results.accept_score(
            on.arbiter, on.pairing.pk, Score(moves=moves, outcome="WHITE", version=0)
        ),
        lambda: results.accept_score(on.chief, on.pairing.pk, Score(moves=moves, outcome="BLACK", version=0)),
    )

    assert sorted(isinstance(answer, StaleResult) for answer in answers) == [False, True]
    assert Result.objects.get().outcome == on.fresh().outcome


def test_sheets_are_judged_again_by_newer_rules_and_the_old_verdict_stays(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on = board()
    sheets.file_sheet(NOBODY, on.pairing.pk, Handed(text=LEGAL, submission="w"), link=on.white.link)
    monkeypatch.setattr(rules, "VERSION", "later")

    call_command("judge_sheets")
    call_command("judge_sheets")

    first, second = capsys.readouterr().out.splitlines()
    assert ("1 sheets judged, 0 verdicts differ" in first, "0 sheets judged" in second) == (True, True)
    assert sorted(Verdict.objects.values_list("rules_version", flat=True)) == sorted(
        {"later", *Verdict.objects.exclude(rules_version="later").values_list("rules_version", flat=True)}
    )
    assert Verdict.objects.count() == 2
