"""From the games that a search found to what may be said of them: shares, doubts, and whether anything is certain."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from rules.board import SQUARE
from rules.candidates import Candidate, Candidates, Change
from rules.misreading import MISSING_SHARE, ChangeKind
from rules.moves import Move, RawMove, has_legal_move, play_raw
from rules.notation import write
from rules.proof import examine
from rules.search import History, Search, nodes
from rules.weighing import Weighed, errors_of, unseen, written_share

BESIDE = 5.0  # what a search dropped so near to the best may have been the game
SHOWN = 40
DOUBTFUL = 0.02  # a ply is doubtful when rivals with this share of the odds play another move there
GAP_SHARE = 0.7  # as often is the best game right where plies in a row, or of both copies, are missing
UNSURE = 0.01  # what may be missing to a certain answer
HOPELESS_PER_PLY = 0.9  # above this cost a ply, the copies hardly belong to any game


def answer(search: Search, ended: Sequence[Weighed], *, complete: bool) -> Candidates:
    if not ended:
        return Candidates(
            games=(), confidence=0.0, certain=False, reliable=False, doubtful=(), complete=complete
        )
    odds = [exp(ended[0].cost - game.cost) for game in ended]
    whole = sum(odds)
    games = tuple(
        _candidate(search, game.history, share=odd / whole)
        for game, odd in zip(ended[:SHOWN], odds, strict=False)
    )
    best = games[0]
    gaps = best.longest_unseen > 1 or (len(search.sheets) > 1 and bool(best.unseen))
    proof = examine(search, ended[0].history)
    doubtful = {*_doubtful(games), *proof.doubtful, *(best.unseen if gaps else ())}
    reliable = (best.cost - search.least_cost) / max(len(best.moves), 1) / len(
        search.sheets
    ) <= HOPELESS_PER_PLY
    share = best.share * (1 - _cut_short(search, ended[0].history))
    if gaps:
        share = min(share, GAP_SHARE)
    sound = complete and reliable and not (gaps or proof.doubtful or proof.passed_over)
    sound = sound and not search.left_out_beside(ended[0].history, within=BESIDE)
    sure = sound and min(share, written_share(ended)) >= 1 - UNSURE
    alone = len(search.sheets) < 2 or bool(proof.likely or proof.unordered)
    return Candidates(
        games=games,
        confidence=round(share if reliable else share / 2, 4),
        certain=sure and not alone,
        certain_up_to_order=sound and _share_up_to_order(search, ended) >= 1 - UNSURE,
        reliable=reliable,
        doubtful=tuple(sorted(doubtful)),
        likely=tuple(sorted(proof.likely - doubtful)),
        unordered=tuple(sorted(proof.unordered - doubtful)),
        complete=complete,
    )


def _share_up_to_order(search: Search, ended: Sequence[Weighed]) -> float:
    """The odds of the games with the same moves as the best in any order, by all that is known and by the copies alone."""
    best = _moves_played(ended[0].history)
    alike = [game for game in ended if _moves_played(game.history) == best]
    share = min(
        sum(exp(-cost) for cost in ours) / sum(exp(-cost) for cost in everything)
        for ours, everything in (
            ([game.cost - ended[0].cost for game in alike], [game.cost - ended[0].cost for game in ended]),
            (
                [game.written - ended[0].written for game in alike],
                [game.written - ended[0].written for game in ended],
            ),
        )
    )
    return share * (1 - _cut_short(search, ended[0].history))


def _moves_played(history: History) -> tuple[list[RawMove], list[RawMove]]:
    """The moves of each player, sorted."""
    raws = [node.raw for node in nodes(history) if node.raw is not None]
    return sorted(raws[::2]), sorted(raws[1::2])


def _cut_short(search: Search, history: History) -> float:
    """The odds that a copy which ends the game alone lacks the last move as well, which nothing in it can show."""
    played = nodes(history)
    lacking = {number for number, kind, _index in played[-1].notes if kind is ChangeKind.MISSING}
    last = [number for number in range(len(search.sheets)) if number not in lacking]
    if len(last) != 1:
        return 0.0
    position = search.start
    for node in played:
        if node.raw is not None:
            position = search.after(position, node.raw)
    if not has_legal_move(position):
        return 0.0
    errors = errors_of(history, last[0], len(search.sheets))
    return min(1.0, MISSING_SHARE * errors / len(search.sheets[last[0]]))


def _candidate(search: Search, history: History, *, share: float) -> Candidate:
    position = search.start
    moves: list[str] = []
    played: list[Move] = []
    changes: list[Change] = []
    missing: list[int] = []
    for node in nodes(history):
        if node.raw is not None:
            move = Move(SQUARE[node.raw[0]], SQUARE[node.raw[1]], node.raw[2])
            moves.append(write(position, move))
            played.append(move)
            position = play_raw(position, node.raw)
            if unseen(node, len(search.sheets)):
                missing.append(len(moves))
        changes += _changes(search, node, moves)
    return Candidate(
        moves=tuple(moves),
        played=tuple(played),
        changes=tuple(changes),
        cost=round(history.cost, 3),
        share=share,
        unseen=tuple(missing),
    )


def _changes(search: Search, node: History, moves: Sequence[str]) -> list[Change]:
    """What the copies changed at the last of the moves."""
    return [
        Change(
            sheet=number,
            kind=kind,
            ply=len(moves),
            index=index,
            written="" if index is None else search.sheets[number][index].written,
            move="" if kind in {ChangeKind.EXTRA, ChangeKind.TWICE} or not moves else moves[-1],
        )
        for number, kind, index in node.notes
    ]


def _doubtful(games: tuple[Candidate, ...]) -> tuple[int, ...]:
    """Plies of the best game between the first and the last place where a rival of some weight leaves it."""
    best = games[0].played
    weight: dict[int, float] = {}
    for rival in games[1:]:
        other = rival.played
        same_head = 0
        while same_head < min(len(best), len(other)) and best[same_head] == other[same_head]:
            same_head += 1
        same_tail = 0
        while (
            same_tail < min(len(best), len(other)) - same_head
            and best[-1 - same_tail] == other[-1 - same_tail]
        ):
            same_tail += 1
        if len(best) == len(other):
            plies = [ply for ply in range(same_head, len(best) - same_tail) if best[ply] != other[ply]]
        else:
            plies = list(range(same_head, max(len(best) - same_tail, same_head + 1)))
        for ply in plies:
            weight[ply] = weight.get(ply, 0.0) + rival.share
    return tuple(ply + 1 for ply in sorted(weight) if weight[ply] >= DOUBTFUL and ply < len(best))
