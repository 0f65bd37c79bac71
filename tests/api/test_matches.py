"""Teams, the games of matches and the bracket through the interface: what is told, what is entered, and nothing of drafts."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import Caller, at
from tests.tournaments import builders as b
from tests.tournaments.test_team_matches import play, teams_of
from tournaments.audit import Actor
from tournaments.models import Event, MatchGame, Section
from tournaments.services import events, matches, rounds

pytestmark = pytest.mark.django_db


@pytest.fixture
def teams(organizer: Actor) -> Section:
    return teams_of(organizer, teams=4, format="TEAM_ROUND_ROBIN")


@pytest.fixture
def knockout(organizer: Actor) -> Section:
    section = b.section(organizer, players=4, format="KNOCKOUT", match_rule="WTM_2020", scheme="MICRO12")
    Event.objects.update(state=Event.State.OPEN)
    section.refresh_from_db()
    return section


class TestTeams:
    def test_each_is_told_with_its_players_in_board_order(self, teams: Section) -> None:
        found = Caller().get(at(teams, "teams/"))

        assert (found["count"], len(found["results"][0]["members"])) == (4, 3)
        first = found["results"][0]
        assert [m["name"] for m in first["members"]] == [f"{first['name']} / {n}" for n in (1, 2, 3)]
        assert [m["position"] for m in first["members"]] == [1, 2, 3]
        assert [t["name"] for t in Caller().get(at(teams, "teams/"), q="player 3")["results"]] == ["Player 3"]

    def test_a_section_of_single_players_has_none(self, section: Section) -> None:
        assert Caller().refused("get", at(section, "teams/")) == (404, "not-found")

    def test_players_are_set_as_a_list(self, organizer: Actor, teams: Section) -> None:
        entry = teams.entries.order_by("pk")[0]
        sent = {"members": [{"name": "李芳", "rating": 2100}, {"name": "王强"}]}

        team = Caller(organizer).done("put", at(teams, f"entries/{entry.pk}/members/"), sent)

        assert [(m["position"], m["name"], m["rating"]) for m in team["members"]] == [
            (1, "李芳", 2100),
            (2, "王强", 0),
        ]

    @pytest.mark.parametrize("sent", [{}, {"members": "李芳"}, {"members": [{"name": ""}]}, {"members": [{"name": "A"}, {"name": "A"}]}])  # fmt: skip
    def test_a_list_that_makes_no_team_is_refused(self, organizer: Actor, teams: Section, sent: Any) -> None:
        entry = teams.entries.order_by("pk")[0]

        assert Caller(organizer).refused("put", at(teams, f"entries/{entry.pk}/members/"), sent) == (
            400,
            "bad-input",
        )
        assert entry.members.count() == 3


class TestMatchesOfTeams:
    def test_line_ups_and_boards_are_told(self, organizer: Actor, teams: Section) -> None:
        round_ = b.publish_next(organizer, teams)
        pairing = round_.pairings.select_related("white", "black").get(board=1)
        play(organizer, pairing, "WHITE", "DRAW", second=(1, 3))

        match = Caller().get(at(teams, "rounds/1/matches/"))["results"][0]

        assert (match["id"], match["outcome"], match["score"]) == (pairing.pk, "WHITE", "3-1")
        assert [(g["outcome"], g["first_white"], g["second"]["position"]) for g in match["games"]] == [
            ("WHITE", True, 1),
            ("DRAW", False, 3),
        ]
        assert Caller().get(at(teams, f"pairings/{pairing.pk}/match/")) == match

    def test_boards_are_entered_and_a_stale_entry_is_a_conflict(
        self, organizer: Actor, teams: Section
    ) -> None:
        pairing = b.publish_next(organizer, teams).pairings.select_related("white", "black").get(board=1)
        seats = zip(pairing.white.members.all(), pairing.black.members.all(), strict=True)
        boards = [{"first": one.pk, "second": two.pk, "outcome": "DRAW"} for one, two in list(seats)[:2]]
        caller, path = Caller(organizer), at(teams, f"pairings/{pairing.pk}/match/")

        saved = caller.done("put", path, {"boards": boards, "version": 0})

        assert (saved["outcome"], saved["version"]) == ("DRAW", 1)
        assert caller.refused("put", path, {"boards": boards, "version": 0}) == (409, "conflict")
        assert caller.refused("put", path, {"games": ["WHITE"], "version": 1}) == (400, "bad-input")
        assert caller.refused("put", path, {"boards": boards[:1], "version": 1}) == (400, "bad-input")
        assert MatchGame.objects.count() == 2

    def test_the_number_of_queries_does_not_grow(self, organizer: Actor) -> None:
        counts = []
        for size in (2, 8):
            section = teams_of(organizer, teams=size, format="TEAM_ROUND_ROBIN")
            for pairing in b.publish_next(organizer, section).pairings.select_related("white", "black"):
                play(organizer, pairing, "WHITE", "DRAW")
            with CaptureQueriesContext(connection) as found:
                for path in ("teams/", "rounds/1/matches/"):
                    Caller().get(at(section, path))
            counts.append(len(found))

        assert counts[0] == counts[1]


class TestMicroMatches:
    def test_games_are_entered_as_they_are_played(self, organizer: Actor, knockout: Section) -> None:
        pairing = b.publish_next(organizer, knockout).pairings.get(board=1)
        caller, path = Caller(organizer), at(knockout, f"pairings/{pairing.pk}/match/")

        caller.done("put", path, {"games": ["DRAW"], "version": 0})
        match = Caller().get(path)

        assert [(g["number"], g["outcome"], g["first"]) for g in match["games"]] == [(1, "DRAW", None)]
        assert match["next_game"]["number"] == 2
        assert match["next_game"]["pace"]

    def test_a_section_of_single_games_has_no_matches(self, organizer: Actor, section: Section) -> None:
        pairing = b.publish_next(organizer, section).pairings.get(board=1)

        for path in ("rounds/1/matches/", f"pairings/{pairing.pk}/match/"):
            assert Caller().refused("get", at(section, path)) == (404, "not-found")
        sent = {"games": ["WHITE"], "version": 0}
        assert Caller(organizer).refused("put", at(section, f"pairings/{pairing.pk}/match/"), sent) == (
            409,
            "wrong-state",
        )


class TestBracket:
    def test_ties_and_who_won_them(self, organizer: Actor, knockout: Section) -> None:
        assert Caller().get(at(knockout, "bracket/")) == {"rounds": [], "groups": []}
        round_ = b.publish_next(organizer, knockout)
        for pairing in round_.pairings.all():
            matches.record_stage_games(organizer, pairing.pk, ["WHITE"], version=pairing.version)

        semis, final = Caller().get(at(knockout, "bracket/"))["rounds"]

        assert [(tie["upper"]["number"], tie["lower"]["number"]) for tie in semis] == [(1, 4), (2, 3)]
        winners = {tie["winner"]["id"] for tie in semis}
        assert winners == {pairing.white_id for pairing in round_.pairings.all()}
        assert {final[0]["upper"]["id"], final[0]["lower"]["id"]} == winners
        assert [(tie["winner"], tie["third_place"]) for tie in final] == [(None, False)]

    def test_groups_before_it_have_their_tables(self, organizer: Actor) -> None:
        section = b.section(organizer, players=4, format="GROUPS_KNOCKOUT", groups=2, group_places=1)
        Event.objects.update(state=Event.State.OPEN)
        b.draft(organizer, section)
        rounds.publish_all_rounds(organizer, section.pk)

        found = Caller().get(at(section, "bracket/"))

        assert found["rounds"] == []
        assert [[row["goes_on"] for row in rows] for rows in found["groups"]] == [[True, False]] * 2

    def test_there_is_none_elsewhere(self, section: Section) -> None:
        assert Caller().refused("get", at(section, "bracket/")) == (404, "not-found")


@pytest.mark.parametrize("kind", ["teams", "knockout"])
def test_a_draft_shows_in_no_match_and_no_bracket(
    request: pytest.FixtureRequest, organizer: Actor, kind: str
) -> None:
    section = request.getfixturevalue(kind)
    paths = ["rounds/1/matches/", "bracket/", "teams/"]
    before = [answer(section, path) for path in paths]

    pairing = b.draft(organizer, section).pairings.get(board=1)

    assert [answer(section, path) for path in paths] == before
    nothing = answer(section, "pairings/0/match/")
    assert nothing[0] == 404
    assert answer(section, f"pairings/{pairing.pk}/match/")[:2] == nothing[:2]


def answer(section: Section, path: str) -> tuple[int, bytes, str]:
    reply = Caller().client.get(f"/api/v1/{at(section, path)}")
    return reply.status_code, reply.content, reply.get("ETag", "")


def test_the_match_as_read_names_the_version_that_its_change_needs(organizer: Actor) -> None:
    section = b.section(organizer, players=4, format="KNOCKOUT", match_rule="WTM_2020")
    events.show_event(organizer, section.event_id, public=True)
    round_ = b.publish_next(organizer, section)
    caller = Caller(organizer)
    pairing = round_.pairings.earliest("board")
    path = at(section, f"pairings/{pairing.pk}/match/")

    for games in (["DRAW"], ["DRAW", "WHITE"]):
        version = caller.get(path)["version"]
        caller.done("put", path, {"games": games, "version": version})
    assert caller.get(path)["grade"] in ("8-4", "4-8")
    assert caller.refused("put", path, {"games": ["WHITE"], "version": version})[0] == 409
    (first, _second) = caller.get(at(section, "rounds/1/matches/"))["results"]
    assert first["version"] == caller.get(path)["version"]
