"""Draw offers and draws by agreement (articles 12.3.5, 12.4, 12.5): on the sheet, at the desk, and what is flagged."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.urls import reverse
from django.utils import translation

import rules
from games.demo.games import open_game
from games.models import DrawOffer, Result, Scoresheet
from games.selectors import meeting
from games.services import draw_offers, results, sheets
from games.services.results import NotAgreed, Score
from games.services.sheets import Handed
from games.slots import seat_of
from tests.games.boards import LEGAL, Board, board
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor, reasons
from tournaments.errors import BadInput, WrongState
from tournaments.models import AuditEntry
from tournaments.services.results import record_outcome

pytestmark = pytest.mark.django_db

NOBODY = Actor(address="192.0.2.9")
LONG = open_game(Random(4), 84)  # forty-two moves each, and the game is still on


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    with translation.override("en"):
        yield


@pytest.fixture
def on() -> Board:
    return board()


def hand(on: Board, side: str, text: str, *, result: str = "1-1", ended_by: str = "") -> None:
    entry = on.white if side == "W" else on.black
    handed = Handed(text=text, submission=f"{side}{len(text)}", result=result, ended_by=ended_by)
    sheets.file_sheet(NOBODY, on.pairing.pk, handed, link=entry.link)


def draw(on: Board, moves: list[str], **fields: object) -> Score:
    given = {
        "moves": moves,
        "outcome": "DRAW",
        "version": on.fresh().version,
        "ended_by": "agreement",
        **fields,
    }
    return Score(**given)  # type: ignore[arg-type]


def met(on: Board) -> meeting.Met:
    return meeting.met(seat_of(on.pairing.pk))


def queue(on: Board, show: str = "") -> str:
    address = reverse("games:desk_round", args=[on.section.pk, 1])
    return client_of(on.arbiter.user).get(address, {"show": show}).content.decode()


FLAG = "draw before move 40 of both (article 12.4)"


class TestTheFlag:
    def test_a_draw_that_both_sheets_declare_before_move_40_is_flagged_with_its_article(
        self, on: Board
    ) -> None:
        for side in "WB":
            hand(on, side, LEGAL, ended_by="agreement")

        assert met(on).is_early_draw
        page = (
            client_of(on.arbiter.user).get(reverse("games:desk_game", args=[on.pairing.pk])).content.decode()
        )
        assert "40 moves (article 12.4). This section: not accepted" in page
        assert FLAG in queue(on)
        assert "Draws before move 40 1" in queue(on)
        assert queue(on, "early").count("<tr>") == 2  # the head, and this board alone

    def test_so_is_one_that_was_entered_as_a_result_before_the_sheets_came(self, on: Board) -> None:
        record_outcome(on.arbiter, on.pairing.pk, outcome="DRAW", version=0)
        assert not met(on).is_early_draw  # nothing shows it yet

        hand(on, "W", LEGAL, result="")

        assert met(on).is_early_draw

    def test_after_forty_moves_of_both_nothing_is_flagged(self, on: Board) -> None:
        for side in "WB":
            hand(on, side, " ".join(LONG), ended_by="agreement")

        assert not met(on).is_early_draw
        assert FLAG not in queue(on)
        results.accept_score(on.arbiter, on.pairing.pk, draw(on, LONG))
        assert on.fresh().outcome == "DRAW"

    @pytest.mark.parametrize("plies", [78, 79])
    def test_both_must_have_made_forty(self, on: Board, plies: int) -> None:
        with pytest.raises(NotAgreed, match=r"12\.4") as refused:
            results.accept_score(on.arbiter, on.pairing.pk, draw(on, LONG[:plies]))

        assert (refused.value.code, on.fresh().outcome) == ("early-draw", "UNPLAYED")
        assert results.accept_score(on.arbiter, on.pairing.pk, draw(on, LONG[:80])).is_accepted

    def test_one_accepted_under_the_sections_own_rule_stays_flagged(self, on: Board) -> None:
        results.set_game_rules(on.organizer, on.section.pk, early_draw="ALLOW", sheets="ACCEPTED")
        results.accept_score(on.arbiter, on.pairing.pk, draw(on, LONG[:20]))

        assert on.fresh().outcome == "DRAW"
        assert FLAG in queue(on)

    def test_one_that_the_arbiter_gave_his_reason_for_does_not(self, on: Board) -> None:
        score = draw(on, LONG[:20], ended_by="no-win", note="neither can win (12.3.6)")
        results.accept_score(on.arbiter, on.pairing.pk, score)

        assert (on.fresh().outcome, met(on).is_early_draw) == ("DRAW", False)


class TestOffersOnTheSheet:
    def test_the_mark_behind_a_move_is_an_offer_of_its_mover(self) -> None:
        (game,) = rules.read_pdn("1. 32-28 (=) 18-23(=) 2. 38-32 (38-33 =) 12-18 =").games
        sheet = rules.sheet_of(game)

        assert sheet.draw_offers == (
            rules.DrawOffer(1, rules.Side.WHITE), rules.DrawOffer(2, rules.Side.BLACK),
        )  # fmt: skip
        assert (sheet.moves, sheet.end_mark) == (("32-28", "18-23", "38-32", "12-18"), "=")

    def test_who_moved_first_in_a_set_up_position_made_the_first_offer(self) -> None:
        (game,) = rules.read_pdn('[FEN "B:W45,46:B1,2"]\n\n1... 1-6 (=) 2. 45-40').games

        assert rules.sheet_of(game).draw_offers == (rules.DrawOffer(1, rules.Side.BLACK),)

    def test_an_early_offer_on_a_sheet_is_told_to_the_player_and_at_the_desk(self, on: Board) -> None:
        hand(on, "W", "1. 32-28 (=) 18-23 2. 38-32")
        words = "A draw was offered before each player had made 40 moves."

        mine = client_of(None).get(reverse("games:my_sheet", args=[on.white.link, 1])).content.decode()
        desk = (
            client_of(on.arbiter.user).get(reverse("games:desk_game", args=[on.pairing.pk])).content.decode()
        )

        assert words in mine and words in desk
        assert "On White's sheet: White offered after ply 1" in desk.replace("&#x27;", "'")

    def test_a_repeated_offer_is_told_a_right_one_is_not(self, on: Board) -> None:
        def kinds(*plies: int) -> list[str]:
            moves = [move + (" (=)" if ply in plies else "") for ply, move in enumerate(LONG, 1)]
            sheet = rules.sheet_of(rules.read_pdn(" ".join(moves)).games[0])
            return [str(found.kind) for found in rules.validate(sheet).disagreements]

        assert kinds(81) == kinds(81, 82, 83) == []
        assert kinds(81, 83) == ["offer-repeated"]

    def test_a_player_names_his_offers_in_the_form(self, on: Board) -> None:
        address = reverse("games:my_sheet", args=[on.black.link, 1])
        sent = {
            "submission": "a",
            "m": ["32-28", "18-23", "38-32", "12-18"],
            "offers": "2, 1",
            "file_it": "1",
        }

        reply = client_of(None).post(address, sent)

        assert reply.status_code == 302
        assert Scoresheet.objects.get().text == "1. 32-28 18-23 (=)\n2. 38-32 12-18 (=)"
        assert 'value="1 2"' in client_of(None).get(address).content.decode()

    @pytest.mark.parametrize(
        ("written", "status"), [("3", 400), ("x", 400), ("0", 400), ("1.", 302), ("", 302)]
    )
    def test_an_offer_after_a_move_not_made_is_refused(self, on: Board, written: str, status: int) -> None:
        address = reverse("games:my_sheet", args=[on.white.link, 1])
        sent = {"submission": "a", "m": ["32-28", "18-23", "38-32"], "offers": written, "file_it": "1"}

        assert client_of(None).post(address, sent).status_code == status
        assert Scoresheet.objects.count() == (status == 302)


class TestOffersAtTheDesk:
    def test_an_offer_open_when_the_game_went_on_was_refused(self, on: Board) -> None:
        draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=81)

        results.accept_score(
            on.arbiter, on.pairing.pk, draw(on, LONG, outcome="WHITE", ended_by="resigned", note="x")
        )

        assert DrawOffer.objects.get().state == DrawOffer.State.REFUSED

    def test_one_at_which_the_game_ended_drawn_was_accepted(self, on: Board) -> None:
        draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=81)

        results.accept_score(on.arbiter, on.pairing.pk, draw(on, LONG[:81]))

        assert DrawOffer.objects.get().state == DrawOffer.State.ACCEPTED

    @pytest.mark.clause("12.3.5", "12.4", at="games/services/draw_offers.py")
    def test_an_accepted_offer_draws_the_game_by_agreement_and_is_no_early_draw(self, on: Board) -> None:
        offer = draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="B", ply=80)
        draw_offers.answer_offer(on.arbiter, offer.pk, accepted=True, version=0)

        result = Result.objects.get()
        assert (on.fresh().outcome, result.source, result.reason) == (
            "DRAW", "AGREEMENT", reasons.coded(reasons.DRAW_AGREED, count=40),
        )  # fmt: skip
        hand(on, "W", LEGAL)
        assert not met(on).is_early_draw

    def test_an_offer_is_made_after_ones_own_move(self, on: Board) -> None:
        with pytest.raises(WrongState) as refused:
            draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="B", ply=81)

        assert refused.value.code == "offer-not-after-own-move"


class TestClaimsOfTheArbiter:
    """Article 12.5 leaves the claim to a player; an arbiter who acts on his own is logged as such."""

    def claim(self, on: Board, *, upheld: bool, flag_fell: bool = False, claimant: str = "A") -> None:
        results.judge_claim(
            on.arbiter, on.pairing.pk, claimant=claimant, moves=["32-28"], kind=rules.Ending.NO_WIN, upheld=upheld,
            version=0, reason="bare kings", flag_fell=flag_fell,
        )  # fmt: skip

    def test_he_may_end_the_game_and_the_log_names_him(self, on: Board) -> None:
        self.claim(on, upheld=True)

        assert on.fresh().outcome == "DRAW"
        assert AuditEntry.objects.get(action="judge-claim").after["claimant"] == "A"

    def test_nobody_loses_by_a_flag_when_it_comes_to_nothing(self, on: Board) -> None:
        self.claim(on, upheld=False, flag_fell=True)

        assert on.fresh().outcome == "UNPLAYED"

    def test_somebody_must_claim(self, on: Board) -> None:
        with pytest.raises(BadInput):
            self.claim(on, upheld=True, claimant="")

        page = client_of(on.arbiter.user).get(reverse("games:claim", args=[on.pairing.pk])).content.decode()
        assert '<option value="A">the arbiter</option>' in page
