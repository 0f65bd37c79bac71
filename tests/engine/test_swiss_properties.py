"""What must not change a pairing: the scale of points, the numbers, a forfeit instead of an absence, the way taken."""

import random
from dataclasses import replace

import pytest

from tests.engine.fields import KINDS, random_field
from tests.engine.states import random_state
from tournaments.engine import scoring
from tournaments.engine.simulate import Simulation, simulate
from tournaments.engine.swiss import bracket, canonical_input, descent, pair_round, read_canonical, recompute
from tournaments.engine.swiss.descent import Descent, Settled
from tournaments.engine.swiss.state import read_field
from tournaments.engine.types import (
    STANDARD,
    Adjustment,
    Board,
    NoLegalPairing,
    Outcome,
    ResultScheme,
    Round,
    Tournament,
)

TENTHS = ResultScheme(
    code="TENTHS", win=10, draw=5, loss=0, bye=10, half_bye=5, zero_bye=0, forfeit_win=10, forfeit_loss=0
)


def answer(tournament: Tournament, absent: set[int]) -> tuple[Board, ...] | str:
    try:
        return pair_round(tournament, absent=absent, explain=False).boards
    except NoLegalPairing:
        return "none"


def rescaled(tournament: Tournament) -> Tournament:
    virtual = tuple(replace(v, points=5 * v.points) for v in tournament.virtual_points)
    return replace(tournament, scheme=TENTHS, virtual_points=virtual)


def renumbered(tournament: Tournament, to: dict[int, int]) -> Tournament:
    def turned(board: Board) -> Board:
        return replace(board, white=to[board.white], black=to[board.black] if board.black else None)

    return replace(
        tournament,
        players=tuple(replace(p, number=to[p.number]) for p in tournament.players),
        rounds=tuple(replace(r, boards=tuple(turned(b) for b in r.boards)) for r in tournament.rounds),
        forbidden=tuple(
            replace(g, players=frozenset(to[p] for p in g.players)) for g in tournament.forbidden
        ),
        virtual_points=tuple(
            replace(v, players=frozenset(to[p] for p in v.players)) for v in tournament.virtual_points
        ),
    )


def middling(seed: int) -> Tournament:
    return simulate(
        Simulation(
            players=20 + seed % 21, rounds=5, rounds_total=7, seed=seed, absences=8, forfeits=6, late=10
        )
    )


@pytest.mark.parametrize("seed", range(60))
def test_half_points_and_whole_points_pair_alike(seed: int) -> None:
    for tournament, absent in (random_state(seed), (middling(seed), set())):
        assert answer(rescaled(tournament), absent) == answer(tournament, absent)


@pytest.mark.parametrize("seed", range(60))
def test_numbers_count_by_their_order_only(seed: int) -> None:
    lot = random.Random(seed)
    tournament = middling(seed)
    numbers = sorted(lot.sample(range(1, 500), len(tournament.players)))
    to = {p.number: numbers[p.number - 1] for p in tournament.players}

    plain = answer(tournament, set())
    other = answer(renumbered(tournament, to), set())

    assert plain != "none"
    assert other == tuple(
        replace(b, white=to[b.white], black=to[b.black] if b.black else None)
        for b in plain
        if isinstance(b, Board)
    )


@pytest.mark.parametrize("seed", range(40))
def test_a_given_order_stands_for_the_numbers(seed: int) -> None:
    lot = random.Random(seed)
    tournament = middling(seed)
    shuffled = [p.number for p in tournament.players]
    lot.shuffle(shuffled)
    to = {p.number: shuffled[p.number - 1] for p in tournament.players}

    plain = pair_round(tournament, explain=False).boards
    other = pair_round(renumbered(tournament, to), order=shuffled, explain=False).boards

    assert [(to[b.white], to[b.black] if b.black else None) for b in plain] == [
        (b.white, b.black) for b in other
    ]


@pytest.mark.parametrize("seed", range(60))
def test_both_forfeit_is_an_absence_of_both(seed: int) -> None:
    tournament = middling(seed)
    rounds = []
    changed = 0
    for round_ in tournament.rounds:
        boards: list[Board] = []
        for board in round_.boards:
            if board.outcome == Outcome.BOTH_FORFEIT and board.black is not None:
                changed += 1
                boards += [
                    Board(number=0, white=player, black=None, outcome=Outcome.ZERO_BYE)
                    for player in (board.white, board.black)
                ]
            else:
                boards.append(board)
        rounds.append(Round(number=round_.number, boards=tuple(boards)))

    assert answer(replace(tournament, rounds=tuple(rounds)), set()) == answer(tournament, set())
    assert seed or changed


@pytest.mark.parametrize("seed", range(60))
def test_a_forfeited_game_pairs_as_a_win_without_opponent(seed: int) -> None:
    """The winner as with a full-point bye, the loser as absent: no meeting, no colour, the same floats."""
    tournament = middling(seed)
    rounds = []
    for round_ in tournament.rounds:
        boards: list[Board] = []
        for board in round_.boards:
            if board.black is None or board.outcome not in (Outcome.WHITE_FORFEITS, Outcome.BLACK_FORFEITS):
                boards.append(board)
                continue
            white_won = board.outcome == Outcome.BLACK_FORFEITS
            won, lost = (board.white, board.black) if white_won else (board.black, board.white)
            boards.append(Board(number=0, white=won, black=None, outcome=Outcome.BYE))
            boards.append(Board(number=0, white=lost, black=None, outcome=Outcome.ZERO_BYE))
        rounds.append(Round(number=round_.number, boards=tuple(boards)))

    assert answer(replace(tournament, rounds=tuple(rounds)), set()) == answer(tournament, set())


HARD = {
    "plain": {},
    "mixed": {"absences": 8, "forfeits": 5, "late": 10},
    "two clubs": {"clubs": 2},
    "many clubs": {"clubs": 8},
    "withdrawn": {"withdrawals": 9},
    "thrown together": {"paired": False, "draws": 70},
    "many rounds": {"players": 12, "rounds": 8, "rounds_total": 9},
}


def outcome_of(run: Descent) -> list[tuple[object, ...]] | str:
    def facts(settled: Settled) -> tuple[object, ...]:
        return sorted(settled.solution.pairs), settled.solution.floaters, settled.solution.bye

    try:
        return [facts(settled) for settled in run.run()]
    except NoLegalPairing:
        return "none"


@pytest.mark.parametrize("kind", HARD)
@pytest.mark.parametrize("seed", range(12))
def test_the_short_way_ends_where_the_matching_does(kind: str, seed: int) -> None:
    options = {"players": 24 + 7 * seed, "rounds": 1 + seed % 8, "rounds_total": 9, "seed": seed} | HARD[kind]
    field = read_field(simulate(Simulation(**options)))  # type: ignore[arg-type]

    assert outcome_of(Descent(field)) == outcome_of(Descent(field, fast=False))


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_left_out_of_a_large_problem_change_nothing(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(descent, "WHOLE", 1000)
    for seed in range(4):
        _, field = random_field(seed, least=12, most=50, kind=kind)
        monkeypatch.setattr(bracket, "LEFT_OUT_ABOVE", 1000)
        with_all = outcome_of(Descent(field, fast=False))
        monkeypatch.setattr(bracket, "LEFT_OUT_ABOVE", 0)
        monkeypatch.setattr(bracket, "KEPT_BELOW", 3)

        assert outcome_of(Descent(field, fast=False)) == with_all


def test_the_canonical_input_tells_what_matters_and_nothing_else() -> None:
    tournament = middling(3)
    named = replace(tournament, name="Another name")
    turned = replace(tournament, rounds=tuple(replace(r, boards=r.boards[::-1]) for r in tournament.rounds))
    longer = replace(tournament, rounds_total=tournament.rounds_total + 1)

    assert canonical_input(named) == canonical_input(turned) == canonical_input(tournament)
    assert canonical_input(longer) != canonical_input(tournament)
    assert canonical_input(tournament, absent=[3]) != canonical_input(tournament)
    assert canonical_input(replace(tournament, scheme=replace(STANDARD, win=3))) != canonical_input(
        tournament
    )


def test_the_digest_is_that_of_input_and_boards() -> None:
    tournament = middling(4)

    first, again = pair_round(tournament), pair_round(tournament)

    assert first == again
    assert first.digest != pair_round(tournament, absent=[1, 2]).digest


@pytest.mark.parametrize("seed", range(20))
def test_a_published_round_is_proved_by_its_canonical_input_alone(seed: int) -> None:
    for tournament, absent in (random_state(seed), (middling(seed), {3, 8})):
        try:
            pairing = pair_round(tournament, absent=absent)
        except NoLegalPairing:
            continue
        text = canonical_input(tournament, absent=absent)

        again = recompute(text)

        assert (again.digest, again.boards, again.explanations) == (
            pairing.digest,
            pairing.boards,
            pairing.explanations,
        )


def test_a_scheme_with_grades_and_a_ruling_survive_the_canonical_input() -> None:
    tournament = middling(5)
    first = tournament.rounds[0].boards[0]
    graded = replace(
        tournament,
        scheme=scoring.SCHEMES["DELFT4"],
        rounds=(
            replace(
                tournament.rounds[0], boards=(replace(first, grade="3-1"), *tournament.rounds[0].boards[1:])
            ),
        ),
        adjustments=(Adjustment(player=2, points=-1, after_round=1),),
    )

    assert recompute(canonical_input(graded, order=None)).digest == pair_round(graded).digest


def test_other_text_is_no_canonical_input() -> None:
    for text in ("", "{}", "[1]", '{"players": 3}'):
        with pytest.raises(ValueError, match="no canonical input"):
            read_canonical(text)
