"""What the articles allow the court: who may raise what, and what may follow from it. No database, no clock."""

from __future__ import annotations

from games.models.court import Category, Effect, Raiser

OPPONENT_ONLY = frozenset({Category.IRREGULAR, Category.CLOCK_FORGOTTEN})  # articles 7.4, 8.2.3, 15.1.3

_DISCIPLINE = (Effect.NONE, Effect.REMINDER, Effect.WARNING, Effect.GAME_LOST, Effect.BOTH_LOSE)
_OUT = (Effect.DISQUALIFY, Effect.EXPEL)

EFFECTS: dict[Category, tuple[Effect, ...]] = {
    Category.IRREGULAR: (Effect.RECTIFY, Effect.LET_STAND, Effect.TIME, Effect.REMINDER, Effect.WARNING,
                         Effect.GAME_LOST, *_OUT),
    Category.WRONG_BOARD: (Effect.REPLAY,),
    Category.WRONG_POSITION: (Effect.RECTIFY, Effect.REPLAY),
    Category.DISTURBED: (Effect.RECTIFY, Effect.NONE),
    Category.CONDUCT: (*_DISCIPLINE, *_OUT),
    Category.TECHNICAL: (Effect.NONE, Effect.RECTIFY, Effect.REMINDER, Effect.WARNING, Effect.TIME, Effect.GAME_LOST,
                         *_OUT),
    Category.CLOCK: (Effect.NONE, Effect.TIME, Effect.REMINDER, Effect.WARNING, Effect.GAME_LOST, *_OUT),
    Category.CLOCK_FAULT: (Effect.TIME, Effect.NONE),
    Category.CLOCK_FORGOTTEN: (Effect.NONE, Effect.REMINDER),
    Category.CLOCK_SIGNAL: (Effect.NONE, Effect.TIME),
    Category.FLAG: (Effect.NONE, Effect.GAME_LOST, Effect.BOTH_LOSE, Effect.TIME),
    Category.LATENESS: (Effect.FORFEIT, Effect.BOTH_FORFEIT, Effect.TIME, Effect.NONE),
    Category.COLOURS: (Effect.TURN_COLOURS, Effect.NONE),
    Category.OTHER: (*_DISCIPLINE, Effect.RECTIFY, Effect.TIME, Effect.REPLAY, *_OUT),
}  # fmt: skip
"""What a ruling on an incident may do. Wrong boards and positions must be put right (7.1 to 7.3); an accident noticed at
once is no offence (7.5)."""

ARTICLE: dict[Category, str] = {
    Category.IRREGULAR: "7.4", Category.WRONG_BOARD: "7.1", Category.WRONG_POSITION: "7.2", Category.DISTURBED: "7.5",
    Category.CONDUCT: "14.1.10", Category.TECHNICAL: "14.3", Category.CLOCK: "9.1", Category.CLOCK_FAULT: "8.2.4",
    Category.CLOCK_FORGOTTEN: "8.2.3", Category.CLOCK_SIGNAL: "8.2.5", Category.FLAG: "8.2.6",
    Category.LATENESS: "8.3.2", Category.COLOURS: "9.3", Category.OTHER: "15.2.15",
}  # fmt: skip
"""The article to begin with when none is chosen."""

REFUSAL_LOSES = frozenset({Category.IRREGULAR, Category.TECHNICAL, Category.CLOCK})  # 7.8, 14.3, 14.4, 9.1
ONE_SIDE = frozenset(
    {Effect.REMINDER, Effect.WARNING, Effect.GAME_LOST, Effect.FORFEIT, Effect.DISQUALIFY, Effect.EXPEL}
)
"""Effects that must say whom they meet."""
OF_THE_CHIEF = frozenset({Effect.EXPEL})  # article 14.5
APPROVED_BY_THE_CHIEF = frozenset({Effect.DISQUALIFY})  # article 14.2.5
PUBLIC = frozenset(
    {
        Effect.WARNING, Effect.GAME_LOST, Effect.BOTH_LOSE, Effect.FORFEIT, Effect.BOTH_FORFEIT, Effect.REPLAY,
        Effect.TURN_COLOURS, Effect.DISQUALIFY, Effect.EXPEL,
    }
)  # fmt: skip
"""What everybody may know (14.2.2): warnings, and whatever changes a result. The rest stays between the parties."""
PANEL_AT_LEAST = 3
WARNINGS_LOSE = 2


def may_raise(category: str, raised_by: str, against: str) -> bool:
    """Articles 7.4, 8.2.3 and 15.1.3: these the opponent alone may raise; anything else the arbiter too."""
    if category not in OPPONENT_ONLY:
        return True
    return {raised_by, against} == {Raiser.WHITE, Raiser.BLACK}


def right_is_lost(category: str, *, ply: int | None, plies_made: int | None) -> bool:
    """Article 7.7: a move made after the irregular one accepts it. Plies are counted from 1."""
    return category == Category.IRREGULAR and ply is not None and plies_made is not None and plies_made > ply


def loss_is_open(category: str, *, refused: bool) -> bool:
    """Whether "game lost" may be ruled: after a technical breach or a meddled clock only when it is not put right."""
    return category not in REFUSAL_LOSES or refused


def is_panel(seats: int) -> bool:
    """Article 16.2: an odd number of three or more."""
    return seats >= PANEL_AT_LEAST and seats % 2 == 1


def majority(seats: int) -> int:
    """The votes that decide: more than half of all seats."""
    return seats // 2 + 1
