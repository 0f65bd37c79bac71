"""From loose headers to rounds and boards: every game placed, or named with its reason."""

from __future__ import annotations

import pytest

from games.pdn_grouping import Header, name_key, outcome_of, place, round_of


def header(
    index: int, white: str, black: str, round_: str = "1", result: str = "2-0", **more: object
) -> Header:
    fields: dict[str, object] = {"event": "Open", "line": index * 10, "moves": ("32-28", str(index)), **more}
    return Header(index=index, white=white, black=black, round=round_, result=result, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("2-0", "WHITE"), ("1-0", "WHITE"), (" 0-1", "BLACK"), ("0-2", "BLACK"), ("1-1", "DRAW"), ("1/2-1/2", "DRAW"),
        ("½-½", "DRAW"), ("2:0", "WHITE"), ("1–1", "DRAW"), ("2-0F", "BLACK_FORFEITS"), ("0–2", "BLACK"), ("0-0", "BOTH_LOSE"), ("*", None), ("", None), ("4-6", None),
    ],
)  # fmt: skip
def test_a_written_result_becomes_a_code(written: str, code: str | None) -> None:
    assert outcome_of(written) == code


@pytest.mark.parametrize(
    ("text", "number"), [("3", 3), ("ronde2", 2), ("3.1", 3), ("?", None), ("0", None), ("2007", None)]
)
def test_the_round_is_read_off_its_text(text: str, number: int | None) -> None:
    assert round_of(text) == number


def test_one_person_under_several_spellings() -> None:
    assert len({name_key(n) for n in ("Nimbi, Fidèle", "Fidele NIMBI", "NIMBI Fidele")}) == 1


def test_the_same_words_in_another_order_are_two_people() -> None:
    assert name_key("Li Wang") != name_key("Wang Li")
    assert name_key("LI Wang") == name_key("Wang Li")


def test_games_become_boards_of_their_rounds() -> None:
    plan = place([header(1, "A", "B"), header(2, "C", "D", result="1-1"), header(3, "A", "C", "2", "0-2")])

    section = plan.sections[0]
    assert [(b.game, b.round, b.outcome) for b in section.boards] == [
        (1, 1, "WHITE"),
        (2, 1, "DRAW"),
        (3, 2, "BLACK"),
    ]
    assert sorted(p.name for p in section.people.values()) == ["A", "B", "C", "D"]
    assert not plan.not_placed


def test_a_second_board_in_one_round_counts_in_a_round_of_its_own() -> None:
    plan = place([header(1, "A", "B"), header(2, "A", "C"), header(3, "B", "C", "2")])

    assert [(b.game, b.round) for b in plan.sections[0].boards] == [(1, 1), (3, 2), (2, 3)]
    assert [(r.game, r.kind) for r in plan.remarks] == [(2, "round-taken")]


def test_a_game_without_a_round_is_placed_after_the_named_ones() -> None:
    plan = place([header(1, "A", "B", ""), header(2, "A", "B", "1")])

    assert [(b.game, b.round) for b in plan.sections[0].boards] == [(2, 1), (1, 2)]


def test_what_has_no_place_is_named_with_line_and_reason() -> None:
    plan = place(
        [
            header(1, "", "B"),
            header(2, "A", "a"),
            header(3, "A", "B", result="*", moves=()),
            header(4, "A", "B"),
        ]
    )

    assert [(r.game, r.line, r.kind) for r in plan.not_placed] == [
        (1, 10, "no-player"),
        (2, 20, "same-player"),
        (3, 30, "empty"),
    ]
    assert len(plan.sections[0].boards) == 1


def test_each_event_of_a_file_is_a_section() -> None:
    plan = place([header(1, "A", "B", event="One"), header(2, "C", "D", event="Two")])

    assert [s.name for s in plan.sections] == ["One", "Two"]


def test_one_event_under_several_names_is_one_section_by_its_players() -> None:
    plan = place(
        [
            header(1, "Cisse, Papa", "B", event="Championnat 2021"),
            header(2, "C", "D", event="Championnat 2021"),
            header(3, "Cisse", "C", "2", event="Cpt 2021"),
        ]
    )

    assert [s.name for s in plan.sections] == ["Championnat 2021"]
    assert plan.sections[0].spellings == ("Championnat 2021", "Cpt 2021")
    assert len(plan.sections[0].boards) == 3


def test_the_same_game_again_is_told() -> None:
    plan = place([header(1, "A", "B", moves=("32-28",)), header(2, "A", "B", "2", moves=("32-28",))])

    assert [(r.game, r.kind, r.detail) for r in plan.remarks] == [(2, "same-game", "1")]
    assert len(plan.sections[0].boards) == 2
