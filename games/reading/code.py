"""What the square code of a form says: `DR1:EVENT/SECTION:ROUND:BOARD.GAME:SIDE:PAGE:SIGNED`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(
    r"DR1:([\w-]{1,80})/([\w-]{1,80}):(\d{1,4}):(\d{1,5})\.(\d{1,3}):([WB]):([1-9]):([A-Z2-7]{8})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """`side` is W or B, `page` counts from 1; `signature` proves that this site printed the form."""

    event: str
    section: str
    round: int
    board: int
    game: int
    side: str
    page: int
    signature: str = ""

    @property
    def signed_part(self) -> str:
        return (
            f"DR1:{self.event}/{self.section}:{self.round}:{self.board}.{self.game}:{self.side}:{self.page}"
        )

    @property
    def text(self) -> str:
        return f"{self.signed_part}:{self.signature}"

    @classmethod
    def read(cls, text: str) -> Code | None:
        """The code in a text, or None for another text. The signature is not checked."""
        found = _FORM.fullmatch(text)
        if found is None:
            return None
        event, section, round_, board, game, side, page, signature = found.groups()
        return cls(
            event=event, section=section, round=int(round_), board=int(board), game=int(game), side=side,
            page=int(page), signature=signature,
        )  # fmt: skip
