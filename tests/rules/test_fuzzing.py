from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import FenError, PdnError, Position, Sheet, parse, read_pdn, sheet_of, validate, write_pdn
from rules.notation import _known
from tests.rules.fuzzing import judge, made


@pytest.mark.parametrize("seed", range(12))
def test_nonsense_of_any_size_raises_nothing(seed):
    judge(made(random.Random(seed)))


PDN_LETTERS = st.text(alphabet='0123456789-x×:.*()[]{}/"$%;!?+= \\\nabFENWBK', max_size=200)


@settings(max_examples=200, deadline=None)
@given(PDN_LETTERS | st.text(max_size=80))
def test_any_text_is_read_judged_and_written_back(text):
    with contextlib.suppress(PdnError):
        file = read_pdn(text)
        for game in file.games:
            validate(sheet_of(game))
        read_pdn(write_pdn(file.games) + "\n1. 32-28")


@settings(max_examples=200, deadline=None)
@given(st.lists(PDN_LETTERS, max_size=20), st.frozensets(st.integers(0, 30)))
def test_any_moves_are_judged(moves, accepted):
    verdict = validate(Sheet(moves=tuple(moves), accepted=accepted))

    assert len(verdict.positions) == verdict.plies + 1
    assert verdict.problem is None or verdict.problem.ply == verdict.plies + 1


@settings(max_examples=200, deadline=None)
@given(PDN_LETTERS)
def test_any_text_is_a_position_or_refused_by_name(text):
    try:
        position = Position.from_fen(text)
    except FenError as error:
        assert error.code
    else:
        assert Position.from_fen(position.fen()) == position


def test_what_is_remembered_of_written_moves_is_bounded():
    for number in range(25_000):
        parse(f"1-{number}")
    parse("x" * 10_000)

    assert len(_known) <= 20_000
    assert max(map(len, _known)) < 100
