"""Match rules and the points they count, points and stages of a section's own, and pairs of options that make no sense."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments import builders as b
from tests.tournaments.desk_cast import client_of, url
from tests.tournaments.test_section_choices import PLAIN, copies, options
from tournaments import formats, snapshot
from tournaments.audit import Actor
from tournaments.errors import BadInput
from tournaments.models import Section
from tournaments.selectors.standing_tables import compute_table
from tournaments.services import events, matches, results, rounds
from tournaments.services.results import Line

pytestmark = pytest.mark.django_db

WTM_2020 = {
    "stages": [
        {"pace": "CLASSICAL", "clock": "80'+1'", "games": 1, "score": [12, 0], "first_win": False},
        {"pace": "RAPID", "clock": "", "games": 1, "score": [8, 4], "first_win": False},
    ],
    "drawn": 6,
}


@pytest.fixture
def organizer() -> Actor:
    return b.organizer()


def table(section: Section, *, after_round: int) -> list[tuple[int, int, dict[str, Any]]]:
    found = compute_table(section, snapshot.load(section, public_only=True), after_round=after_round)
    return [(row["number"], row["points"], row["values"]) for row in found.rows]


def play_all(actor: Actor, section: Section, games: list[list[str]]) -> None:
    """Every match of the one round, board by board, by its games."""
    round_ = b.publish_next(actor, section)
    for pairing, outcomes in zip(round_.pairings.order_by("board"), games, strict=True):
        matches.record_stage_games(actor, pairing.pk, outcomes, version=pairing.version)


class TestMatchRules:
    def test_the_world_cup_final_counts_five_to_nil_and_three_to_two(self, organizer: Actor) -> None:
        section = b.section(
            organizer,
            players=4,
            format="ROUND_ROBIN",
            preset="FMJD_ROUND_ROBIN",
            match_rule="WORLD_CUP_FINAL_2017",
        )
        assert section.scheme == "MICRO5"

        play_all(organizer, section, [["WHITE"], ["DRAW", "DRAW", "BLACK"]])

        first, second, third, fourth = (row for row in table(section, after_round=1))
        assert [(row[1], row[2]["WINS"]) for row in (first, second, third, fourth)] == [
            (5, 1),
            (3, 0),
            (2, 0),
            (0, 0),
        ]

    def test_such_a_match_is_never_entered_as_drawn(self, organizer: Actor) -> None:
        section = b.section(organizer, players=2, format="ROUND_ROBIN", match_rule="WORLD_CUP_FINAL_2017")
        pairing = b.publish_next(organizer, section).pairings.get()

        with pytest.raises(BadInput):
            results.record_outcomes(
                organizer, section.pk, [Line(pairing=pairing.pk, outcome="DRAW", version=pairing.version)]
            )

        pairing.refresh_from_db()
        assert pairing.outcome == "UNPLAYED"

    @pytest.mark.parametrize(
        ("games", "points"),
        [
            (["WHITE"], (12, 0)),
            (["DRAW", "BLACK"], (8, 4)),
            (["DRAW", "DRAW", "WHITE"], (7, 5)),
            (["DRAW"] * 3, (6, 6)),
        ],
    )
    def test_the_world_title_match_of_2020_brings_its_scores(
        self, organizer: Actor, games: list[str], points: tuple[int, int]
    ) -> None:
        section = b.section(organizer, players=2, format="ROUND_ROBIN", match_rule="WTM_2020")

        play_all(organizer, section, [games])

        assert tuple(row[1] for row in table(section, after_round=1)) == points

    def test_a_scheme_that_has_not_its_scores_is_refused(self, organizer: Actor) -> None:
        section = b.section(organizer)
        for scheme in ("STD", "PLUS", "DELFT4", "GRAD12", "MICRO5", "XQ3", "XQ_SECOND"):
            with pytest.raises(BadInput) as told:
                events.update_section(organizer, section.pk, {"match_rule": "WTM_2020", "scheme": scheme})
            assert "micro-match, 12 points" in str(told.value.values["fields"]["scheme"])
        section.refresh_from_db()
        assert (section.match_rule, section.scheme) == ("", "STD")

    def test_a_rule_of_wins_alone_takes_plain_schemes(self, organizer: Actor) -> None:
        section = b.section(organizer, match_rule="TWO_GAMES", scheme="XQ3")
        assert formats.match_rule(section) is not None
        with pytest.raises(BadInput):
            events.update_section(organizer, section.pk, {"scheme": "GRAD12"})

    def test_teams_play_over_their_boards(self, organizer: Actor) -> None:
        for fields in ({"match_rule": "TWO_GAMES"}, {"own_match": WTM_2020}):
            with pytest.raises(BadInput) as told:
                b.section(organizer, format="TEAM_SWISS", **fields)
            assert "boards" in str(told.value.values["fields"])


class TestOwnPoints:
    @pytest.mark.parametrize("value", [0, 1, 2])
    def test_the_bye_counts_what_the_section_says(self, organizer: Actor, value: int) -> None:
        section = b.section(organizer, players=3, own_points={"bye": value}, preset="CN_SWISS")

        b.play_round(organizer, section)

        bye = section.entries.get(white_pairings__outcome="BYE").number
        assert {row[0]: row[1] for row in table(section, after_round=1)}[bye] == value

    def test_a_scheme_of_ones_own_counts(self, organizer: Actor) -> None:
        own = {"win": 3, "draw": 1, "grades": [[2, 0, "WIN"]]}
        section = b.section(organizer, players=4, own_points=own)
        assert (section.result_scheme.bye, section.result_scheme.forfeit_win) == (3, 3)
        first, second = b.publish_next(organizer, section).pairings.order_by("board")

        results.record_outcomes(
            organizer,
            section.pk,
            [
                Line(pairing=first.pk, outcome="BLACK", grade="0-2", version=first.version),
                Line(pairing=second.pk, outcome="DRAW", version=second.version),
            ],
        )

        assert sorted(row[1] for row in table(section, after_round=1)) == [0, 1, 1, 2]

    @pytest.mark.parametrize(
        ("own", "says"),
        [
            ({"win": 0}, "A win counts more"),
            ({"draw": 3}, "A win counts more"),
            ({"win": 2.5}, "whole numbers"),
            ({"win": True}, "whole numbers"),
            ({"bye": 3}, "No more than a win"),
            ({"bye": -1}, "whole numbers"),
            ({"loss": 2}, "A win counts more"),
            ({"victory": 2}, "victory"),
            ({"grades": [[1, 2, "WIN"]]}, "higher number first"),
            ({"grades": [[1, 1, "WIN"]]}, "higher number first"),
            ({"grades": "8-4"}, "higher number first"),
            ({"grades": [[8, 4]]}, "higher number first"),
        ],
    )
    def test_points_that_make_no_sense_are_refused(
        self, organizer: Actor, own: dict[str, Any], says: str
    ) -> None:
        with pytest.raises(BadInput) as told:
            b.section(organizer, own_points=own)
        assert says in told.value.values["fields"]["own_points"][0]


class TestOwnMatch:
    def test_its_stages_bring_their_points(self, organizer: Actor) -> None:
        section = b.section(organizer, players=4, format="ROUND_ROBIN", own_match=WTM_2020)
        assert section.own_points == {"win": 12, "draw": 6, "loss": 0, "grades": [[8, 4, "WIN"]]}

        play_all(organizer, section, [["DRAW", "BLACK"], ["DRAW", "DRAW"]])

        assert sorted(row[1] for row in table(section, after_round=1)) == [4, 6, 6, 8]

    @pytest.mark.parametrize(
        "change",
        [
            {"stages": []},
            {"stages": "all"},
            {"drawn": None},
            {"drawn": -1},
            {"winner": 2},
            {"stages": [{"pace": "BLITZ", "games": 0, "score": [2, 0]}] * 2, "drawn": None},
            {"stages": [{"pace": "BULLET", "games": 1, "score": [2, 0]}]},
            {"stages": [{"pace": "BLITZ", "games": 1, "score": [0, 2]}]},
            {"stages": [{"pace": "BLITZ", "games": 99, "score": [2, 0]}]},
            {"stages": [{"pace": "BLITZ", "games": 1, "score": [2, 0], "clock": 5}]},
            {"stages": [{"pace": "BLITZ", "games": 1, "score": [2, 0], "colour": "w"}]},
        ],
    )
    def test_stages_that_make_no_match_are_refused(self, organizer: Actor, change: dict[str, Any]) -> None:
        with pytest.raises(BadInput) as told:
            b.section(organizer, own_match=WTM_2020 | change)
        assert list(told.value.values["fields"]) == ["own_match"]

    def test_not_beside_a_named_rule(self, organizer: Actor) -> None:
        with pytest.raises(BadInput):
            b.section(organizer, own_match=WTM_2020, match_rule="WTM_2020")


class TestForm:
    def test_points_and_stages_are_typed_kept_and_shown(self, organizer: Actor) -> None:
        event = events.create_event(organizer, {"name": "岳阳公开赛"})
        client: Client = client_of(organizer.user)
        typed = {
            "stage_0_pace": "CLASSICAL", "stage_0_games": "1", "stage_0_score": "10-0", "stage_1_pace": "SUPER_BLITZ",
            "stage_1_games": "0", "stage_1_score": "6-4", "stage_1_clock": "5'+2\"", "points_bye": "5", "points_win": "10",
            "points_draw": "5", "points_grades": "6-4",
        }  # fmt: skip

        reply = client.post(
            url("section_new", event_id=event.pk), {**PLAIN, "format": "ROUND_ROBIN", **typed}
        )

        assert reply.status_code == 302, reply.context["form"].errors
        section = event.sections.get()
        assert section.own_points == {"win": 10, "draw": 5, "bye": 5, "grades": [[6, 4, "WIN"]]}
        assert [stage["score"] for stage in section.own_match["stages"]] == [[10, 0], [6, 4]]
        settings = url("section_settings", section_id=section.pk)
        page = client.get(settings).content.decode()
        assert 'value="6-4"' in page and 'value="10-0"' in page
        form = client.get(settings).context["form"]
        same = {
            bound.html_name: bound.value()
            for bound in form
            if bound.value() not in (None, "") and bound.value() is not False
        }
        assert client.post(settings, same).status_code == 302
        before = options(section)
        section.refresh_from_db()
        assert options(section) == before
        assert options(copies(event, organizer)[0]) == before
        events.show_event(organizer, event.pk, public=True)
        info = client.get(reverse("public:info", args=[event.code, section.code])).content.decode()
        assert "bye 5" in info and "games until somebody wins: 6-4" in info

    def test_a_stage_without_its_pace_is_no_stage(self, organizer: Actor) -> None:
        event = events.create_event(organizer, {"name": "岳阳公开赛"})
        client: Client = client_of(organizer.user)
        for stray in (
            {"stage_1_score": "2-0"},
            {"stage_drawn": "1"},
            {"points_grades": "much"},
            {"stage_0_score": "2"},
        ):
            reply = client.post(url("section_new", event_id=event.pk), {**PLAIN, **stray})
            assert reply.status_code == 400 and reply.context["form"].errors


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"format": "ROUND_ROBIN", "acceleration": True}, "acceleration"),
        ({"format": "TEAM_SWISS", "ranking": "SOLKOFF"}, "ranking"),
        ({"format": "KNOCKOUT", "drop_absent": True}, "drop_absent"),
        ({"format": "SWISS", "third_place": True}, "third_place"),
        ({"format": "TEAM_ROUND_ROBIN", "team_places": 2}, "team_places"),
        ({"format": "ROUND_ROBIN", "protect_clubs_rounds": 2}, "protect_clubs_rounds"),
    ],
)
def test_what_the_format_would_pass_over_is_refused(
    organizer: Actor, fields: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(BadInput) as told:
        b.section(organizer, **fields)
    assert list(told.value.values["fields"]) == [wrong]

    section = b.section(organizer, **{**fields, wrong: Section._meta.get_field(wrong).default})
    with pytest.raises(BadInput):
        events.update_section(organizer, section.pk, {wrong: fields[wrong]})


class TestForfeitsOfPresets:
    def test_a_forfeit_win_counts_in_sonneborn_berger_of_a_round_robin(self, organizer: Actor) -> None:
        section = b.section(
            organizer, players=3, format="ROUND_ROBIN", preset="FMJD_ROUND_ROBIN", tiebreaks=["SB", "SOLKOFF"]
        )
        b.draft(organizer, section)
        for number in (1, 2, 3):
            round_ = rounds.publish_round(organizer, section.rounds.get(number=number).pk)
            b.enter_all(organizer, round_, "BLACK_FORFEITS")

        found = {number: (points, values) for number, points, values in table(section, after_round=3)}
        assert [found[number][0] for number in (1, 2, 3)] == [2, 2, 2]
        assert [found[number][1] for number in (1, 2, 3)] == [{"SB": 4, "SOLKOFF": 4}] * 3

    def test_fmjd_counts_the_scheduled_opponent_and_says_so(self, organizer: Actor) -> None:
        section = b.section(organizer, players=4, preset="FMJD_SWISS", tiebreaks=["SOLKOFF"])
        events.show_event(organizer, section.event_id, public=True)
        round_ = b.publish_next(organizer, section)
        first, second = round_.pairings.order_by("board")
        lines = [
            Line(pairing=first.pk, outcome="WHITE_FORFEITS", version=first.version),
            Line(pairing=second.pk, outcome="DRAW", version=second.version),
        ]
        results.record_outcomes(organizer, section.pk, lines)

        assert sorted(row[2]["SOLKOFF"] for row in table(section, after_round=1)) == [0, 1, 1, 2]
        page = (
            client_of(None)
            .get(reverse("public:info", args=[section.event.code, section.code]))
            .content.decode()
        )
        question = page.index("A forfeited pairing gives the points of the opponent to Solkoff")
        assert "<strong>yes</strong>" in page[question : question + 120]
