"""Every game of a micro-match and every board of a team match has sheets, a score, a result and a court of its own."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone, translation
from rest_framework.test import APIClient

import rules
from games import encryption
from games import sheets as reading
from games.adjudication import Meeting
from games.models import Adjournment, Copy, Game, Incident, Result, Ruling, Scoresheet, Side
from games.selectors import filing, meeting, viewer
from games.services import adjournments, draw_offers, results, sheets
from games.services.court import incidents, rulings
from games.services.court import lateness as late_players
from games.services.court.incidents import Report
from games.services.court.orders import Order
from games.services.results import NotAgreed
from games.services.sheets import Handed
from games.slots import seat_of, seats_of
from tests import factories as f
from tests.games.boards import LEGAL
from tests.games.match_cast import (
    NOBODY,
    Stage,
    hand,
    member,
    micro_match,
    score,
    seat_teams,
    team_match,
)
from tests.tournaments.builders import rows_after
from tests.tournaments.desk_cast import client_of
from tournaments.audit import SYSTEM, Actor
from tournaments.errors import BadInput, Conflict, NotAllowed, NotFound, WrongState
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import Notice, Pairing
from tournaments.services import entries, matches
from tournaments.services.event_import import import_event
from tournaments.wording import names

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def english(settings: Any, tmp_path: Path) -> Iterator[None]:
    settings.VAR, settings.SEAL_KEY = tmp_path, ""
    assert encryption.KEY_FILE
    with translation.override("en"):
        yield


@pytest.fixture
def micro() -> Stage:
    return micro_match()


@pytest.fixture
def teams() -> Stage:
    return team_match()


class TestTheGames:
    def test_a_micro_match_has_those_played_the_next_and_those_that_may_come(self, micro: Stage) -> None:
        def told() -> list[tuple[Any, ...]]:
            return [
                (s.number, s.pace, str(s.white), s.is_recorded, s.is_due) for s in seats_of(micro.pairing)
            ]

        one, two = str(micro.white), str(micro.black)
        assert told() == [
            (1, "CLASSICAL", one, False, True), (2, "RAPID", two, False, False), (3, "BLITZ", one, False, False),
        ]  # fmt: skip

        matches.record_stage_games(micro.arbiter, micro.pairing.pk, ["DRAW"], version=0)
        assert told() == [
            (1, "CLASSICAL", one, True, True), (2, "RAPID", two, False, True), (3, "BLITZ", one, False, False),
        ]  # fmt: skip

        matches.record_stage_games(
            micro.arbiter, micro.pairing.pk, ["DRAW", "WHITE"], version=micro.fresh().version
        )
        assert told() == [(1, "CLASSICAL", one, True, True), (2, "RAPID", two, True, True)]

    def test_a_stage_without_an_end_has_one_game_to_come(self) -> None:
        stage = micro_match(rule="BLITZ_2023", scheme="STANDARD")

        assert [s.pace for s in seats_of(stage.pairing)] == ["BLITZ"] * 4 + ["SUPER_BLITZ"]

    def test_a_team_match_has_its_boards_with_alternating_colours(self, teams: Stage) -> None:
        seats = seats_of(teams.pairing)

        assert [(s.number, str(s.white), str(s.black), s.white_entry) for s in seats] == [
            (1, f"{teams.white} / 1", f"{teams.black} / 1", teams.white),
            (2, f"{teams.black} / 2", f"{teams.white} / 2", teams.black),
        ]

    def test_a_board_with_one_game_has_number_one_and_nothing_else(self, micro: Stage) -> None:
        section = f.make_section()
        f.make_round(section, f.draw(f.make_entries(section, 2), 1))
        pairing = Pairing.objects.get(round__section=section)

        assert [(s.number, s.label, s.args) for s in seats_of(pairing)] == [(1, "", [pairing.pk])]
        with pytest.raises(NotFound):
            seat_of(pairing.pk, 2)

    def test_the_clock_of_a_stage_is_that_of_the_rule(self, micro: Stage) -> None:
        hand(micro, 2, micro.white.link)
        rapid = micro.game(2)
        rapid.pairing = micro.seat(2).pairing

        assert (rapid.stage, reading.control_for(rapid)) == ("RAPID", rules.fischer(1200, 5))
        assert reading.control_of("80'+1'") == rules.fischer(4800, 60)
        assert reading.control_of("20'") == rules.sudden(1200)
        with pytest.raises(WrongState, match="increment"):
            sheets.waive_recording(micro.arbiter, micro.pairing.pk, "W", remaining=100, number=2)


class TestFiling:
    def test_a_player_files_a_sheet_for_each_game_on_the_side_he_plays_there(self, micro: Stage) -> None:
        for number in (1, 2, 3):
            hand(micro, number, micro.white.link)

        found = [(s.game.number, s.side) for s in Scoresheet.objects.order_by("pk")]
        assert found == [(1, "W"), (2, "B"), (3, "W")]
        received = Copy.objects.filter(status=Copy.Status.RECEIVED)
        assert [(c.game.number, c.side) for c in received.order_by("pk")] == found

    def test_no_sheet_for_a_game_that_the_match_cannot_have(self, micro: Stage) -> None:
        with pytest.raises(NotFound):
            hand(micro, 4, micro.white.link)

        assert not Game.objects.exists()

    def test_a_submission_number_is_of_one_game(self, micro: Stage) -> None:
        handed = Handed(text=LEGAL, submission="s")
        sheets.file_sheet(NOBODY, micro.pairing.pk, handed, link=micro.white.link, number=1)

        assert sheets.file_sheet(NOBODY, micro.pairing.pk, handed, link=micro.white.link, number=1).again
        with pytest.raises(Conflict):
            sheets.file_sheet(NOBODY, micro.pairing.pk, handed, link=micro.white.link, number=3)

    def test_a_sheet_of_a_game_that_the_match_did_not_come_to_is_kept_and_shown(self, micro: Stage) -> None:
        hand(micro, 2, micro.white.link)
        results.accept_score(micro.arbiter, micro.pairing.pk, score(micro, "WHITE"))
        again = score(micro, "DRAW", note="bare kings", ended_by="no-win")

        rows = meeting.of_round(micro.round)
        mine = [
            (row.seat.number, row.seat.counts, set(row.sheets))
            for row in rows
            if row.pairing == micro.pairing
        ]
        assert mine == [(1, True, set()), (2, False, {"B"})]
        with pytest.raises(BadInput, match="over before game 2"):
            results.accept_score(micro.arbiter, micro.pairing.pk, again, number=2)
        assert Game.objects.get(number=2).moves == []

    def test_a_player_of_a_team_files_for_his_own_board_only(self, teams: Stage) -> None:
        own, mate = member(teams.white, 2), member(teams.white, 1)

        hand(teams, 2, own.link)

        assert [(s.game.number, s.side, s.filer) for s in Scoresheet.objects.all()] == [(2, "B", own.name)]
        for link in (mate.link, member(teams.white, 3).link, member(teams.black, 1).link, teams.white.link):
            with pytest.raises(NotFound):
                hand(teams, 2, link)
        assert Scoresheet.objects.count() == 1

    def test_the_account_of_a_team_opens_no_board(self, teams: Stage) -> None:
        teams.white.player.user = f.make_user()
        teams.white.player.save()
        actor = Actor(user=teams.white.player.user)

        with pytest.raises(NotFound):
            sheets.file_sheet(actor, teams.pairing.pk, Handed(text=LEGAL, submission="s"), side="W")

    def test_before_the_line_up_nobody_files_not_even_an_arbiter(self) -> None:
        stage = team_match(line_up=False)
        with pytest.raises(NotFound):
            hand(stage, 1, member(stage.white, 1).link)
        with pytest.raises(WrongState, match="line-up"):
            sheets.file_sheet(stage.arbiter, stage.pairing.pk, Handed(text=LEGAL, submission="s"), side="W")

        seat_teams(stage)
        assert hand(stage, 1, member(stage.white, 1).link).sheet.side == "W"

    def test_a_new_link_closes_the_old_one(self, teams: Stage) -> None:
        own = member(teams.white, 1)
        old, team = own.link, teams.white.link
        entries.renew_link(teams.organizer, teams.white.pk, member_id=own.pk)
        own.refresh_from_db()
        teams.white.refresh_from_db()

        assert teams.white.link == team and own.link != old
        with pytest.raises(NotFound):
            hand(teams, 1, old)
        assert hand(teams, 1, own.link).sheet.filer == own.name
        with pytest.raises(NotFound):
            entries.renew_link(teams.organizer, teams.black.pk, member_id=own.pk)


class TestResults:
    def test_accepting_a_games_sheet_sets_that_game_and_the_match_follows(self, micro: Stage) -> None:
        results.accept_score(
            micro.arbiter, micro.pairing.pk, score(micro, "DRAW", note="agreed", ended_by="no-win")
        )
        assert (micro.outcomes(), micro.fresh().outcome) == (["DRAW"], "UNPLAYED")

        results.accept_score(micro.arbiter, micro.pairing.pk, score(micro, "BLACK"), number=2)

        found = micro.fresh()
        assert (micro.outcomes(), found.outcome, found.grade) == (["DRAW", "BLACK"], "WHITE", "8-4")
        chain = [(r.game.number, r.before, r.outcome) for r in Result.objects.order_by("pk")]
        assert chain == [(1, "UNPLAYED", "DRAW"), (2, "UNPLAYED", "BLACK")]

    def test_a_game_has_its_turn_after_those_before_it(self, micro: Stage) -> None:
        hand(micro, 2, micro.white.link)

        with pytest.raises(WrongState, match="turn"):
            results.accept_score(
                micro.arbiter, micro.pairing.pk, score(micro, "DRAW", note="x", ended_by="no-win"), number=2
            )

        assert micro.outcomes() == []
        assert Game.objects.get(number=2).moves == []

    def test_a_board_of_a_team_match_alike(self, teams: Stage) -> None:
        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=2)
        assert (teams.outcomes(), teams.fresh().outcome) == (["UNPLAYED", "WHITE"], "UNPLAYED")

        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=1)

        assert (teams.outcomes(), teams.fresh().outcome) == (["WHITE", "WHITE"], "DRAW")

    def test_who_saw_an_older_match_changes_nothing(self, teams: Stage) -> None:
        old = score(teams, "WHITE")
        results.accept_score(teams.arbiter, teams.pairing.pk, old, number=1)

        with pytest.raises(Conflict):
            results.accept_score(teams.arbiter, teams.pairing.pk, old, number=2)

        assert teams.outcomes() == ["WHITE", "UNPLAYED"]

    def test_final_is_one_game(self, teams: Stage) -> None:
        for number in (1, 2):
            sheets.mark_copy(teams.arbiter, teams.pairing.pk, "W", status="RECEIVED", number=number)
            sheets.mark_copy(teams.arbiter, teams.pairing.pk, "B", status="RECEIVED", number=number)
        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=1)

        results.finalise(teams.arbiter, teams.pairing.pk, note="paper", number=1)

        assert (teams.game(1).is_final, teams.game(2).is_final) == (True, False)
        with pytest.raises(WrongState):
            sheets.mark_copy(teams.arbiter, teams.pairing.pk, "W", status="MISSING", number=1)
        sheets.mark_copy(teams.arbiter, teams.pairing.pk, "W", status="MISSING", number=2)
        with pytest.raises(results.NotComplete):
            results.finalise(teams.arbiter, teams.pairing.pk, note="x", number=2)

    def test_a_draw_claim_and_a_draw_offer_are_of_one_game(self, micro: Stage) -> None:
        results.judge_claim(
            micro.arbiter, micro.pairing.pk, claimant="W", moves=["32-28"], kind=rules.Ending.NO_WIN, upheld=True,
            version=0, reason="bare kings", number=1,
        )  # fmt: skip
        offer = draw_offers.offer_draw(micro.arbiter, micro.pairing.pk, side="B", ply=82, number=2)
        with pytest.raises(WrongState):
            draw_offers.offer_draw(micro.arbiter, micro.pairing.pk, side="B", ply=90, number=2)
        draw_offers.offer_draw(micro.arbiter, micro.pairing.pk, side="B", ply=82, number=3)

        draw_offers.answer_offer(micro.arbiter, offer.pk, accepted=True, version=micro.fresh().version)

        assert (micro.outcomes(), micro.fresh().outcome) == (["DRAW", "DRAW"], "UNPLAYED")


class TestTheDesk:
    def test_the_list_of_missing_sheets_counts_games(self, teams: Stage) -> None:
        assert sheets.issue_copies(teams.arbiter, teams.round.pk) == 4
        for name in ("white", "black"):
            hand(teams, 1, member(getattr(teams, name), 1).link)

        rows = meeting.of_round(teams.round)

        assert [(row.pairing.board, row.seat.number) for row in rows] == [(1, 1), (1, 2), (2, 1), (2, 2)]
        assert len(meeting.chosen(rows, "missing")) == 3
        assert [row.seat.number for row in meeting.chosen(rows, "open")] == [1]

    def test_copies_are_issued_for_the_games_that_are_due(self, micro: Stage) -> None:
        assert sheets.issue_copies(micro.arbiter, micro.round.pk) == 2
        matches.record_stage_games(micro.arbiter, micro.pairing.pk, ["DRAW"], version=0)

        assert sheets.issue_copies(micro.arbiter, micro.round.pk) == 1
        assert micro.game(2).stage == Game.Stage.RAPID
        assert sheets.issue_copies(micro.arbiter, micro.round.pk) == 0

    def test_the_queries_of_a_round_do_not_grow_with_its_boards(self, django_assert_num_queries: Any) -> None:
        small, large = micro_match(players=4), micro_match(players=12)
        for stage in (small, large):
            sheets.issue_copies(stage.arbiter, stage.round.pk)
        for stage in (small, large):
            with django_assert_num_queries(7):
                assert meeting.of_round(stage.round)

    def test_each_game_is_reconciled_and_accepted_on_its_own_page(self, micro: Stage) -> None:
        matches.record_stage_games(micro.arbiter, micro.pairing.pk, ["DRAW"], version=0)
        for number, other in ((1, "1. 32-28 18-23"), (2, LEGAL)):
            hand(micro, number, micro.white.link)
            hand(micro, number, micro.black.link, text=other)
        client = client_of(micro.arbiter.user)

        def at(number: int) -> str:
            return reverse("games:desk_game", args=[micro.pairing.pk, number])

        queue = client.get(reverse("games:desk_round", args=[micro.section.pk, 1])).content.decode()
        assert all(f'href="{at(number)}"' in queue for number in (1, 2))
        first, second = (client.get(at(number)) for number in (1, 2))
        assert (first.context["met"].decision.meeting, second.context["met"].decision.meeting) == (
            Meeting.DIFFER, Meeting.AGREE,
        )  # fmt: skip
        assert (
            "Board 1, game 2 (rapid)" in second.content.decode()
            or "game 2 (rapid)" in second.content.decode()
        )
        assert second.context["columns"][0]["person"] == micro.black

        sent = {
            "version": micro.fresh().version, "moves": LEGAL, "outcome": "WHITE", "source": "WHITE", "accepted": "",
            "ended_by": "", "note": "", "white_seconds": "", "black_seconds": "",
        }  # fmt: skip
        reply = client.post(reverse("games:desk_accept", args=[micro.pairing.pk, 2]), sent)

        assert (reply.status_code, reply.headers["Location"]) == (302, at(2))
        assert (micro.outcomes(), micro.fresh().outcome, micro.fresh().grade) == (
            ["DRAW", "WHITE"],
            "BLACK",
            "4-8",
        )

    def test_the_small_buttons_act_on_their_game(self, teams: Stage) -> None:
        client = client_of(teams.arbiter.user)
        address = reverse("games:desk_act", args=[teams.pairing.pk, 2, "copy"])

        client.post(address, {"side": "W", "status": "MISSING"})
        client.post(
            reverse("games:desk_act", args=[teams.pairing.pk, 2, "offer"]), {"side": "W", "ply": "81"}
        )

        assert {(c.game.number, c.side, c.status) for c in Copy.objects.exclude(status="ISSUED")} == {
            (2, "W", "MISSING")
        }
        assert [o.game.number for g in Game.objects.all() for o in g.draw_offers.all()] == [2]

    def test_pages_of_a_game_that_is_not_there_are_not_found(self, micro: Stage) -> None:
        client = client_of(micro.arbiter.user)

        for name in ("desk_game", "claim", "adjournment", "proposals", "court_board"):
            assert client.get(reverse(f"games:{name}", args=[micro.pairing.pk, 2])).status_code == 200
            assert client.get(reverse(f"games:{name}", args=[micro.pairing.pk, 9])).status_code == 404

    def test_strangers_find_no_page_of_any_game(self, micro: Stage) -> None:
        client = client_of(f.make_user())

        for name in ("desk_game", "claim", "adjournment", "proposals", "court_board"):
            assert client.get(reverse(f"games:{name}", args=[micro.pairing.pk, 2])).status_code == 404
        reply = client.post(reverse("games:desk_act", args=[micro.pairing.pk, 2, "copy"]), {"side": "W"})
        assert (reply.status_code, Game.objects.count()) == (404, 0)

    def test_printed_sheets_come_four_a_game(self, micro: Stage, teams: Stage) -> None:
        for stage, papers, words in (
            (micro, 4 * 2 * 3, ["Game 1 · classical", "Game 3 · blitz", "20'+5\""]),
            (teams, 4 * 2 * 2, [f"{teams.white} / 1", "Board 2"]),
        ):
            page = client_of(stage.arbiter.user).get(
                reverse("games:print_sheets", args=[stage.section.pk, 1])
            )
            text = page.content.decode().replace("&#x27;", "'").replace("&quot;", '"')
            assert text.count('class="score-paper"') == papers
            assert all(word in text for word in words)

    def test_a_board_lost_by_the_line_up_is_not_printed(self, teams: Stage) -> None:
        first = [member(teams.white, 1).pk, member(teams.white, 2).pk]
        lines = [
            matches.BoardLine(first=first[0], second=member(teams.black, 1).pk),
            matches.BoardLine(first=first[1], second=None),
        ]
        matches.record_team_match(teams.arbiter, teams.pairing.pk, lines, version=teams.fresh().version)

        page = client_of(teams.arbiter.user).get(reverse("games:print_sheets", args=[teams.section.pk, 1]))

        assert page.content.decode().count('class="score-paper"') == 4 * (1 + 2)


class TestThePlayersPages:
    def test_my_page_leads_to_the_sheet_of_each_game(self, micro: Stage) -> None:
        client = client_of(None)
        page = client.get(reverse("public:my", args=[micro.white.link])).content.decode()

        for number in (1, 2, 3):
            address = reverse("games:my_sheet", args=[micro.white.link, 1, number])
            assert f'href="{address}"' in page
            assert client.get(address).status_code == 200
        assert client.get(reverse("games:my_sheet", args=[micro.white.link, 1, 4])).status_code == 404

    def test_the_sheet_of_a_game_is_handed_in_on_a_phone(self, micro: Stage) -> None:
        address = reverse("games:my_sheet", args=[micro.black.link, 1, 2])
        client = client_of(None)
        page = client.get(address)
        assert (page.context["place"].side, page.context["place"].address) == (Side.WHITE, address)
        assert "This game comes only if the match goes on." in page.content.decode()

        reply = client.post(
            address, {"submission": "p", "m": ["32-28", "18-23"], "result": "2-0", "file_it": "1"}
        )

        assert reply.status_code == 302
        sheet = Scoresheet.objects.get()
        assert (sheet.game.number, sheet.side, sheet.filer) == (2, "W", str(micro.black))
        assert "Your scoresheet is handed in" in client.get(reply.headers["Location"]).content.decode()

    def test_a_player_of_a_team_has_a_page_and_the_sheets_of_his_boards(self, teams: Stage) -> None:
        own = member(teams.white, 2)
        client = client_of(None)

        page = client.get(reverse("public:my", args=[own.link]))
        sheet = client.get(reverse("games:my_sheet", args=[own.link, 1]))

        assert page.status_code == 200
        assert f'href="{reverse("games:my_sheet", args=[own.link, 1, 2])}"' in page.content.decode()
        assert reverse("games:my_sheet", args=[own.link, 1, 1]) not in page.content.decode()
        assert own.name in page.content.decode()
        assert (sheet.context["place"].side, sheet.context["seat"].number) == (Side.BLACK, 2)
        assert client.get(reverse("games:my_sheet", args=[own.link, 1, 1])).status_code == 404

    def test_the_link_of_the_team_opens_no_sheet_and_says_why(self, teams: Stage) -> None:
        client = client_of(None)
        page = client.get(reverse("public:my", args=[teams.white.link])).content.decode()
        sheet = client.get(reverse("games:my_sheet", args=[teams.white.link, 1, 1]))

        assert "/sheet/" not in page
        assert (sheet.status_code, "by an own link" in sheet.content.decode()) == (403, True)

    def test_the_court_page_is_open_to_the_player_of_a_team(self, teams: Stage) -> None:
        address = reverse("games:my_court", args=[member(teams.white, 1).link])

        assert client_of(None).get(address).status_code == 200

    def test_by_account_each_game_has_its_own_sheet(self, micro: Stage) -> None:
        user = micro.white.player.user = f.make_user()
        micro.white.player.save()
        client = client_of(user)

        page = client.get(reverse("games:mine")).content.decode()
        address = reverse("games:sheet", args=[micro.pairing.pk, 2, "B"])

        assert f'href="{address}"' in page
        assert client.get(address).status_code == 200
        assert client.get(reverse("games:sheet", args=[micro.pairing.pk, 2, "W"])).status_code == 403

    def test_the_desk_has_the_links_of_the_players(self, teams: Stage) -> None:
        own = member(teams.white, 1)
        client = client_of(teams.organizer.user)

        entry = client.get(reverse("desk:entry", args=[teams.white.pk])).content.decode()
        printed = client.get(reverse("desk:links", args=[teams.section.pk])).content.decode()
        assert own.link in entry and own.link in printed

        client.post(reverse("desk:entry_link", args=[teams.white.pk]), {"member": own.pk})
        assert member(teams.white, 1).link != own.link
        assert (
            client.post(reverse("desk:entry_link", args=[teams.white.pk]), {"member": "x"}).status_code == 404
        )


class TestTheViewer:
    def test_every_game_has_an_address_of_its_own(self, micro: Stage) -> None:
        results.accept_score(
            micro.arbiter, micro.pairing.pk, score(micro, "DRAW", note="x", ended_by="no-win")
        )
        results.accept_score(micro.arbiter, micro.pairing.pk, score(micro, "WHITE"), number=2)
        client = client_of(None)

        def at(number: int) -> str:
            args = [micro.event.code, micro.section.code, 1, 1, number]
            return reverse("games:board_game", args=args)

        second = client.get(at(2)).content.decode()
        assert f'href="{at(1)}"' in second and 'aria-current="page">Game 2 · rapid' in second
        assert f"<h1>{names.latin(str(micro.black))} – {names.latin(str(micro.white))}</h1>" in second
        assert client.get(at(3)).status_code == 404
        by_key = reverse("games:game", args=[micro.event.code, micro.section.code, micro.game(2).pk])
        assert client.get(by_key).context["seat"].number == 2
        match = client.get(reverse("public:match", args=[micro.event.code, micro.section.code, 1, 1]))
        assert f'href="{at(2)}"' in match.content.decode()

    def test_the_pdn_of_a_game_has_its_own_players_result_and_clock(self, micro: Stage, teams: Stage) -> None:
        results.accept_score(
            micro.arbiter, micro.pairing.pk, score(micro, "DRAW", note="x", ended_by="no-win")
        )
        results.accept_score(micro.arbiter, micro.pairing.pk, score(micro, "WHITE"), number=2)
        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=2)

        first, second = (game for game in rules.read_pdn(viewer.pdn(viewer.games_of(micro.section))).games)
        (board,) = rules.read_pdn(viewer.pdn(viewer.games_of(teams.section))).games

        assert [first.tag(n) for n in ("Round", "White", "Result")] == ["1.1", str(micro.white), "1-1"]
        assert [second.tag(n) for n in ("Round", "White", "Black", "Result")] == [
            "1.2", str(micro.black), str(micro.white), "2-0",
        ]  # fmt: skip
        assert second.tag("TimeControl") == "20'+5\""
        assert [board.tag(n) for n in ("Round", "Board", "White", "WhiteTeam", "Result")] == [
            "1.2", "1", f"{teams.black} / 2", str(teams.black), "2-0",
        ]  # fmt: skip

    def test_the_list_of_games_names_each(self, teams: Stage) -> None:
        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=2)

        page = client_of(None).get(reverse("games:games", args=[teams.event.code, teams.section.code]))

        assert names.latin(f"{teams.black} / 2") in page.content.decode()

    def test_queries_of_the_list_do_not_grow(self, django_assert_num_queries: Any) -> None:
        for stage in (micro_match(players=4), micro_match(players=8)):
            for pairing in stage.round.pairings.all():
                results.accept_score(
                    stage.arbiter, pairing.pk, score(stage, "WHITE", version=pairing.version)
                )
            with django_assert_num_queries(3):
                viewer.pdn(viewer.games_of(stage.section))


class TestTheInterface:
    def at(self, stage: Stage, tail: str) -> str:
        return f"/api/v1/events/{stage.event.code}/sections/{stage.section.code}/pairings/{stage.pairing.pk}/{tail}"

    def client(self, actor: Actor | None = None) -> APIClient:
        made = APIClient(headers={"accept-language": "en"})
        if actor is not None:
            made.force_authenticate(actor.user)
        return made

    def test_a_sheet_of_a_game_is_filed_read_and_accepted(self, micro: Stage) -> None:
        matches.record_stage_games(micro.arbiter, micro.pairing.pk, ["DRAW"], version=0)
        sent = {"submission": "s1", "text": LEGAL, "result": "0-2", "game": 2, "link": micro.white.link}
        filed = self.client().post(self.at(micro, "sheets/"), sent, format="json")
        desk = self.client(micro.arbiter)

        assert (filed.status_code, filed.json()["sheet"]["side"]) == (201, "B")
        assert desk.get(self.at(micro, "sheets/")).json()["sheets"] == []
        assert len(desk.get(self.at(micro, "sheets/?game=2")).json()["sheets"]) == 1
        own = self.client().get(
            self.at(micro, f"sheets/{filed.json()['sheet']['id']}/verdict/?link={micro.white.link}")
        )
        assert own.json()["verdict"]["status"] == "legal"

        body = {
            "moves": LEGAL.replace(".", "").split()[1:3],
            "outcome": "BLACK",
            "version": micro.fresh().version,
            "game": 2,
        }
        accepted = desk.put(self.at(micro, "score/"), body, format="json").json()
        assert (accepted["number"], accepted["white"], accepted["outcome"]) == (2, str(micro.black), "BLACK")
        assert micro.fresh().grade == "8-4"

        shown = self.client().get(self.at(micro, "game/?game=2")).json()
        assert (shown["number"], [g["number"] for g in shown["games"]]) == (2, [1, 2])
        assert [g["pace"] for g in shown["games"]] == ["CLASSICAL", "RAPID"]
        assert self.client().get(self.at(micro, "game/?game=9")).status_code == 404
        assert self.client().get(self.at(micro, "game/?game=x")).status_code == 404

    def test_an_incident_is_logged_for_a_game(self, micro: Stage) -> None:
        sent = {"category": "CONDUCT", "raised_by": "A", "against": "W", "game": 2}

        reply = self.client(micro.arbiter).post(self.at(micro, "incidents/"), sent, format="json")

        assert (reply.status_code, reply.json()["game"]) == (201, 2)
        assert reply.json()["white"]["id"] == micro.black.pk

    def test_a_team_mates_link_files_nothing(self, teams: Stage) -> None:
        sent = {"submission": "s1", "text": LEGAL, "game": 2, "link": member(teams.white, 1).link}

        reply = self.client().post(self.at(teams, "sheets/"), sent, format="json")

        assert (reply.status_code, Scoresheet.objects.count()) == (404, 0)


def warn(stage: Stage, number: int, *, side: str = "W") -> Ruling:
    report = Report(category="CONDUCT", raised_by="A", against=side, game=number)
    incident = incidents.log_incident(stage.arbiter, stage.pairing.pk, report)
    return rulings.rule(stage.arbiter, incident.pk, Order(effect="WARNING", side=side))


class TestTheCourt:
    def test_an_incident_is_of_its_game_with_the_colours_there(self, micro: Stage) -> None:
        ruling = warn(micro, 2)

        incident = ruling.incident
        assert incident.game is not None
        assert (incident.game.number, incident.white, incident.black) == (2, micro.black, micro.white)
        words = Notice.objects.get().texts["en"]
        assert "board 1, game 2 (rapid)" in words and f"{micro.black}: public warning" in words

    def test_a_notice_about_a_board_of_a_team_names_the_player(self, teams: Stage) -> None:
        warn(teams, 2, side="B")

        words = Notice.objects.get().texts["en"]
        assert "match 1, board 2" in words and f"{teams.white} / 2: public warning" in words

    def test_two_warnings_in_two_games_lose_none_two_in_one_lose_that(self, micro: Stage) -> None:
        warn(micro, 1)
        warn(micro, 2, side="B")  # the same player
        assert not Ruling.objects.filter(effect="GAME_LOST").exists()

        warn(micro, 1)
        rulings.confirm_ruling(micro.arbiter, Ruling.objects.get(effect="GAME_LOST").pk)

        assert (micro.outcomes(), micro.fresh().outcome) == (["BLACK"], "BLACK")

    def test_a_game_lost_by_a_ruling_and_put_back(self, teams: Stage) -> None:
        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=1)
        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=2)
        report = Report(category="FLAG", raised_by="A", against="W", game=2)
        incident = incidents.log_incident(teams.arbiter, teams.pairing.pk, report)
        changes = rulings.changes_of(incident, Order(effect="GAME_LOST", side="W"))
        foreseen = rows_after(teams.section, changes)

        ruling = rulings.rule(teams.arbiter, incident.pk, Order(effect="GAME_LOST", side="W"))

        assert (teams.outcomes(), teams.fresh().outcome) == (["WHITE", "BLACK"], "WHITE")
        assert rows_after(teams.section) == foreseen
        assert foreseen[0]["values"]["BOARD_POINTS"] == 4
        back = rows_after(teams.section, rulings.changes_back(ruling))
        rulings.withdraw_ruling(teams.arbiter, ruling.pk, reason="wrong board")
        assert (teams.outcomes(), teams.fresh().outcome) == (["WHITE", "WHITE"], "DRAW")
        assert rows_after(teams.section) == back
        assert [r.outcome for r in Result.objects.filter(game__number=2).order_by("pk")] == [
            "WHITE",
            "BLACK",
            "WHITE",
        ]

    def test_what_a_ruling_set_is_changed_by_withdrawing_the_ruling_alone(self, teams: Stage) -> None:
        report = Report(category="FLAG", raised_by="A", against="W", game=2)
        incident = incidents.log_incident(teams.arbiter, teams.pairing.pk, report)
        ruling = rulings.rule(teams.arbiter, incident.pk, Order(effect="GAME_LOST", side="W"))
        with pytest.raises(WrongState) as held:
            results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=2)
        assert held.value.code == "ruled"

        rulings.withdraw_ruling(teams.arbiter, ruling.pk, reason="x")
        results.accept_score(teams.arbiter, teams.pairing.pk, score(teams, "WHITE"), number=2)

        assert teams.outcomes() == ["UNPLAYED", "WHITE"]

    def test_a_void_game_is_played_again_under_its_number(self, micro: Stage) -> None:
        matches.record_stage_games(micro.arbiter, micro.pairing.pk, ["DRAW", "DRAW"], version=0)
        hand(micro, 2, micro.white.link)
        report = Report(category="WRONG_BOARD", raised_by="A", game=2)
        incident = incidents.log_incident(micro.arbiter, micro.pairing.pk, report)

        rulings.rule(micro.arbiter, incident.pk, Order(effect="REPLAY"))

        assert micro.outcomes() == ["DRAW"]
        assert list(Game.objects.filter(number=2).values_list("attempt", flat=True)) == [1, 2]
        assert filing.shown(micro.seat(2), "B") is None
        sheet = hand(micro, 2, micro.white.link, text="32-28").sheet
        assert (sheet.game.attempt, Scoresheet.objects.count()) == (2, 2)
        page = client_of(None).get(
            reverse("games:board_game", args=[micro.event.code, micro.section.code, 1, 1, 2])
        )
        assert "Attempt 1" in page.content.decode()

    def test_a_void_game_of_a_board_with_one_game_takes_sheets_anew(self) -> None:
        section = f.make_section()
        f.make_round(section, f.draw(f.make_entries(section, 2), 1))
        pairing = Pairing.objects.select_related("white").get(round__section=section)
        chief = f.make_user()
        f.make_role(chief, section.event, "CHIEF_ARBITER")
        actor = Actor(user=chief)
        handed = Handed(text=LEGAL, submission="one")
        sheets.file_sheet(NOBODY, pairing.pk, handed, link=pairing.white.link)
        incident = incidents.log_incident(actor, pairing.pk, Report(category="WRONG_BOARD", raised_by="A"))
        rulings.rule(actor, incident.pk, Order(effect="REPLAY"))

        sheets.file_sheet(NOBODY, pairing.pk, Handed(text="32-28", submission="two"), link=pairing.white.link)

        assert [(s.game.number, s.game.attempt) for s in Scoresheet.objects.order_by("pk")] == [
            (1, 1),
            (1, 2),
        ]
        (row,) = meeting.of_round(pairing.round)
        assert row.sheets["W"].text == "32-28"

    def test_an_adjournment_is_of_one_game_and_its_sealed_move_loses_that(self, micro: Stage) -> None:
        matches.record_stage_games(micro.arbiter, micro.pairing.pk, ["DRAW"], version=0)
        row = adjournments.adjourn(
            micro.arbiter, micro.pairing.pk, reason="power cut", moves=["32-28", "18-23"], white_seconds=1,
            black_seconds=1, number=2,
        )  # fmt: skip
        with pytest.raises(WrongState):
            adjournments.adjourn(
                micro.arbiter, micro.pairing.pk, reason="x", moves=["32-28"], white_seconds=1, black_seconds=1
            )
        client = client_of(None)
        address = reverse("games:my_adjournment", args=[micro.black.link, 1, 2])
        assert client.get(reverse("games:my_adjournment", args=[micro.black.link, 1])).status_code == 404
        assert (
            address in client.get(reverse("games:my_sheet", args=[micro.black.link, 1, 2])).content.decode()
        )

        client.post(address, {"confirm": "1"})
        client.post(address, {"written": "1-50", "sure": "1"})
        for _time in range(2):
            adjournments.confirm(NOBODY, row.pk, link=micro.white.link)
            adjournments.confirm(NOBODY, row.pk, link=micro.black.link)
            row.refresh_from_db()
            if row.state == Adjournment.State.CLOSING:
                adjournments.close_envelope(micro.arbiter, row.pk, envelope="1")
        adjournments.open_envelope(micro.arbiter, row.pk)
        adjournments.judge_sealed_move(micro.arbiter, row.pk)

        assert (micro.outcomes(), micro.fresh().outcome, micro.fresh().grade) == (
            ["DRAW", "BLACK"],
            "WHITE",
            "8-4",
        )

    def test_incidents_are_logged_from_the_board_view_game_by_game(self, micro: Stage) -> None:
        client = client_of(micro.arbiter.user)
        boards = client.get(reverse("games:court_boards", args=[micro.section.pk, 1])).content.decode()
        address = reverse("games:court_board", args=[micro.pairing.pk, 1])
        assert address in boards

        client.post(
            address,
            {
                "category": "CONDUCT",
                "raised_by": "A",
                "against": "B",
                "article": "",
                "note": "",
                "submission": "i",
            },
        )

        assert [(i.game.number if i.game else None, i.against) for i in Incident.objects.all()] == [(1, "B")]

    def test_lateness_forfeits_the_match_not_a_game(self, micro: Stage) -> None:
        micro.round.starts_at = timezone.now() - dt.timedelta(hours=3)
        micro.round.save()

        (ruling,) = late_players.rule_lateness(micro.arbiter, micro.round.pk, {micro.pairing.pk: "W"})

        assert (micro.outcomes(), micro.fresh().outcome) == ([], "WHITE_FORFEITS")
        rulings.withdraw_ruling(micro.arbiter, ruling.pk, reason="came in time")
        assert micro.fresh().outcome == "UNPLAYED"


def test_early_draws_of_a_game_of_a_match_follow_the_sections_rules(micro: Stage) -> None:
    with pytest.raises(NotAgreed):
        results.accept_score(micro.arbiter, micro.pairing.pk, score(micro, "DRAW", ended_by="agreement"))

    assert micro.outcomes() == []


def test_the_arbiter_alone_may_act_for_the_other_side(micro: Stage) -> None:
    micro.white.player.user = f.make_user()
    micro.white.player.save()
    own = Actor(user=micro.white.player.user)

    assert (
        sheets.file_sheet(own, micro.pairing.pk, Handed(text=LEGAL, submission="a"), number=2).sheet.side
        == "B"
    )
    with pytest.raises(NotAllowed):
        sheets.file_sheet(own, micro.pairing.pk, Handed(text=LEGAL, submission="b"), side="W", number=2)


def test_games_of_matches_their_attempts_and_their_rulings_travel_in_the_event_document(micro: Stage) -> None:
    matches.record_stage_games(micro.arbiter, micro.pairing.pk, ["DRAW", "DRAW"], version=0)
    hand(micro, 2, micro.white.link)
    report = Report(category="WRONG_BOARD", raised_by="A", game=2)
    void = incidents.log_incident(micro.arbiter, micro.pairing.pk, report)
    rulings.rule(micro.arbiter, void.pk, Order(effect="REPLAY"))
    report = Report(category="FLAG", raised_by="A", against="W", game=2)
    fell = incidents.log_incident(micro.arbiter, micro.pairing.pk, report)
    rulings.rule(micro.arbiter, fell.pk, Order(effect="GAME_LOST", side="W"))
    document = export_event(micro.event)

    again = import_event(SYSTEM, as_text(document).encode()).event

    pairing = again.sections.get().rounds.get().pairings.get(board=1)
    assert list(pairing.match_games.order_by("number").values_list("outcome", flat=True)) == ["DRAW", "BLACK"]
    assert list(pairing.games.values_list("number", "attempt", "replaces__attempt")) == [
        (2, 1, None),
        (2, 2, 1),
    ]
    ruling = Ruling.objects.get(event=again, effect="GAME_LOST")
    assert (ruling.applied["outcome"]["number"], ruling.incident.game.attempt) == (2, 2)  # type: ignore[union-attr]
    assert micro.chief.user is not None
    f.make_role(micro.chief.user, again, "CHIEF_ARBITER")
    rulings.withdraw_ruling(micro.chief, ruling.pk, reason="it did not")
    assert list(pairing.match_games.values_list("outcome", flat=True)) == ["DRAW"]
