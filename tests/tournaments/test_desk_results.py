"""The results form without scripts, and board by board: blank, overwriting, clearing, stale, closed rounds, undo."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from tests.tournaments import builders, crowd
from tests.tournaments.desk_cast import client_of, url
from tests.tournaments.test_desk_flow import text_of
from tournaments.audit import Actor
from tournaments.models import AuditEntry, Pairing, Round, Section
from tournaments.services import results

pytestmark = pytest.mark.django_db


class Stage:
    """Round 1 of a Swiss of eight is public; two forms for it are open at the same time."""

    def __init__(self, **fields: Any) -> None:
        self.actor: Actor = builders.organizer()
        self.section: Section = builders.section(self.actor, players=8, rounds_total=3, **fields)
        self.round: Round = builders.publish_next(self.actor, self.section)
        self.client: Client = client_of(self.actor.user)
        self.page = url("results", section_id=self.section.pk, number=1)

    def board(self, number: int) -> Pairing:
        return self.round.pairings.get(board=number)

    def outcomes(self) -> list[str]:
        return list(self.round.pairings.order_by("board").values_list("outcome", flat=True))

    def form(self, **chosen: str) -> dict[str, str]:
        """What a browser sends for the whole form; `b1="DRAW"` chooses on board 1. Untouched boards send what was shown."""
        posted = {}
        for pairing in self.round.pairings.filter(black__isnull=False):
            shown = "" if pairing.outcome == "UNPLAYED" else pairing.outcome
            posted[f"version-{pairing.pk}"] = str(pairing.version)
            posted[f"was-{pairing.pk}"] = shown
            value = chosen.get(f"b{pairing.board}", shown)
            if value:
                posted[f"outcome-{pairing.pk}"] = value
        return posted

    def other_enters(self, number: int, outcome: str) -> None:
        pairing = self.board(number)
        results.record_outcome(self.actor, pairing.pk, outcome=outcome, version=pairing.version)

    def row(self, number: int, outcome: str, *, version: int | None = None, **more: str) -> dict[str, str]:
        pairing = self.board(number)
        shown = version if version is not None else pairing.version
        return {
            f"version-{pairing.pk}": str(shown), f"was-{pairing.pk}": "", f"outcome-{pairing.pk}": outcome, **more,
        }  # fmt: skip

    def row_address(self, number: int) -> str:
        return url("result", pairing_id=self.board(number).pk)


def test_a_form_enters_what_was_chosen_and_leaves_blank_boards_alone() -> None:
    stage = Stage()
    stage.other_enters(4, "BLACK")

    answer = stage.client.post(stage.page, stage.form(b1="WHITE", b2="DRAW"))

    assert answer.status_code == 302
    assert stage.outcomes() == ["WHITE", "DRAW", "UNPLAYED", "BLACK"]


def test_a_board_left_blank_on_an_old_form_does_not_take_back_what_came_in_meanwhile() -> None:
    stage = Stage()
    old_form = stage.form(b1="WHITE")
    stage.other_enters(2, "DRAW")

    answer = stage.client.post(stage.page, old_form)

    assert answer.status_code == 302
    assert stage.outcomes() == ["WHITE", "DRAW", "UNPLAYED", "UNPLAYED"]


def test_a_stale_form_saves_nothing_and_tells_the_other_result() -> None:
    stage = Stage()
    old_form = stage.form(b1="WHITE", b3="BLACK")
    stage.other_enters(1, "DRAW")

    answer = stage.client.post(stage.page, old_form)

    assert answer.status_code == 409
    assert stage.outcomes() == ["DRAW", "UNPLAYED", "UNPLAYED", "UNPLAYED"]
    text = text_of(answer)
    assert "Meanwhile “draw” was entered here; yours, “White won”, is not saved." in text
    board = stage.board(3)
    assert f'name="outcome-{board.pk}" value="BLACK" data-key="3" checked' in answer.content.decode()
    version = stage.board(1).version
    assert f'name="version-{stage.board(1).pk}" value="{version}"' in answer.content.decode()


def test_overwriting_asks_first_and_keeps_what_was_typed() -> None:
    stage = Stage()
    stage.other_enters(1, "WHITE")
    form = stage.form(b1="BLACK", b2="DRAW")

    asked = stage.client.post(stage.page, form)

    assert asked.status_code == 409
    assert stage.outcomes()[:2] == ["WHITE", "UNPLAYED"]
    assert "Replace “White won” by “Black won”?" in text_of(asked)

    done = stage.client.post(stage.page, {**form, f"confirm-{stage.board(1).pk}": "1"})

    assert done.status_code == 302
    assert stage.outcomes()[:2] == ["BLACK", "DRAW"]


def test_clearing_asks_first() -> None:
    stage = Stage()
    stage.other_enters(1, "WHITE")
    pairing = stage.board(1)
    posted = stage.row(1, "UNPLAYED") | {f"was-{pairing.pk}": "WHITE"}

    asked = stage.client.post(stage.row_address(1), posted)
    assert (asked.status_code, stage.outcomes()[0]) == (409, "WHITE")
    assert "Take back “White won”?" in text_of(asked)

    done = stage.client.post(stage.row_address(1), posted | {f"confirm-{pairing.pk}": "1"})
    assert (done.status_code, stage.outcomes()[0]) == (200, "UNPLAYED")


@pytest.mark.parametrize(
    "outcome",
    ["WHITE", "DRAW", "BLACK", "WHITE_FORFEITS", "BLACK_FORFEITS", "BOTH_FORFEIT", "BOTH_LOSE", "VOID"],
)
def test_every_result_can_be_entered_board_by_board(outcome: str) -> None:
    stage = Stage()

    answer = stage.client.post(stage.row_address(2), stage.row(2, outcome))

    assert answer.status_code == 200
    assert "saved" in text_of(answer)
    assert stage.outcomes() == ["UNPLAYED", outcome, "UNPLAYED", "UNPLAYED"]


def test_two_results_for_one_board_one_wins_and_the_other_is_told() -> None:
    stage = Stage()
    first, second = stage.row(1, "WHITE"), stage.row(1, "DRAW")

    answers = [stage.client.post(stage.row_address(1), posted) for posted in (first, second)]

    assert [answer.status_code for answer in answers] == [200, 409]
    assert stage.outcomes()[0] == "WHITE"
    assert "Meanwhile “White won” was entered here" in text_of(answers[1])


def test_the_same_result_twice_is_no_conflict() -> None:
    stage = Stage()
    first, second = stage.row(1, "WHITE"), stage.row(1, "WHITE")

    answers = [stage.client.post(stage.row_address(1), posted) for posted in (first, second)]

    assert [answer.status_code for answer in answers] == [200, 200]
    assert AuditEntry.objects.filter(action="record-outcome").count() == 1


def test_what_is_no_result_is_refused_on_the_row() -> None:
    stage = Stage()

    answer = stage.client.post(stage.row_address(1), stage.row(1, "MATE"))

    assert answer.status_code == 400
    assert stage.outcomes()[0] == "UNPLAYED"


def test_the_grades_of_the_scheme_are_buttons_and_no_others() -> None:
    stage = Stage(scheme="MICRO12")
    page = stage.client.get(stage.page).content.decode()
    assert 'value="WHITE:8-4"' in page

    answer = stage.client.post(stage.row_address(1), stage.row(1, "WHITE:8-4"))
    wrong = stage.client.post(stage.row_address(2), stage.row(2, "WHITE:9-3"))

    assert (answer.status_code, wrong.status_code) == (200, 400)
    assert (stage.board(1).outcome, stage.board(1).grade) == ("WHITE", "8-4")
    assert stage.outcomes()[1] == "UNPLAYED"


def test_a_correction_after_the_next_pairing_needs_a_reason() -> None:
    stage = Stage()
    builders.enter_all(stage.actor, stage.round)
    builders.draft(stage.actor, stage.section)
    pairing = stage.board(1)
    form = stage.form(b1="DRAW") | {f"confirm-{pairing.pk}": "1"}

    asked = stage.client.post(stage.page, form)
    assert asked.status_code == 400
    assert "give a reason" in text_of(asked)
    assert 'id="reason"' in asked.content.decode()
    assert stage.outcomes()[0] == "WHITE"

    done = stage.client.post(stage.page, form | {"reason": "the slip was misread"})
    assert done.status_code == 302
    assert stage.outcomes()[0] == "DRAW"
    assert AuditEntry.objects.filter(action="record-outcome").latest("pk").reason == "the slip was misread"


def test_undo_goes_back_one_entry_and_only_while_nothing_came_after() -> None:
    stage = Stage()
    stage.other_enters(1, "WHITE")
    stage.other_enters(1, "DRAW")
    pairing = stage.board(1)
    newest = AuditEntry.objects.filter(action="record-outcome").latest("pk")
    undo = {"change": str(newest.pk), "version": str(pairing.version)}
    address = url("result_undo", pairing_id=pairing.pk)

    assert stage.client.get(stage.page).content.decode().count("Undo") == 1
    assert stage.client.post(address, undo).status_code == 302
    assert stage.outcomes()[0] == "WHITE"

    again = stage.client.post(address, undo)
    assert (again.status_code, stage.outcomes()[0]) == (302, "WHITE")
    stage.other_enters(1, "BLACK")
    late = stage.client.post(address, undo)
    assert (late.status_code, stage.outcomes()[0]) == (409, "BLACK")


def test_the_filter_shows_boards_without_a_result() -> None:
    stage = Stage()
    stage.other_enters(2, "DRAW")

    page = stage.client.get(stage.page + "?show=missing").content.decode()

    assert 'id="board-1"' in page
    assert 'id="board-2"' not in page


def test_a_draft_takes_no_results() -> None:
    stage = Stage()
    builders.enter_all(stage.actor, stage.round)
    builders.draft(stage.actor, stage.section)

    answer = stage.client.get(url("results", section_id=stage.section.pk, number=2))

    assert answer.status_code == 409
    assert "Round 2 is not published yet." in text_of(answer)


def test_a_reason_of_any_length_and_kind_is_kept_as_far_as_the_log_holds_it() -> None:
    stage = Stage()
    odd = "\x00" + "判" * 2000

    answer = stage.client.post(stage.page, stage.form(b1="WHITE") | {"reason": odd})

    assert answer.status_code == 302
    assert AuditEntry.objects.filter(action="record-outcome").latest("pk").reason == "判" * 300


@pytest.mark.parametrize("change", ["", "x", "-1", "9" * 40])
def test_undoing_what_is_no_entry_of_the_log_finds_nothing(change: str) -> None:
    stage = Stage()
    stage.other_enters(1, "WHITE")
    pairing = stage.board(1)

    answer = stage.client.post(
        url("result_undo", pairing_id=pairing.pk), {"change": change, "version": pairing.version}
    )

    assert (answer.status_code, stage.outcomes()[0]) == (404, "WHITE")


def test_a_version_that_is_no_number_saves_nothing() -> None:
    stage = Stage()
    pairing = stage.board(1)

    answer = stage.client.post(stage.row_address(1), stage.row(1, "WHITE") | {f"version-{pairing.pk}": "x"})

    assert (answer.status_code, stage.outcomes()[0]) == (409, "UNPLAYED")


def test_a_form_of_500_boards_is_taken_in_a_few_statements(django_assert_max_num_queries: Any) -> None:
    """A site's limit on the fields of a form is no limit on the size of a hall."""
    actor = builders.organizer()
    section = builders.section(actor, rounds_total=3)
    round_ = crowd.publish(section, crowd.enter(section, 1000))
    client = client_of(actor.user)
    posted = {}
    for pairing in Pairing.objects.filter(round=round_):
        value = ["WHITE", "DRAW", "BLACK"][pairing.board % 3]
        posted |= {f"version-{pairing.pk}": "0", f"was-{pairing.pk}": "", f"outcome-{pairing.pk}": value}

    with django_assert_max_num_queries(45):
        answer = client.post(
            url("results", section_id=section.pk, number=1),
            urlencode(posted),
            content_type="application/x-www-form-urlencoded",
        )

    assert answer.status_code == 302
    assert not round_.pairings.filter(outcome="UNPLAYED").exists()
    assert set(round_.pairings.values_list("version", flat=True)) == {1}
    assert AuditEntry.objects.filter(action="record-outcome", section=section).count() == 500
