"""No slip of the pen decides a game: times, claims, offers, what-if, where one lands, and the papers that are printed."""

from __future__ import annotations

import datetime as dt
from random import Random

import pytest
from django.urls import reverse
from django.utils import timezone

import rules
from games import times
from games.demo.games import open_game
from games.models import DrawOffer
from games.selectors import court as court_selectors
from games.services import draw_offers, results
from games.services.court import incidents
from games.services.court.incidents import Report
from games.services.results import NotAgreed, Score
from tests import factories as f
from tests.games import case_cast as cases
from tests.games.boards import LEGAL, Board, board
from tests.games.court_cast import court, user_of
from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.errors import BadInput, WrongState
from tournaments.models import AuditEntry, Pairing, Role, Round

pytestmark = pytest.mark.django_db
LONG = open_game(Random(4), 84)
LONE = "W:WK2:BK46"
FIVE_EACH = ["2-7", "46-41", "7-2", "41-46", "2-7", "46-41", "7-2", "41-46", "2-7", "46-41"]


@pytest.fixture
def on() -> Board:
    return board()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2:30", 150),
        ("-1:05", -65),
        ("90", 90),
        ("1:02:30", 3750),
        ("2:75", None),
        ("abc", None),
        ("2:30", 150),
    ],
)
def test_a_charge_is_minutes_and_seconds(text: str, seconds: int | None) -> None:
    assert times.charge(text) == seconds


@pytest.mark.parametrize(
    ("text", "is_short", "seconds"),
    [
        ("1:05", False, 3900), ("1:05:30", False, 3930), ("65", False, 3900), ("4:30", True, 270), ("0:04:30", True, 270),
        ("-1:05", False, None), ("1:65", False, None),
    ],
)  # fmt: skip
def test_time_used_is_hours_and_minutes_and_in_a_blitz_game_minutes_and_seconds(
    text: str, is_short: bool, seconds: int | None
) -> None:
    assert times.used(text, is_short=is_short) == seconds


def test_the_forms_say_how_they_read_a_time() -> None:
    for control, kind in (("4800+60", "used"), ("300+3", "blitz")):
        on = board(time_control=control)
        page = (
            client_of(on.arbiter.user).get(reverse("games:desk_game", args=[on.pairing.pk])).content.decode()
        )
        assert f'data-time="{kind}"' in page and "games/times.js" in page
        mine = (
            client_of(f.make_user()).get(reverse("games:my_sheet", args=[on.white.link, 1])).content.decode()
        )
        assert f'data-time="{kind}"' in mine and "games/times.js" in mine


class TestDrawOffers:
    @pytest.mark.parametrize(("side", "ply"), [("W", 21), ("B", 78), ("B", 81)])
    def test_a_breach_is_refused_and_leaves_a_trace(self, on: Board, side: str, ply: int) -> None:
        with pytest.raises(WrongState):
            draw_offers.offer_draw(on.arbiter, on.pairing.pk, side=side, ply=ply)

        assert DrawOffer.objects.get().state == "BREACH"
        assert AuditEntry.objects.get(action="offer-draw").after["state"] == "BREACH"

    def test_a_breach_is_no_offer_that_the_next_one_is_measured_by(self, on: Board) -> None:
        with pytest.raises(WrongState):
            draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=21)
        assert draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=81).state == "OPEN"

    @pytest.mark.clause("12.4", at="games/services/draw_offers.py")
    def test_whites_offer_after_his_own_40th_move_is_noted_with_a_reason(self, on: Board) -> None:
        with pytest.raises(WrongState):
            draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=79)
        with pytest.raises(WrongState):
            draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=77, reason="12.4 by the letter")

        row = draw_offers.offer_draw(on.arbiter, on.pairing.pk, side="W", ply=79, reason="12.4 by the letter")

        assert (row.state, row.reason) == ("OPEN", "12.4 by the letter")
        draw_offers.answer_offer(on.arbiter, row.pk, accepted=True, version=on.fresh().version)
        assert on.fresh().outcome == "DRAW"
        score = Score(moves=LONG[:79], outcome="DRAW", version=on.fresh().version, ended_by="agreement")
        assert results.accept_score(on.arbiter, on.pairing.pk, score).is_accepted

    def test_a_draw_agreed_too_early_is_refused_and_that_it_was_tried_is_kept(self, on: Board) -> None:
        score = Score(moves=LEGAL.split()[1:3], outcome="DRAW", version=0, ended_by="agreement")
        with pytest.raises(NotAgreed):
            results.accept_score(on.arbiter, on.pairing.pk, score)

        assert AuditEntry.objects.filter(action="early-draw-refused").count() == 1
        assert on.fresh().outcome == "UNPLAYED"


class TestClaims:
    @pytest.mark.clause("12.5", at="games/services/results.py")
    def test_five_moves_are_claimed_from_a_position(self, on: Board) -> None:
        kind = str(rules.DrawKind.MOVES_5.value)
        with pytest.raises(NotAgreed):
            results.judge_claim(
                on.arbiter, on.pairing.pk, claimant="W", kind=kind, upheld=True, version=0, fen=LONE,
                moves=FIVE_EACH[:9],
            )  # fmt: skip
        assert on.fresh().outcome == "UNPLAYED"

        verdict = results.judge_claim(
            on.arbiter,
            on.pairing.pk,
            claimant="W",
            kind=kind,
            upheld=True,
            version=0,
            fen=LONE,
            moves=FIVE_EACH,
        )

        assert (verdict.plies, on.fresh().outcome) == (10, "DRAW")

    def test_a_position_that_cannot_be_read_says_so(self, on: Board) -> None:
        with pytest.raises(BadInput):
            results.judge_claim(
                on.arbiter,
                on.pairing.pk,
                claimant="W",
                moves=[],
                kind="x",
                upheld=False,
                version=0,
                fen="nonsense",
            )
        address = reverse("games:claim", args=[on.pairing.pk])
        page = client_of(on.arbiter.user).post(
            address, {"moves": "", "fen": "nonsense", "version": "0", "look": "1"}
        )
        assert page.status_code == 400

    @pytest.mark.clause("12.5", "12.3.6", at="games/services/results.py")
    def test_the_arbiters_own_draw_is_warned_of_and_asked(self, on: Board) -> None:
        address = reverse("games:claim", args=[on.pairing.pk])
        client = client_of(on.arbiter.user)
        sent = {
            "moves": "32-28",
            "claimant": "A",
            "kind": "no-win",
            "reason": "dead",
            "version": "0",
            "uphold": "1",
        }
        assert client.post(address, sent).status_code == 400
        assert on.fresh().outcome == "UNPLAYED"
        assert client.post(address, {**sent, "own_confirmed": "on"}).status_code == 302
        assert on.fresh().outcome == "DRAW"
        with pytest.raises(BadInput):
            results.judge_claim(
                on.arbiter,
                on.pairing.pk,
                claimant="A",
                moves=["32-28"],
                kind="no-win",
                upheld=True,
                version=0,
            )


class TestWhereOneLands:
    def test_a_member_of_the_committee_lands_on_the_cases(self) -> None:
        stage = court(members=1)
        home = reverse("desk:home")
        member = client_of(user_of(stage.committee[0]))
        assert member.get(home, follow=True).redirect_chain == [
            (reverse("games:my_courts") + "?waiting=1", 302)
        ]
        appeal = cases.admitted(stage)
        cases.seated(stage, appeal, members=1)
        assert member.get(home, follow=True).redirect_chain[-1][0] == reverse("games:case", args=[appeal.pk])
        assert client_of(user_of(stage.arbiter)).get(home).status_code == 200
        both = f.make_user()
        for kind in (Role.Kind.COMMITTEE, Role.Kind.ORGANIZER):
            f.make_role(both, f.make_event(), kind)
        assert client_of(both).get(home).status_code == 200

    def test_the_button_of_the_court_opens_the_round_being_played(self) -> None:
        stage = court()
        f.make_round(stage.section, f.draw(stage.entries, 3))
        Round.objects.filter(number=3).update(starts_at=timezone.now() + dt.timedelta(hours=4))
        assert [r.number for r in court_selectors.rounds_in_play(stage.event)] == [2]
        page = (
            client_of(user_of(stage.arbiter))
            .get(reverse("games:court", args=[stage.event.pk]))
            .content.decode()
        )
        assert reverse("games:court_boards", args=[stage.section.pk, 2]) in page

        Round.objects.filter(number=3).update(starts_at=timezone.now() - dt.timedelta(minutes=4))
        assert [r.number for r in court_selectors.rounds_in_play(stage.event)] == [3]
        Pairing.objects.update(outcome="DRAW")
        assert [r.number for r in court_selectors.rounds_in_play(stage.event)] == [3]


@pytest.mark.clause("4.1", "4.2.1", "4.2.2", "4.4", at="games/web/desk/games.py")
def test_four_papers_a_game_two_for_each_player_original_and_copy(on: Board) -> None:
    page = client_of(on.arbiter.user).get(
        reverse("games:print_sheets", args=[on.section.pk, 1]), {"lang": "en"}
    )
    text = page.content.decode()

    assert text.count('class="score-paper"') == 4 * 2
    for side in ("White", "Black"):
        assert (
            text.count(f"Scoresheet of {side} – original") == text.count(f"Scoresheet of {side} – copy") == 2
        )


class TestWhatIf:
    def answer(self, section: object, organizer: object, board: Pairing) -> str:
        incident = incidents.log_incident(
            organizer,
            board.pk,
            Report(category="CONDUCT", raised_by="A", against="W"),  # type: ignore[arg-type]
        )
        address = reverse("games:ruling_whatif", args=[incident.pk])
        asked = {"effect": "GAME_LOST", "side": "W", "article": "", "part": "pairings", "lang": "en"}
        return client_of(user_of(organizer)).get(address, asked).content.decode()  # type: ignore[arg-type]

    def test_a_round_robin_says_that_the_pairings_are_unchanged(self) -> None:
        stage = court(format="ROUND_ROBIN", players=8)
        assert "Pairings unchanged" in self.answer(stage.section, stage.chief, stage.board())

    def test_a_knock_out_says_who_goes_on(self) -> None:
        organizer = b.organizer()
        section = b.section(organizer, players=4, format="KNOCKOUT")
        round_ = b.publish_next(organizer, section)
        chief = f.make_user()
        f.make_role(chief, section.event, Role.Kind.CHIEF_ARBITER)
        pairing = round_.pairings.select_related("black__player").order_by("board").first()
        assert pairing is not None
        from tournaments.audit import Actor

        text = self.answer(section, Actor(user=chief), pairing)
        assert "who goes on" in text and str(pairing.black) in text


@pytest.mark.clause("15.2.3", "1.1.4", at="games/web/desk/games.py")
def test_the_check_list_and_the_entry_list_are_one_page_each(on: Board) -> None:
    client = client_of(on.arbiter.user)
    equipment = client.get(reverse("games:print_equipment", args=[on.section.pk, 1])).content.decode()
    assert equipment.count("☐") == 4 * 2
    entries = client.get(reverse("games:print_entries", args=[on.section.pk, 1])).content.decode()
    assert (
        on.white.player.name in entries
        and on.black.player.name in entries
        and "15.2.3" not in entries.split("<table")[1]
    )


def test_the_entry_list_of_teams_names_the_substitutes() -> None:
    from tests.games.match_cast import team_match

    teams = team_match()
    page = client_of(user_of(teams.arbiter)).get(reverse("games:print_entries", args=[teams.section.pk, 1]))
    assert all(member.name in page.content.decode() for member in teams.white.members.all())
