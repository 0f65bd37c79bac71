"""What a sheet declares besides its moves, held against them: result, end mark, ending, draw offers, times, signatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rules.articles import DisagreementKind
from rules.board import Position
from rules.draws import DrawRight, may_agree, offer_faults
from rules.moves import has_legal_move
from rules.sheet import Ending, Sheet, canonical_result

_CLAIMS = {Ending.THREEFOLD, Ending.MOVES_25, Ending.MOVES_16, Ending.MOVES_5}
_DRAWN = _CLAIMS | {Ending.AGREEMENT, Ending.NO_WIN}

Found = tuple[int, DisagreementKind]


def disagreements(
    sheet: Sheet, *, plies: int, proved: str | None, final: Position, draws: Sequence[DrawRight]
) -> tuple[Found, ...]:
    """(ply, kind) of each declaration that does not fit, in order of the plies.

    `plies` are those that stand, `proved` is the result the `final` position proves (`2-0`, `0-2` or `None`).
    """
    if not _declares(sheet):
        return ()
    if plies < len(sheet.moves):
        proved = None
    return tuple(
        sorted(
            [
                *_result(sheet, plies, proved),
                *_ending(sheet, plies, final, draws),
                *_offers(sheet),
                *_times(sheet, plies),
                *_hand_in(sheet, plies),
            ]
        )
    )


def _declares(sheet: Sheet) -> bool:
    """Whether there is anything to hold against the moves."""
    declared = (sheet.result, sheet.text_result, sheet.end_mark, sheet.ended_by, sheet.time_control)
    return declared != _NOTHING or bool(sheet.draw_offers) or sheet.handed_in or _marked(sheet)


_NOTHING = (None,) * 5


def _marked(sheet: Sheet) -> bool:
    written = "".join(sheet.moves)
    return "+" in written or "=" in written


def _result(sheet: Sheet, plies: int, proved: str | None) -> Iterator[Found]:
    first, second = canonical_result(sheet.result), canonical_result(sheet.text_result)
    if first is not None and second is not None and first != second:
        yield plies, DisagreementKind.RESULTS_DIFFER
    declared = first or second
    if proved is not None and declared is not None and declared != proved:
        yield plies, DisagreementKind.RESULT_AGAINST_FINAL
    if sheet.end_mark == "=" and (declared not in (None, "1-1") or proved is not None):
        yield plies, DisagreementKind.END_MARK_AGAINST_RESULT
    if sheet.end_mark == "+" and declared in ("1-1", "0-0"):
        yield plies, DisagreementKind.END_MARK_AGAINST_RESULT
    if _marked(sheet):
        for ply, text in enumerate(sheet.moves[:-1], 1):
            if text and text[-1] in "+=":
                yield ply, DisagreementKind.END_MARK_EARLY


def _ending(sheet: Sheet, plies: int, final: Position, draws: Sequence[DrawRight]) -> Iterator[Found]:
    ending = sheet.ended_by
    claimable = {right.kind.value for right in draws}
    if ending in _CLAIMS and ending.value not in claimable:
        yield plies, DisagreementKind.CLAIM_UNFOUNDED
    if ending is Ending.AGREEMENT and not may_agree(plies):
        yield plies, DisagreementKind.DRAW_BEFORE_40
    if ending is Ending.BLOCKED and has_legal_move(final):
        yield plies, DisagreementKind.ENDING_UNFOUNDED
    if ending is Ending.NO_PIECES and (has_legal_move(final) or _own(final)):
        yield plies, DisagreementKind.ENDING_UNFOUNDED
    declared = canonical_result(sheet.result) or canonical_result(sheet.text_result)
    if ending is None and declared == "1-1" and not draws and sheet.handed_in and not may_agree(plies):
        yield plies, DisagreementKind.DRAW_BEFORE_40
    if ending in _DRAWN and declared not in (None, "1-1"):
        yield plies, DisagreementKind.ENDING_UNFOUNDED


def _own(position: Position) -> int:
    """The pieces of the side to move."""
    if position.white_to_move:
        return position.white_men | position.white_kings
    return position.black_men | position.black_kings


def _offers(sheet: Sheet) -> Iterator[Found]:
    for offer, fault in offer_faults(sheet.draw_offers, first=sheet.start.side):
        yield offer.ply, DisagreementKind(fault.value)


def _times(sheet: Sheet, plies: int) -> Iterator[Found]:
    control = sheet.time_control
    if control is None or sheet.ended_by is Ending.TIME:
        return
    begins_white = sheet.start.white_to_move
    first_moves, second_moves = plies - plies // 2, plies // 2
    white_moves = first_moves if begins_white else second_moves
    for used, moves in ((sheet.white_seconds, white_moves), (sheet.black_seconds, plies - white_moves)):
        if used is not None and used > control.allowance(moves):
            yield plies, DisagreementKind.TIME_EXCEEDED


def _hand_in(sheet: Sheet, plies: int) -> Iterator[Found]:
    """Article 10.6: both times, the result and both signatures."""
    if not sheet.handed_in:
        return
    if sheet.result is None or sheet.result.strip() in ("", "*"):
        yield plies, DisagreementKind.RESULT_MISSING
    for used in (sheet.white_seconds, sheet.black_seconds):
        if used is None:
            yield plies, DisagreementKind.TIME_MISSING
    for signed in (sheet.white_signed, sheet.black_signed):
        if not signed:
            yield plies, DisagreementKind.SIGNATURE_MISSING
