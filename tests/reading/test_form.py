"""The printed form and the table that its reader shares."""

from __future__ import annotations

import cv2
import pytest

from games.reading import table


@pytest.mark.parametrize("number", range(9))
def test_the_markers_are_those_that_the_reader_looks_for(number: int) -> None:
    known = cv2.aruco.generateImageMarker(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), number, 6)
    assert table.marker_rows(number) == (known < 128).tolist()


def test_a_page_has_81_moves_that_do_not_touch_each_other_or_a_marker() -> None:
    cells = [table.cell(ply) for ply in range(table.PLIES)]
    assert table.MOVES == 81
    spaces = [(x, y, table.CELL_WIDTH, table.ROW_HEIGHT) for x, y in cells]
    spaces += [(x, y, table.MARKER_SIZE, table.MARKER_SIZE) for x, y in table.MARKERS]
    spaces.append((table.QR_X, table.QR_Y, table.QR_SIZE, table.QR_SIZE))
    for n, (x, y, w, h) in enumerate(spaces):
        assert x >= 5 and y >= 5 and x + w <= table.PAGE_WIDTH - 5 and y + h <= table.PAGE_HEIGHT - 5
        for a, b, c, d in spaces[n + 1 :]:
            assert x + w <= a + 1e-6 or a + c <= x + 1e-6 or y + h <= b + 1e-6 or b + d <= y + 1e-6
