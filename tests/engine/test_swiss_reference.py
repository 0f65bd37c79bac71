"""The reference pairings in ../shared: pairs, colours, board order, and whole tournaments without a difference."""

from pathlib import Path

import pytest

from tournaments.engine import trf
from tournaments.engine.check import check_tournament
from tournaments.engine.commands.check import requested_full_byes
from tournaments.engine.swiss import pair_round
from tournaments.engine.types import NoLegalPairing

SHARED = Path(__file__).resolve().parents[3] / "shared" / "pairing"
STATES = sorted(
    path
    for path in [*SHARED.glob("*.trf"), *SHARED.glob("*.trf16x"), *SHARED.glob("perf/*.trf")]
    if "noexpected" not in path.name
)
WHOLE = sorted(SHARED.glob("full/*.trf"))
ABSENT = "the reference pairings in ../shared are not on this machine"


def said(path: Path) -> list[str]:
    try:
        boards = pair_round(trf.read(path.read_text()).tournament, explain=False).boards
    except NoLegalPairing:
        return ["NO_VALID_PAIRING"]
    return [str(len(boards)), *(f"{board.white} {board.black or 0}" for board in boards)]


@pytest.mark.skipif(not STATES, reason=ABSENT)
@pytest.mark.parametrize("path", STATES, ids=lambda path: path.name)
def test_pairs_colours_and_board_order_are_those_of_the_reference(path: Path) -> None:
    expected = path.with_name(path.name.split(".")[0] + ".pairs").read_text().split("\n")

    assert said(path) == [line.strip() for line in expected if line.strip()]


@pytest.mark.skipif(not STATES, reason=ABSENT)
@pytest.mark.parametrize("path", STATES, ids=lambda path: path.name)
def test_everybody_is_told_why(path: Path) -> None:
    try:
        pairing = pair_round(trf.read(path.read_text()).tournament)
    except NoLegalPairing as error:
        assert error.values["players"]
        return

    named = {p for board in pairing.boards for p in (board.white, board.black) if p is not None}
    assert set(pairing.explanations) == named


@pytest.mark.skipif(not WHOLE, reason=ABSENT)
@pytest.mark.parametrize("path", WHOLE, ids=lambda path: path.name)
def test_whole_tournament_is_replayed_without_a_difference(path: Path) -> None:
    report = trf.read(path.read_text())

    checks = check_tournament(report.tournament, full_byes=requested_full_byes(report))

    assert len(checks) == len(report.tournament.rounds) > 0
    assert [check for check in checks if not check.clean] == []
