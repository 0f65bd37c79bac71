"""A walk over the options of a section: every value, and every pair of values that go together, each played to the end.

`SPACE` holds the options and the values they are tried with. A row gives each option one value; `covering_rows` gives
few rows that hold every pair that the services accept. `play` makes the section, plays, closes, exports and imports it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from tests.tournaments import builders as b
from tournaments import formats, snapshot
from tournaments.audit import Actor
from tournaments.engine.micromatch import RULES, MatchRule
from tournaments.engine.policies import CHOICE_TEXTS, TieBreakPolicy
from tournaments.engine.presets import PRESETS
from tournaments.engine.scoring import SCHEMES, totals
from tournaments.engine.tiebreaks import TIEBREAKS
from tournaments.engine.trf import read
from tournaments.engine.types import Outcome
from tournaments.errors import BadInput
from tournaments.exports.event_json import as_text, export_event
from tournaments.exports.trf_io import export_trf
from tournaments.models import Job, Pairing, Round, Section
from tournaments.selectors import next_step
from tournaments.selectors.next_step import Kind
from tournaments.selectors.standing_tables import compute_table
from tournaments.services import entries, events, matches, results, rounds, section_options
from tournaments.services.event_import import import_event
from tournaments.services.matches import BoardLine
from tournaments.services.results import Line
from tournaments.services.trf_import import import_trf

Row = Mapping[str, Any]
Value = tuple[str, Any]  # an option, and the place of a value in its list

PLAYERS = 5
OWN_STAGES = {
    "stages": [
        {"pace": "CLASSICAL", "clock": "", "games": 2, "score": [10, 0], "first_win": False},
        {"pace": "SUPER_BLITZ", "clock": "5'+2\"", "games": 0, "score": [6, 4], "first_win": True},
    ],
    "drawn": None,
}
PLAIN_STAGES = {"stages": [{"pace": "RAPID", "clock": "", "games": 2, "score": [2, 0]}], "drawn": 1}


def _policy_space() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for name in CHOICE_TEXTS:
        default = getattr(TieBreakPolicy(), name)
        words = [False, True] if isinstance(default, bool) else [word.value for word in type(default)]
        found[f"policy.{name}"] = [None, *words]
    return found


SPACE: dict[str, list[Any]] = {
    "format": list(Section.Format.values),
    "preset": [*PRESETS, ""],
    "scheme": list(SCHEMES),
    "match_rule": ["", *RULES],
    "own_match": [{}, OWN_STAGES, PLAIN_STAGES],
    "own_points": [{}, {"bye": 0}, {"bye": 1}, {"win": 3, "draw": 1}, {"loss": 1, "win": 3, "draw": 2, "zero_bye": 0}, {"grades": [[2, 1, "WIN"]]}],
    "tiebreaks": [[], *([code] for code in (*TIEBREAKS, "SOLKOFF_TRUNC_2", "CUM_DROP_1"))],
    "numbering": list(Section.Numbering.values),
    "ranking": list(Section.Ranking.values),
    "acceleration": [False, True],
    "withdrawal": list(Section.Withdrawal.values),
    "initial_colour": ["w", "b"],
    "drop_absent": [False, True],
    "lots_decide": [False, True],
    "third_place": [False, True],
    "protect_clubs_rounds": [0, 2],
    **_policy_space(),
}  # fmt: skip


def fields_of(row: Row) -> dict[str, Any]:
    """What a row sends: options at their first value are left out, so that one option may bring another."""
    found = {
        name: value
        for name, value in row.items()
        if not name.startswith("policy.") and value != SPACE[name][0]
    }
    policy = {
        name.removeprefix("policy."): value
        for name, value in row.items()
        if name.startswith("policy.") and value is not None
    }
    return found | ({"policy": policy} if policy else {})


def refusal(fields: Mapping[str, Any]) -> dict[str, list[str]]:
    """The sentences with which the services refuse these options, by field; empty where they take them."""
    section = Section(name="walk", **fields)
    try:
        section_options.bring(section, fields)
        section_options.check(section, events.SECTION_FIELDS)
    except BadInput as error:
        return dict(error.values["fields"])
    return {}


def rows_of_pairs() -> Iterator[Row]:
    """Every value alone (beside the first of all others), and every pair of values."""
    first = {name: values[0] for name, values in SPACE.items()}
    names = list(SPACE)
    for name in names:
        for value in SPACE[name]:
            yield first | {name: value}
    for one, two in combinations(names, 2):
        for left in SPACE[one][1:]:
            for right in SPACE[two][1:]:
                yield first | {one: left, two: right}


def covering_rows(seed: int = 1) -> list[Row]:
    """Rows that hold every pair of values which the services accept beside the first of all others."""
    chance = random.Random(seed)
    names = list(SPACE)
    places = {name: range(len(SPACE[name])) for name in names}
    first = dict.fromkeys(names, 0)
    wanted = {
        ((one, i), (two, j))
        for one, two in combinations(names, 2)
        for i in places[one]
        for j in places[two]
        if _accepts(first | {one: i, two: j})
    }
    order = {name: index for index, name in enumerate(names)}
    rows = []
    while wanted:
        start = min(wanted, key=str)
        row = first | dict(start)
        fixed = {name for name, _place in start}
        rest = [name for name in names if name not in fixed]
        chance.shuffle(rest)
        for name in rest:
            row[name] = _best(row, name, fixed, wanted, order)
            fixed.add(name)
        wanted -= {pair for pair in combinations(((name, row[name]) for name in names), 2) if pair in wanted}
        rows.append({name: SPACE[name][place] for name, place in row.items()})
    return rows


def _best(
    row: dict[str, int],
    name: str,
    fixed: set[str],
    wanted: set[tuple[Value, Value]],
    order: Mapping[str, int],
) -> int:
    """The place of the value that adds most pairs still wanted and that the services take."""

    def gain(place: int) -> int:
        pairs = [
            tuple(sorted(((name, place), (other, row[other])), key=lambda value: order[value[0]]))
            for other in fixed
        ]
        return sum(pair in wanted for pair in pairs)

    for place in sorted(range(len(SPACE[name])), key=lambda place: (-gain(place), place)):
        if _accepts(row | {name: place}):
            return place
    return row[name]


def _accepts(row: Mapping[str, int]) -> bool:
    return not refusal(fields_of({name: SPACE[name][place] for name, place in row.items()}))


def play(actor: Actor, row: Row, *, players: int = PLAYERS) -> Section:
    """The section of a row, played to its end and closed."""
    fields = {"rounds_total": 3, "team_boards": 2, **fields_of(row)}
    section = b.section(actor, players=players, **fields)
    if formats.of(section).enters_teams:
        for entry in b.entry_list(section):
            matches.set_members(actor, entry.pk, [(f"{entry.player.name} {n}", 2000 - n) for n in (1, 2)])
    for _step in range(60):
        section.refresh_from_db()
        step = next_step.of(section)
        if step.kind is Kind.CLOSE:
            break
        if step.kind is Kind.PAIR:
            _pair(actor, section)
        elif step.kind is Kind.PUBLISH:
            rounds.publish_round(actor, section.rounds.get(number=step.number).pk)
        elif step.kind is Kind.RESULTS:
            _enter(actor, section, section.rounds.get(number=step.number))
        else:
            raise AssertionError(f"{row}: {step}")
        if step.kind is Kind.RESULTS and step.number == 2 and not formats.of(section).has_bracket:
            _withdraw(actor, section)
    results.close_section(actor, section.pk)
    section.refresh_from_db()
    return section


def _pair(actor: Actor, section: Section) -> None:
    """The next round; where so few players have nobody left to meet, the section ends with the round before."""
    job = b.run(rounds.request_pairing(actor, section.pk))
    if job.state == Job.State.DONE:
        return
    assert "no-legal-pairing" in str(job.error_values) and job.round_number, job.error_values
    events.update_section(
        actor, section.pk, {"rounds_total": job.round_number - 1}, reason="nobody is left to meet"
    )


def _withdraw(actor: Actor, section: Section) -> None:
    """The last number leaves after round 2, once."""
    last = b.entry_list(section)[-1]
    if last.withdrawn_after_round is None:
        entries.withdraw_entry(actor, last.pk, after_round=2, reason="ill")


def _enter(actor: Actor, section: Section, round_: Round) -> None:
    for pairing in round_.pairings.filter(black__isnull=False).order_by("board"):
        if pairing.outcome == Outcome.UNPLAYED:
            _result(actor, section, round_, pairing)
        pairing.refresh_from_db()
        level = pairing.outcome not in ("WHITE", "BLACK", "WHITE_FORFEITS", "BLACK_FORFEITS")
        in_knockout = formats.of(section).has_bracket and bool(section.bracket)
        if in_knockout and level and not pairing.advances:
            matches.decide(actor, pairing.pk, advances="w", version=pairing.version, reason="lot")


def _result(actor: Actor, section: Section, round_: Round, pairing: Pairing) -> None:
    """Wins, draws, losses, a forfeit, a grade: by turns, the same for the same round and board."""
    turn = round_.number + pairing.board
    rule, scheme = formats.match_rule(section), section.result_scheme
    if turn % 5 == 4:
        line = Line(pairing=pairing.pk, outcome="BLACK_FORFEITS", version=pairing.version)
        results.record_outcomes(actor, section.pk, [line])
    elif formats.of(section).enters_teams:
        outcomes = [("WHITE", "DRAW", "BLACK")[(turn + n) % 3] for n in range(section.team_boards)]
        seats = [
            list(entry.members.order_by("position")) for entry in (pairing.white, pairing.black) if entry
        ]
        lines = [
            BoardLine(first=one.pk, second=two.pk, outcome=outcome)
            for one, two, outcome in zip(*seats, outcomes, strict=True)
        ]
        matches.record_team_match(actor, pairing.pk, lines, version=pairing.version)
    elif rule is not None:
        matches.record_stage_games(actor, pairing.pk, _games(rule, turn), version=pairing.version)
    elif scheme.grades and turn % 2:
        grade = list(scheme.grades.values())[turn % len(scheme.grades)]
        line = Line(
            pairing=pairing.pk, outcome=grade.outcome.value, grade=grade.code, version=pairing.version
        )
        results.record_outcomes(actor, section.pk, [line])
    else:
        outcome = ("WHITE", "DRAW", "BLACK")[turn % 3]
        results.record_outcomes(
            actor, section.pk, [Line(pairing=pairing.pk, outcome=outcome, version=pairing.version)]
        )


def _games(rule: MatchRule, turn: int) -> Sequence[str]:
    """The games of a match as far as they go: won at once, or by its last stage, or drawn."""
    games: list[str] = []
    while (coming := matches._state(rule, matches.played_games(rule, games)).next_game) is not None:
        stage = rule.stages[coming.stage]
        wins = turn % 3 == 0 or not stage.games or (turn % 3 == 1 and stage is rule.stages[-1])
        games.append("WHITE" if wins else "DRAW")
    return games


def final_rows(section: Section) -> list[dict[str, Any]]:
    """The closed table by pairing number."""
    table = section.standings.get(final=True)
    return [
        {name: row[name] for name in ("number", "rank", "rank_to", "points", "values", "placed")}
        for row in table.rows
    ]


def recomputed(section: Section) -> list[dict[str, Any]]:
    """The final table worked out anew from the ledger."""
    last = section.rounds.exclude(state=Round.State.OPEN).count()
    table = compute_table(section, snapshot.load(section), after_round=last, final=True)
    return [
        {name: row[name] for name in ("number", "rank", "rank_to", "points", "values", "placed")}
        for row in table.rows
    ]


def check_copies(actor: Actor, section: Section) -> None:
    """Exported and imported, the table is the same: as it was closed, and worked out anew; points by report file too."""
    rows = final_rows(section)
    assert recomputed(section) == rows
    copy = import_event(actor, as_text(export_event(section.event)).encode()).event.sections.get()
    assert {name: getattr(copy, name) for name in events.SECTION_FIELDS} == {
        name: getattr(section, name) for name in events.SECTION_FIELDS
    }
    assert final_rows(copy) == rows
    assert recomputed(copy) == rows
    if formats.of(section).enters_teams or formats.of(section).has_bracket:
        return
    points = {row["number"]: row["points"] for row in rows}
    text = export_trf(section).text
    told = read(text)
    scale = {number: value * told.unit // 10 for number, value in totals(told.tournament).items()}
    assert scale == points, text
    again = import_trf(actor, section.event_id, text.encode(), name="again").section
    snap = snapshot.load(again)
    assert totals(snap.tournament) == {n: v * 10 // told.unit for n, v in points.items()}, text
