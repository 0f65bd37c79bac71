"""Measures the reader on simulated pages of writers it was not trained with.

`python -m training.measure DIGITS.npz OUT.jsonl --pdn GAMES.pdn... --pages 300` appends one line a game of two pages to OUT and
goes on where it stopped; `--tell` sums up what is there. The games are real; slips of the pen are drawn; every page is
filled by another writer as long as there are others, and every third game has harm of a kind that training did not use.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

import rules
from games.exports.form_setting import FormPage, to_png
from games.reading import table
from games.reading.boxes import EMPTY
from games.reading.code import Code
from games.reading.faults import Unreadable
from games.reading.joining import Reading, join
from games.reading.page import Page, WrittenCell, read_page
from training.pages import DAMAGE, Camera, Writer, Written, filled, jpeg, photographed
from training.split import Array, Digits, load, split

LEAST, MOST = 44, 250
CAMERAS = {
    "ordinary": Camera(),
    "blurred": Camera(blur=2.2),
    "dim": Camera(darkest=0.25, noise=2),
    "curled": Camera(curl=1.8, tilt=1.5),
    "small": Camera(width=1100),
}
ALIKE = ("6", "47", "37", "258", "19", "36", "05", "12", "3", "4")
SLIPS = ("digit", "missing", "exchanged", "turned", "twice")
SLIP_ODDS = (0.65, 0.15, 0.1, 0.05, 0.05)


def games_in(files: list[Path]) -> list[list[Written]]:
    """The whole games from the start position in PDN files, by what is written for each ply."""
    found = []
    for file in files:
        for game in rules.read_pdn(file.read_bytes()).games:
            sheet = rules.sheet_of(game)
            if sheet.start != rules.START or not LEAST <= len(sheet.moves) <= MOST:
                continue
            moves = rules.validate(sheet).moves
            if len(moves) == len(sheet.moves) and None not in moves:
                found.append([(m.origin, m.destination, m.is_capture) for m in moves if m is not None])
    return found


def with_slips(game: list[Written], chance: np.random.Generator) -> list[Written]:
    """As a player notes it: none to three slips."""
    written = list(game)
    for _ in range(int(chance.choice(4, p=(0.5, 0.25, 0.15, 0.1)))):
        kind, at = str(chance.choice(SLIPS, p=SLIP_ODDS)), int(chance.integers(4, len(written) - 3))
        origin, goal, cross = written[at]
        if kind == "digit":
            first = chance.random() < 0.5
            written[at] = (
                (_slip(origin, chance), goal, cross) if first else (origin, _slip(goal, chance), cross)
            )
        elif kind == "missing":
            del written[at]
        elif kind == "exchanged":
            written[at], written[at + 1] = written[at + 1], written[at]
        elif kind == "turned":
            written[at] = goal, origin, cross
        else:
            written.insert(at, written[at])
    return written


def _slip(square: int, chance: np.random.Generator) -> int:
    text = str(square)
    for _ in range(50):
        at = int(chance.integers(len(text)))
        digit = str(chance.choice(list(ALIKE[int(text[at])])))
        other = int(text[:at] + digit + text[at + 1 :])
        if other != square and 1 <= other <= 50:
            return other
    return square


class Bench:
    """Fills, photographs and reads one game after another."""

    def __init__(self, held_out: Digits, games: list[list[Written]]) -> None:
        self.digits, self.games = held_out, games
        self.writers = sorted(set(held_out.writers.tolist()))
        np.random.default_rng(3).shuffle(self.writers)

    def game(self, number: int) -> dict[str, Any]:
        """One game of two copies: what was read of it, and what it cost."""
        chance = np.random.default_rng(1000 + number)
        truth = self.games[number % len(self.games)]
        camera = list(CAMERAS)[number % len(CAMERAS)]
        harm = list(DAMAGE)[number // 3 % len(DAMAGE)] if number % 3 == 2 else ""
        copies, told = [], []
        for side, letter in enumerate("WB"):
            writer = Writer(
                self.digits, self.writers[(2 * number + side) % len(self.writers)], 7000 + 2 * number + side
            )
            written = with_slips(truth, chance)
            cells, pages = self._copy(written, writer, letter, number, camera, harm, chance)
            copies.append(cells)
            told += pages
        began = time.process_time()
        alone = [join([cells]) for cells in copies]
        alone_cost = time.process_time() - began
        both = join(copies)
        return {
            "game": number, "plies": len(truth), "camera": camera, "harm": harm, "pages": told,
            "alone": [_judged(reading, truth) for reading in alone], "both": _judged(both, truth),
            "cpu_alone": alone_cost / 2, "cpu_both": time.process_time() - began - alone_cost,
        }  # fmt: skip

    def _copy(
        self, written: list[Written], writer: Writer, side: str, number: int, camera: str, harm: str,
        chance: np.random.Generator,
    ) -> tuple[list[WrittenCell], list[dict[str, Any]]]:  # fmt: skip
        cells: list[WrittenCell] = []
        told = []
        room = table.PLIES - 24  # rows may be spoilt
        for page, start in enumerate(range(0, len(written), room), 1):
            code = Code(
                event="measure",
                section="A",
                round=1,
                board=number + 1,
                game=1,
                side=side,
                page=page,
                signature="ABCDEFGH",
            )
            full = filled(self._form(code), written[start : start + room], writer, struck=0.03)
            photo = photographed(full.page, chance, CAMERAS[camera])
            if harm:
                photo = DAMAGE[harm](photo, chance)
            began = time.process_time()
            try:
                found = read_page(jpeg(photo, int(chance.integers(58, 88))), with_pictures=False)
            except Unreadable as error:
                told.append({"fault": error.fault.value})
                continue
            cost = time.process_time() - began
            cells += found.cells
            told.append(_page(found, full.labels, code) | {"cpu": cost})
        return cells, told

    def _form(self, code: Code) -> Array:
        picture = to_png(FormPage(code=code.text, page=code.page))
        form = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)
        assert form is not None
        return form


def _page(found: Page, labels: Array, code: Code) -> dict[str, Any]:
    read = np.full(labels.shape, EMPTY)
    odds = np.zeros(labels.shape)
    first = table.PLIES * (code.page - 1)
    for cell in found.cells:
        logs = np.array(cell.boxes)
        read[cell.ply - first], odds[cell.ply - first] = logs.argmax(1), np.exp(logs.max(1))
    digits, empty = (labels >= 0) & (labels < EMPTY), labels == EMPTY
    rows = digits.any(1)
    struck = np.flatnonzero(labels[:, 0] == -1).tolist()
    bins = []
    for low, high in (
        (0, 0.5),
        (0.5, 0.8),
        (0.8, 0.9),
        (0.9, 0.95),
        (0.95, 0.99),
        (0.99, 0.999),
        (0.999, 1.01),
    ):
        here = digits & (odds > low) & (odds <= high)
        bins.append([int(here.sum()), int((read == labels)[here].sum()), float(odds[here].sum())])
    return {
        "markers": found.markers, "off": round(found.off, 2), "code": found.code == code,
        "digits": int(digits.sum()), "digits_right": int((read == labels)[digits].sum()),
        "empty": int(empty.sum()), "empty_right": int((read == labels)[empty].sum()),
        "cells": int(rows.sum()), "cells_right": int((read == labels).all(1)[rows].sum()),
        "struck": len(struck), "struck_found": len(set(struck) & {ply - first for ply in found.struck}),
        "struck_wrong": len({ply - first for ply in found.struck} - set(struck)), "bins": bins,
    }  # fmt: skip


def _judged(reading: Reading, truth: list[Written]) -> dict[str, Any]:
    played = [tuple(int(s) for s in (move.replace("x", "-").split("-")[0], move.replace("x", "-").split("-")[-1]))
              for move in reading.moves]  # fmt: skip
    wanted = [(origin, goal) for origin, goal, _ in truth]
    exact = played == wanted
    quiet = sum(
        not ply.doubtful and move != true
        for ply, move, true in zip(reading.plies, played, wanted, strict=False)
    )
    return {
        "exact": exact, "certain": reading.certain, "moves_certain": reading.certain_up_to_order,
        "certain_wrong": reading.certain and not exact,
        "moves_certain_wrong": reading.certain_up_to_order and sorted(played) != sorted(wanted),
        "doubtful": len(reading.doubtful), "wrong_undoubted": quiet,
    }  # fmt: skip


def tell(lines: list[dict[str, Any]]) -> Iterator[str]:
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in lines:
        groups["all"].append(line)
        groups[f"camera {line['camera']}, no harm" if not line["harm"] else f"harm {line['harm']}"].append(
            line
        )
        if len(line["pages"]) > 2:
            groups["with a page 2"].append(line)
    for name, found in groups.items():
        pages = [page for line in found for page in line["pages"]]
        read = [page for page in pages if "fault" not in page]
        alone = [one for line in found for one in line["alone"]]
        both = [line["both"] for line in found]
        yield (
            f"{name}: {len(pages)} pages, {len(pages) - len(read)} refused, all 9 markers {sum(p['markers'] == 9 for p in read)}, "
            f"code {sum(p['code'] for p in read)}; digits {_share(read, 'digits')}, empty {_share(read, 'empty')}, "
            f"cells {_share(read, 'cells')}; struck found {sum(p['struck_found'] for p in read)} of {sum(p['struck'] for p in read)}, "
            f"wrongly {sum(p['struck_wrong'] for p in read)}"
        )
        for words, judged in (("one copy", alone), ("both", both)):
            yield f"  {words}: {len(judged)}, " + ", ".join(
                f"{key} {sum(one[key] for one in judged)}"
                for key in (
                    "exact",
                    "certain",
                    "certain_wrong",
                    "moves_certain",
                    "moves_certain_wrong",
                    "wrong_undoubted",
                )
            )
    read = [page for line in lines for page in line["pages"] if "fault" not in page]
    if read:
        sums = np.array([page["bins"] for page in read]).sum(0)
        yield "calibration of digits (number, said, right): " + "; ".join(
            f"{int(n)} {said / n:.3f} {right / n:.3f}" for n, right, said in sums if n
        )
        yield (
            f"processor: {np.mean([p['cpu'] for p in read]):.2f} s a page read, "
            f"{np.mean([line['cpu_alone'] for line in lines]):.2f} s a copy joined, "
            f"{np.mean([line['cpu_both'] for line in lines]):.2f} s both"
        )


def _share(pages: list[dict[str, Any]], name: str) -> str:
    whole = sum(page[name] for page in pages)
    return f"{sum(page[f'{name}_right'] for page in pages) / whole:.4f} of {whole}" if whole else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("digits", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pdn", type=Path, nargs="*", default=[])
    parser.add_argument("--pages", type=int, default=300)
    parser.add_argument("--tell", action="store_true")
    given = parser.parse_args()
    lines = [json.loads(line) for line in given.out.read_text().splitlines()] if given.out.exists() else []
    if not given.tell:
        games = games_in(given.pdn)
        np.random.default_rng(11).shuffle(games)  # type: ignore[arg-type]
        bench = Bench(split(load(given.digits)).held_out, games)
        while sum(len(line["pages"]) for line in lines) < given.pages:
            lines.append(bench.game(len(lines)))
            with given.out.open("a") as out:
                out.write(json.dumps(lines[-1]) + "\n")
    print("\n".join(tell(lines)))


if __name__ == "__main__":
    main()
