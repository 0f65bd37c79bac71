"""Real games and made-up faults kept beside the checkout; the other tests stand without them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from rules import START, Position, Sheet, Status, read_pdn, sheet_of, validate
from rules.board import FenError

CORPUS = Path(__file__).parents[3] / "shared" / "pdn"

pytestmark = pytest.mark.skipif(
    not CORPUS.is_dir(), reason="the corpus of real games is not beside this checkout (../shared/pdn)"
)


def manifest() -> list[dict]:
    path = CORPUS / "MANIFEST.json"
    return json.loads(path.read_text(encoding="utf-8"))["files"] if path.exists() else []


FOREIGN_TAGS = {"Dames_PartiesPdn_FEN__4th African BLITZ Championship OUAGA ZIIRI 2024.pdn": 48}
"""Files whose manifest counts one game as three, because the result and the time in its foreign tags (`[R&#x00e9;sultat
"1-1"]`, `[Heure blanche "0:10:00"]`) were once taken for the end of a game and a move; and how many games they hold."""

ENDING_WITHIN_32 = {"games__succeed__Cat.D1.pdn": 7}
"""Files whose manifest takes an ending within squares 1-32 for a game on 64 squares, though its moves are legal here; and
how many plies it has."""


def expected_statuses(entry: dict) -> Counter:
    """The manifest's counts in our words: another variant, or no moves in a file of one, is not judged."""
    found: Counter = Counter()
    for name, count in entry["expected"].items():
        if name.startswith("not-international"):
            name = "no-moves" if "no-moves" in name else "other-variant"
        found[name] += count
    if Path(entry["path"]).name in ENDING_WITHIN_32:
        found = Counter({"legal": found.total()})
    return found


@pytest.mark.parametrize("entry", manifest(), ids=lambda entry: entry["path"])
def test_every_file_gives_what_is_expected_of_it(entry):
    file = read_pdn((CORPUS / entry["path"]).read_bytes())

    verdicts = [validate(sheet_of(game)) for game in file.games]
    statuses = Counter(str(verdict.status) for verdict in verdicts)
    whole = FOREIGN_TAGS.get(Path(entry["path"]).name)
    assert len(file.games) == (whole or entry["games"])
    assert statuses == ({"legal": whole} if whole else expected_statuses(entry))
    assert file.encoding == entry["encoding"]
    plies = sum(v.plies for v in verdicts if v.status in (Status.LEGAL, Status.ILLEGAL))
    assert plies == entry["plies"] + ENDING_WITHIN_32.get(Path(entry["path"]).name, 0)
    for issue in entry["issues"]:
        assert_issue(verdicts[issue["game"] - 1], issue)


def assert_issue(verdict, issue):
    assert str(verdict.status) == issue["status"]
    if issue["status"] == "illegal":
        problem = verdict.problem
        assert (problem.ply, problem.written, problem.fen_before) == (
            issue["ply"],
            issue["move"],
            issue["fen"],
        )
    remarked = Counter(str(remark.kind) for remark in verdict.remarks)
    assert remarked["wrong-separator"] == len(issue.get("wrong_separator_plies", []))
    assert [remark.ply for remark in verdict.remarks if remark.kind == "wrong-separator"] == issue.get(
        "wrong_separator_plies", []
    )
    assert [remark.ply for remark in verdict.remarks if remark.kind == "ambiguous"] == [
        ply for ply, _ in issue.get("ambiguous", [])
    ]


def synthetic_dialects() -> list[dict]:
    path = CORPUS / "dialects-synthetic" / "MANIFEST.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else []


@pytest.mark.parametrize("entry", synthetic_dialects(), ids=lambda entry: entry["file"])
def test_made_up_dialects_and_encodings(entry):
    file = read_pdn((CORPUS / "dialects-synthetic" / entry["file"]).read_bytes())

    statuses = Counter(str(validate(sheet_of(game)).status) for game in file.games)

    assert len(file.games) == entry["games"]
    assert statuses["legal"] == entry["legal"]
    assert file.alternatives == ()
    assert file.notes == ()


def faults() -> list[dict]:
    path = CORPUS / "synthetic_illegal.jsonl"
    return (
        [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
    )


@pytest.mark.parametrize("number", range(len(faults())))
def test_every_made_up_fault_is_found_at_its_ply_with_its_kind(number):
    fault = faults_by_number()[number]

    verdict = validate(Sheet(moves=tuple(fault["moves"])))

    problem = verdict.problem
    assert (problem.ply, str(problem.kind)) == (fault["first_illegal_ply"], fault["kind"])
    assert problem.written == fault["illegal_move"]
    assert problem.fen_before == fault["fen_before"]
    assert list(problem.legal_moves) == fault["legal_moves"]
    for article in problem.articles:
        assert article in fault["seed_articles"]


_cached: list[dict] = []


def faults_by_number() -> list[dict]:
    if not _cached:
        _cached.extend(faults())
    return _cached


@pytest.mark.parametrize("path", sorted((CORPUS / "positions").glob("*.fen")), ids=lambda path: path.name)
def test_every_position_is_read_and_written_back(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.strip().removeprefix('[FEN "').removesuffix('"]').strip()
        if not text or text.startswith("#"):
            continue
        try:
            position = Position.from_fen(text)
        except FenError as error:
            pytest.fail(f"{text}: {error}")
        assert Position.from_fen(position.fen()) == position
        assert position != START
