"""The hall: people without a board, teams, who is late, three taps to a warning; through the pages and the interface."""

from __future__ import annotations

import datetime as dt

import pytest
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from games.models import Incident, Ruling
from games.services.court import incidents, rulings
from games.services.court.incidents import Report
from games.services.court.orders import Order
from tests import factories as f
from tests.games.court_cast import Court, court, ruled, user_of
from tests.games.match_cast import team_match
from tests.tournaments.desk_cast import client_of
from tournaments.errors import BadInput, NotAllowed, WrongState
from tournaments.models import Entry, Round, TeamMember
from tournaments.services import matches

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Court:
    return court()


def report(**fields: object) -> Report:
    return Report(category="CONDUCT", raised_by="A", **fields)  # type: ignore[arg-type]


class TestPeopleWithoutABoard:
    @pytest.mark.clause("15.1.1", "14.5", at="games/services/court/incidents.py")
    def test_a_spectator_is_named_and_sent_out_by_the_chief(self, stage: Court) -> None:
        incident = incidents.log_person(
            stage.arbiter,
            stage.section.pk,
            2,
            report(person="Zhou", person_role="SPECTATOR", note="called a move"),
        )
        assert (incident.board, incident.against, incident.person) == (0, "P", "Zhou")
        with pytest.raises(NotAllowed):
            rulings.rule(stage.arbiter, incident.pk, Order(effect="EXPEL", side="P"))
        with pytest.raises(BadInput):
            rulings.rule(stage.chief, incident.pk, Order(effect="GAME_LOST", side="P"))
        with pytest.raises(WrongState):
            rulings.rule(stage.chief, incident.pk, Order(effect="DISQUALIFY", side="P"))

        out = rulings.rule(stage.chief, incident.pk, Order(effect="EXPEL", side="P"))

        assert out.notice is not None
        assert "Zhou" in out.notice.texts["en"] and "spectator" in out.notice.texts["en"]
        rulings.withdraw_ruling(stage.chief, out.pk, reason="it was somebody else")
        out.refresh_from_db()
        assert out.state == "WITHDRAWN"

    @pytest.mark.clause("14.2.2", at="games/services/court/incidents.py")
    def test_a_player_with_a_bye_is_warned_and_disqualified(self) -> None:
        stage = court()
        resting = f.make_entry(stage.section, number=9)

        incident = incidents.log_person(stage.chief, stage.section.pk, 2, report(entry=resting.pk))
        rulings.rule(stage.chief, incident.pk, Order(effect="WARNING", side="P"))
        gone = rulings.rule(stage.chief, incident.pk, Order(effect="DISQUALIFY", side="P"))

        assert Entry.objects.get(pk=resting.pk).status == "DISQUALIFIED"
        rulings.withdraw_ruling(stage.chief, gone.pk, reason="too hard")
        assert Entry.objects.get(pk=resting.pk).status == "ACTIVE"

    @pytest.mark.clause("14.1.12", at="games/services/court/incidents.py")
    def test_conduct_at_another_board_counts_in_the_players_own_game(self, stage: Court) -> None:
        white = stage.board(3).white
        for _time in range(2):
            incident = incidents.log_person(
                stage.arbiter,
                stage.section.pk,
                2,
                report(entry=white.pk, article="14.1.12", note="at board 1"),
            )
            rulings.rule(stage.arbiter, incident.pk, Order(effect="WARNING", side=incident.against))

        assert (incident.board, incident.against) == (3, "W")
        assert stage.board(3).outcome == "BLACK"

    def test_nobody_is_refused_and_sent_twice_it_is_logged_once(self, stage: Court) -> None:
        with pytest.raises(BadInput):
            incidents.log_person(stage.arbiter, stage.section.pk, 2, report(person="  "))
        with pytest.raises(BadInput):
            incidents.log_person(stage.arbiter, stage.section.pk, 2, report(entry=0, member=999))
        for _time in range(2):
            incidents.log_person(stage.arbiter, stage.section.pk, 2, report(person="Zhou", submission="tap"))
        assert Incident.objects.count() == 1

    def test_through_the_page_and_the_interface(self, stage: Court) -> None:
        client = client_of(user_of(stage.arbiter))
        page = reverse("games:court_person", args=[stage.section.pk, 2])
        assert client.get(page).status_code == 200
        reply = client.post(
            page,
            {
                "category": "CONDUCT",
                "raised_by": "A",
                "person": "Wu",
                "person_role": "COACH",
                "submission": "a",
            },
        )
        assert reply.status_code == 302
        incident = Incident.objects.get()
        shown = client.get(reverse("games:incident", args=[incident.pk])).content.decode()
        assert "Wu" in shown and 'value="GAME_LOST"' not in shown

        api = APIClient()
        api.force_authenticate(user_of(stage.arbiter))
        path = f"/api/v1/events/{stage.event.code}/sections/{stage.section.code}/rounds/2/incidents/"
        body = api.post(path, {"person": "Qian", "person_role": "CAPTAIN"}, format="json")
        assert (body.status_code, body.data["board"], body.data["person"]) == (201, 0, "Qian")


class TestTeams:
    def test_the_person_is_disqualified_his_board_lost_and_the_team_plays_on(self) -> None:
        teams = team_match()
        pairing = teams.pairing
        incident = incidents.log_incident(teams.chief, pairing.pk, report(against="W", game=1))
        gone = rulings.rule(teams.chief, incident.pk, Order(effect="DISQUALIFY", side="W"))

        who = TeamMember.objects.get(out_from_round__isnull=False)
        first = pairing.match_games.get(number=1)
        assert (first.first, first.outcome, who.out_from_round) == (who, "BLACK", 2)
        assert who.entry.status == "ACTIVE"
        assert str(who) in gone.notice.texts["en"]  # type: ignore[union-attr]

        rulings.withdraw_ruling(teams.chief, gone.pk, reason="it was his neighbour")
        who.refresh_from_db()
        assert (who.out_from_round, pairing.match_games.get(number=1).outcome) == (None, "UNPLAYED")

    def test_before_the_start_a_substitute_sits_in_and_the_player_may_not(self) -> None:
        teams = team_match()
        Round.objects.filter(pk=teams.round.pk).update(starts_at=timezone.now() + dt.timedelta(hours=1))
        incident = incidents.log_incident(teams.chief, teams.pairing.pk, report(against="W", game=1))
        rulings.rule(teams.chief, incident.pk, Order(effect="DISQUALIFY", side="W"))
        assert teams.pairing.match_games.get(number=1).outcome == "UNPLAYED"

        lines = [
            matches.BoardLine(first=game.first_id, second=game.second_id)
            for game in teams.pairing.match_games.order_by("number")
        ]
        with pytest.raises(BadInput) as barred:
            matches.record_team_match(teams.arbiter, teams.pairing.pk, lines, version=teams.fresh().version)
        assert "substitute" in str(barred.value) or "替补" in str(barred.value)

    def test_a_board_without_a_line_up_asks_for_the_person(self) -> None:
        teams = team_match(line_up=False)
        with pytest.raises(BadInput) as unknown:
            incidents.log_incident(teams.arbiter, teams.pairing.pk, report(against="W", game=1))
        assert "member" in unknown.value.values["fields"]

        member = teams.pairing.white.members.first()
        assert member is not None
        incident = incidents.log_incident(
            teams.arbiter, teams.pairing.pk, report(against="W", game=1, member=member.pk)
        )
        warning = rulings.rule(teams.arbiter, incident.pk, Order(effect="WARNING", side="W"))
        assert incident.person == member.name
        assert member.name in warning.notice.texts["en"]  # type: ignore[union-attr]


class TestTaps:
    def test_a_public_warning_takes_three_taps_from_the_boards(self, stage: Court) -> None:
        client = client_of(user_of(stage.arbiter))
        boards = client.get(reverse("games:court_boards", args=[stage.section.pk, 2])).content.decode()
        board = reverse("games:court_board", args=[stage.board().pk])
        assert f'href="{board}"' in boards  # the first tap

        what = client.get(board).content.decode()
        assert 'href="?side=W&amp;effect=WARNING#penalty"' in what  # the second

        articles = client.get(board, {"side": "W", "effect": "WARNING"}).content.decode()
        assert 'name="article" value="14.1.1"' in articles  # the third
        address = reverse("games:court_penalty", args=[stage.board().pk])
        sent = {"side": "W", "effect": "WARNING", "article": "14.1.1", "submission": "three"}
        assert client.post(address, sent).status_code == 302
        assert client.post(address, sent).status_code == 302
        ruling = Ruling.objects.get()
        assert (ruling.effect, ruling.side, ruling.article, ruling.state) == (
            "WARNING",
            "W",
            "14.1.1",
            "IN_FORCE",
        )

    def test_the_results_row_leads_to_the_board(self, stage: Court) -> None:
        client = client_of(user_of(stage.arbiter))
        page = client.get(reverse("desk:results", args=[stage.section.pk, 2])).content.decode()
        assert reverse("games:court_board", args=[stage.board().pk]) in page

    def test_the_form_has_no_default_and_takes_the_time_it_happened(self, stage: Court) -> None:
        client = client_of(user_of(stage.arbiter))
        address = reverse("games:court_board", args=[stage.board().pk])
        at = timezone.localtime() - dt.timedelta(minutes=2)
        sent = {"category": "CONDUCT", "against": "W", "raised_by": "A", "happened_at": at.strftime("%H:%M")}
        if at.date() == timezone.localdate():
            assert client.post(address, sent).status_code == 302
            assert (
                timezone.localtime(Incident.objects.get().happened_at).strftime("%H:%M")
                == sent["happened_at"]
            )
        else:
            Incident.objects.create(
                event=stage.event, section=stage.section, pairing=stage.board(), number=1, round_number=2, board=1,
                category="CONDUCT", article="14.1.1", raised_by="A", against="W",
            )  # fmt: skip
        page = reverse("games:incident", args=[Incident.objects.get().pk])
        assert client.post(page, {"effect": "", "side": "", "article": ""}).status_code == 400
        assert client.post(page, {"effect": "WARNING", "side": "", "article": ""}).status_code == 400
        shown = client.get(page).content.decode()
        assert 'value="WARNING" selected' not in shown and 'value="W" selected' not in shown

    def test_a_charge_of_2_30_is_two_and_a_half_minutes(self, stage: Court) -> None:
        client = client_of(user_of(stage.arbiter))
        incident = incidents.log_incident(
            stage.arbiter, stage.board().pk, Report(category="CLOCK_FAULT", raised_by="A")
        )
        page = reverse("games:incident", args=[incident.pk])
        reply = client.post(page, {"effect": "TIME", "white_seconds": "2:30", "black_seconds": "-1:05"})
        assert reply.status_code == 302
        ruling = Ruling.objects.get()
        assert (ruling.white_seconds, ruling.black_seconds) == (150, -65)
        shown = client.get(page).content.decode()
        assert "+2:30" in shown and "-1:05" in shown
        assert client.post(page, {"effect": "TIME", "white_seconds": "2:75"}).status_code == 400

    def test_an_irregular_move_asks_whether_the_opponent_has_moved_since(self, stage: Court) -> None:
        client = client_of(user_of(stage.arbiter))
        address = reverse("games:court_board", args=[stage.board().pk])
        sent = {"category": "IRREGULAR", "against": "W", "raised_by": "B", "article": "7.4.4"}
        assert client.post(address, sent).status_code == 400
        assert client.post(address, {**sent, "moved_on": "yes"}).status_code == 302
        assert Incident.objects.get().settled == "ACCEPTED"


class TestLateness:
    def test_the_page_asks_once_and_the_list_ends_when_the_round_has_begun_for_all(
        self, stage: Court
    ) -> None:
        client = client_of(user_of(stage.arbiter))
        Round.objects.filter(pk=stage.round.pk).update(starts_at=timezone.now() - dt.timedelta(hours=2))
        address = reverse("games:lateness", args=[stage.section.pk, 2])
        asked = client.post(address, {"only": f"{stage.board().pk}:B"})
        assert asked.status_code == 200 and 'name="confirm"' in asked.content.decode()
        assert stage.board().outcome == "UNPLAYED"

        client.post(address, {f"late-{stage.board().pk}": "B", "confirm": "1"})
        assert stage.board().outcome == "BLACK_FORFEITS"

        boards = reverse("games:court_boards", args=[stage.section.pk, 2])
        assert 'id="late"' in client.get(boards).content.decode()
        client.post(reverse("games:round_clocks", args=[stage.section.pk, 2, "all-here"]))
        assert 'id="late"' not in client.get(boards).content.decode()

    def test_through_the_interface(self, stage: Court) -> None:
        api = APIClient()
        api.force_authenticate(user_of(stage.arbiter))
        root = f"/api/v1/events/{stage.event.code}/sections/{stage.section.code}/rounds/2/"
        sent = {"boards": [{"pairing": stage.board().pk, "absent": "WB"}]}
        assert api.post(root + "lateness/", sent, format="json").data["code"] == "no-start"
        assert api.post(root + "clocks/").data["clocks_started_at"] is not None
        assert api.post(root + "lateness/", sent, format="json").data["code"] == "too-early"
        Round.objects.filter(pk=stage.round.pk).update(starts_at=timezone.now() - dt.timedelta(hours=2))
        assert api.get(root + "lateness/").data["is_due"] is True

        made = api.post(root + "lateness/", sent, format="json")

        assert (made.status_code, made.data[0]["article"]) == (201, "8.3.3")
        assert stage.board().outcome == "BOTH_FORFEIT"
        assert api.post(root + "arrival/").data["all_here_at"] is not None

    @pytest.mark.clause("9.1", "15.2.8", "8.2.1", at="games/services/court/lateness.py")
    def test_clocks_are_started_once(self, stage: Court) -> None:
        client = client_of(user_of(stage.arbiter))
        address = reverse("games:round_clocks", args=[stage.section.pk, 2, "start"])
        client.post(address)
        first = Round.objects.get(pk=stage.round.pk).clocks_started_at
        client.post(address)
        assert Round.objects.get(pk=stage.round.pk).clocks_started_at == first is not None


def test_the_effects_of_a_ruling_are_foreseen_as_they_come(stage: Court) -> None:
    from tests.tournaments.builders import rows_after, work_all
    from tournaments.models import Standings

    incident = incidents.log_incident(stage.chief, stage.board().pk, report(against="W"))
    for effect in ("DISQUALIFY", "EXPEL"):
        order = Order(effect=effect, side="W")
        foreseen = rows_after(stage.fresh(), rulings.changes_of(incident, order))
        made = rulings.rule(stage.chief, incident.pk, order)
        work_all(stage.section)
        stored = Standings.objects.filter(section=stage.section, after_round=2).latest("version").rows
        assert stored == foreseen
        rulings.withdraw_ruling(stage.chief, made.pk, reason="again")


def test_the_persons_of_incidents_travel_in_the_event_document(stage: Court) -> None:
    from tournaments.audit import SYSTEM
    from tournaments.exports.event_json import as_text, export_event
    from tournaments.services.event_import import import_event

    incidents.log_person(stage.arbiter, stage.section.pk, 2, report(person="Zhou", person_role="SPECTATOR"))
    ruled(stage, "WARNING")

    again = import_event(SYSTEM, as_text(export_event(stage.event)).encode()).event

    found = again.incidents.get(number=1)
    assert (found.person, found.person_role, found.against, found.board) == ("Zhou", "SPECTATOR", "P", 0)


class TestEveryBreach:
    @pytest.mark.clause(
        "14.1.1", "14.1.2", "14.1.3", "14.1.4", "14.1.5", "14.1.6", "14.1.7", "14.1.8", "14.1.9", "14.1.10", "14.1.11",
        "14.1.12", "14.1.13", at="games/services/court/rulings.py",
    )  # fmt: skip
    @pytest.mark.parametrize("number", range(1, 14))
    def test_each_breach_of_order_is_penalised_under_its_clause_and_told_in_public(
        self, stage: Court, number: int
    ) -> None:
        article = f"14.1.{number}"
        ruling = rulings.rule_at_once(
            stage.arbiter,
            stage.board().pk,
            report(against="B", article=article),
            Order(effect="WARNING", side="B"),
        )

        assert (ruling.article, ruling.incident.article, ruling.state) == (article, article, "IN_FORCE")
        assert ruling.notice is not None and article in ruling.notice.texts["en"]

    @pytest.mark.clause("8.2.6", "8.4", at="games/court_rules.py")
    @pytest.mark.parametrize("raised_by", ["W", "B", "A"])
    def test_time_exceeded_is_pointed_out_by_either_player_or_the_arbiter_and_loses(
        self, stage: Court, raised_by: str
    ) -> None:
        fell = Report(category="FLAG", raised_by=raised_by, against="W")
        incident = incidents.log_incident(stage.arbiter, stage.board().pk, fell)
        rulings.rule(stage.arbiter, incident.pk, Order(effect="GAME_LOST", side="W"))

        assert (incident.article, stage.board().outcome) == ("8.2.6", "BLACK")

    @pytest.mark.clause("14.3.2", "15.2.11", "10.1", at="games/services/court/incidents.py")
    def test_refusing_to_record_loses_the_game(self, stage: Court) -> None:
        refused = Report(category="TECHNICAL", raised_by="A", against="W", article="14.3.2", refused=True)
        incident = incidents.log_incident(stage.arbiter, stage.board().pk, refused)
        rulings.confirm_ruling(stage.arbiter, incident.rulings.get().pk)

        assert stage.board().outcome == "BLACK"

    @pytest.mark.clause("15.2.15", at="games/court_rules.py")
    def test_what_the_regulations_leave_open_is_ruled_on(self, stage: Court) -> None:
        other = Report(category="OTHER", raised_by="A", against="W", note="a fire alarm")
        incident = incidents.log_incident(stage.arbiter, stage.board().pk, other)

        ruling = rulings.rule(stage.arbiter, incident.pk, Order(effect="REPLAY"))

        assert (ruling.article, ruling.is_in_force) == ("15.2.15", True)


@pytest.mark.clause("15.2.3", at="games/selectors/court.py")
@pytest.mark.parametrize("minutes,told", [(45, "have the entry list signed"), (20, "was due at"), (-1, "")])
def test_the_court_reminds_of_the_signed_entry_list_until_the_first_round_begins(
    stage: Court, minutes: int, told: str
) -> None:
    starts = timezone.now() + dt.timedelta(minutes=minutes)
    Round.objects.filter(section=stage.section, number=1).update(starts_at=starts)
    address = reverse("games:court", args=[stage.event.pk])

    page = client_of(user_of(stage.arbiter)).get(address, headers={"accept-language": "en"}).content.decode()

    assert page.count("15.2.3") == bool(told) and told in page
    assert (reverse("games:print_entries", args=[stage.section.pk, 1]) in page) == bool(told)
