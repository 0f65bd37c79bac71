"""The result of a match follows from its games, whichever way it is entered; forfeits and rulings may stand beside them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.utils.translation import override

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of
from tournaments.audit import Actor
from tournaments.errors import BadInput, WrongState
from tournaments.exports.event_json import as_text, export_event
from tournaments.models import Entry, Event, Pairing, Section
from tournaments.services import matches, results
from tournaments.services.event_import import import_event
from tournaments.services.matches import BoardLine

pytestmark = pytest.mark.django_db


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


@pytest.fixture
def micro(organizer: Actor) -> Pairing:
    """A micro-match that White won in the second game, 8-4."""
    section = b.section(organizer, players=2, format="KNOCKOUT", match_rule="WTM_2020", scheme="MICRO12")
    pairing = b.publish_next(organizer, section).pairings.get()
    return matches.record_stage_games(organizer, pairing.pk, ["DRAW", "BLACK"], version=0)


@pytest.fixture
def team(organizer: Actor) -> Pairing:
    """A match of two teams over two boards, drawn 1-1 in games won."""
    section = b.section(organizer, players=2, team_boards=2, preset="TEAM", format="TEAM_ROUND_ROBIN")
    for entry in b.entry_list(section):
        matches.set_members(organizer, entry.pk, [(f"{entry} {n}", 2000) for n in (1, 2)])
    pairing = b.publish_next(organizer, section).pairings.select_related("white", "black").get()
    assert pairing.black is not None
    lines = [
        BoardLine(first=first, second=second, outcome="WHITE")
        for first, second in zip(_members(pairing.white), _members(pairing.black), strict=True)
    ]
    return matches.record_team_match(organizer, pairing.pk, lines, version=0)


def _members(entry: Entry) -> list[int]:
    return list(entry.members.order_by("position").values_list("pk", flat=True))


def stands(pairing: Pairing) -> tuple[str, str]:
    return Pairing.objects.values_list("outcome", "grade").get(pk=pairing.pk)


class TestAgainstTheGames:
    @pytest.mark.parametrize("outcome", ["WHITE", "BLACK", "DRAW", "UNPLAYED"])
    def test_a_result_that_the_games_do_not_give_is_refused(self, organizer, micro, outcome) -> None:
        for reason in ("", "because I say so"):
            with override("en"), pytest.raises(WrongState) as told:
                results.record_outcome(
                    organizer, micro.pk, outcome=outcome, version=micro.version, reason=reason
                )
            assert told.value.code == "against-games"
            with override("en"):
                assert "White won" in told.value.message

        assert stands(micro) == ("WHITE", "8-4")

    def test_so_it_is_in_a_match_of_teams(self, organizer, team) -> None:
        assert stands(team) == ("DRAW", "")

        with pytest.raises(WrongState):
            results.record_outcome(organizer, team.pk, outcome="WHITE", version=team.version)

        assert stands(team) == ("DRAW", "")

    def test_one_of_a_form_refuses_the_whole_form(self, organizer) -> None:
        section = b.section(organizer, players=4, format="KNOCKOUT", match_rule="WTM_2020", scheme="MICRO12")
        one, two = b.publish_next(organizer, section).pairings.order_by("board")
        one = matches.record_stage_games(organizer, one.pk, ["WHITE"], version=0)
        lines = [
            results.Line(pairing=two.pk, outcome="WHITE", version=0),
            results.Line(pairing=one.pk, outcome="BLACK", version=one.version),
        ]

        with pytest.raises(WrongState):
            results.record_outcomes(organizer, section.pk, lines)

        assert stands(two) == ("UNPLAYED", "")

    def test_what_the_games_give_is_taken(self, organizer, micro) -> None:
        found = results.record_outcome(
            organizer, micro.pk, outcome="WHITE", grade="8-4", version=micro.version
        )

        assert (found.outcome, found.grade) == ("WHITE", "8-4")

    def test_a_match_without_games_takes_a_plain_result(self, organizer) -> None:
        section = b.section(organizer, players=2, format="KNOCKOUT", match_rule="WTM_2020", scheme="MICRO12")
        pairing = b.publish_next(organizer, section).pairings.get()

        assert results.record_outcome(organizer, pairing.pk, outcome="BLACK", version=0).outcome == "BLACK"

    def test_games_entered_later_decide(self, organizer) -> None:
        section = b.section(organizer, players=2, format="KNOCKOUT", match_rule="WTM_2020", scheme="MICRO12")
        pairing = b.publish_next(organizer, section).pairings.get()
        results.record_outcome(organizer, pairing.pk, outcome="BLACK", version=0)

        found = matches.record_stage_games(organizer, pairing.pk, ["WHITE"], version=1)

        assert found.outcome == "WHITE"


class TestBesideTheGames:
    @pytest.mark.parametrize("outcome", ["WHITE_FORFEITS", "BOTH_FORFEIT", "BOTH_LOSE", "VOID"])
    def test_a_forfeit_or_a_loss_for_both_needs_a_reason(self, organizer, micro, outcome) -> None:
        with pytest.raises(WrongState):
            results.record_outcome(organizer, micro.pk, outcome=outcome, version=micro.version)

        found = results.record_outcome(
            organizer, micro.pk, outcome=outcome, version=micro.version, reason="left the hall"
        )

        assert found.outcome == outcome
        assert found.match_games.count() == 2

    def test_a_ruling_stands_whatever_the_games_say(self, organizer, micro) -> None:
        court = replace(organizer, authority="Ruling 3")

        found = results.record_outcome(court, micro.pk, outcome="BLACK", version=micro.version, reason="14.2")

        assert found.outcome == "BLACK"

    def test_the_games_entered_again_bring_their_result_back(self, organizer, micro) -> None:
        found = results.record_outcome(
            organizer, micro.pk, outcome="BOTH_LOSE", version=micro.version, reason="x"
        )

        found = matches.record_stage_games(organizer, micro.pk, ["DRAW", "BLACK"], version=found.version)

        assert stands(found) == ("WHITE", "8-4")


class TestPages:
    def test_the_grid_says_why_and_keeps_the_result(self, organizer, micro) -> None:
        desk = client_of(organizer.user)
        form = {
            f"outcome-{micro.pk}": "BLACK", f"was-{micro.pk}": "WHITE:8-4", f"version-{micro.pk}": micro.version,
            f"confirm-{micro.pk}": "1",
        }  # fmt: skip
        section = micro.round.section_id

        answer = desk.post(
            f"/desk/sections/{section}/rounds/1/results/", form, headers={"accept-language": "en"}
        )
        row = desk.post(f"/desk/pairings/{micro.pk}/result/", form, headers={"accept-language": "zh-hans"})

        assert answer.status_code == row.status_code == 409
        assert "by its games the result is" in answer.content.decode()
        assert "按各局成绩" in row.content.decode()
        assert stands(micro) == ("WHITE", "8-4")

    def test_a_forfeit_with_its_reason_goes_through_the_grid(self, organizer, micro) -> None:
        desk = client_of(organizer.user)
        address = f"/desk/sections/{micro.round.section_id}/rounds/1/results/"
        assert 'name="reason"' in desk.get(address).content.decode()

        desk.post(
            address,
            {
                f"outcome-{micro.pk}": "WHITE_FORFEITS", f"was-{micro.pk}": "WHITE:8-4",
                f"version-{micro.pk}": micro.version, f"confirm-{micro.pk}": "1", "reason": "refused to go on",
            },
        )  # fmt: skip

        assert stands(micro) == ("WHITE_FORFEITS", "")


class TestDocuments:
    def document(self, pairing: Pairing) -> Any:
        event = Event.objects.get(pk=pairing.round.section.event_id)
        return json.loads(as_text(export_event(event)))

    def board(self, document: Any) -> Any:
        return document["sections"][0]["rounds"][0]["pairings"][0]

    def test_an_import_refuses_a_result_against_the_games(self, organizer, micro) -> None:
        document = self.document(micro)
        self.board(document).update(outcome="BLACK", grade="")

        with pytest.raises(BadInput) as told:
            import_event(organizer, json.dumps(document).encode())

        assert "pairings" in told.value.message
        assert Event.objects.count() == 1

    @pytest.mark.parametrize("outcome", ["BLACK", "WHITE_FORFEITS"])
    def test_a_ruled_match_comes_back_as_it_stands(self, organizer, micro, outcome) -> None:
        court = replace(organizer, authority="Ruling 3")
        results.record_outcome(court, micro.pk, outcome=outcome, version=micro.version, reason="14.2")
        document = self.document(micro)
        assert self.board(document)["ruled"] is True

        made = import_event(organizer, json.dumps(document).encode()).event

        section = Section.objects.get(event=made)
        assert Pairing.objects.get(round__section=section).outcome == outcome

    def test_a_document_that_says_nothing_of_rulings_is_read(self, organizer, micro, team) -> None:
        for pairing in (micro, team):
            document = self.document(pairing)
            assert self.board(document).pop("ruled") is False

            made = import_event(organizer, json.dumps(document).encode()).event

            section = Section.objects.get(event=made)
            assert Pairing.objects.get(round__section=section).outcome == pairing.outcome
