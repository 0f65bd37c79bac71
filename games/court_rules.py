"""What the articles allow the court: who may raise what, and what may follow from it. No database, no clock."""

from __future__ import annotations

from collections.abc import Iterable

from games.models.court import Asked, Category, Effect, Raiser
from games.models.sheets import Side

OPPONENT_ONLY = frozenset({Category.IRREGULAR, Category.CLOCK_FORGOTTEN})  # articles 7.4, 8.2.3, 15.1.3
OTHER_CATEGORY = {(Category.IRREGULAR, "5.7"): Category.UNCROWNED}
"""An article that the category chosen does not hold: an uncrowned king is none of the fifteen of 7.4."""

FOUR_PENALTIES = (
    Effect.REMINDER,
    Effect.WARNING,
    Effect.GAME_LOST,
    Effect.BOTH_LOSE,
    Effect.DISQUALIFY,
)  # 14.2.2
_ONE_OFFENDER = (Effect.REMINDER, Effect.WARNING, Effect.GAME_LOST, Effect.DISQUALIFY, Effect.EXPEL)
PENALTIES = frozenset({*FOUR_PENALTIES, Effect.EXPEL})

EFFECTS: dict[Category, tuple[Effect, ...]] = {
    Category.IRREGULAR: (Effect.RECTIFY, Effect.LET_STAND, Effect.TIME, *_ONE_OFFENDER),
    Category.UNCROWNED: (Effect.RECTIFY, *_ONE_OFFENDER),
    Category.WRONG_BOARD: (Effect.REPLAY,),
    Category.WRONG_POSITION: (Effect.RECTIFY, Effect.REPLAY),
    Category.DISTURBED: (Effect.RECTIFY, Effect.NONE),
    Category.CONDUCT: (*FOUR_PENALTIES, Effect.EXPEL, Effect.UNFOUNDED),
    Category.TECHNICAL: (Effect.RECTIFY, Effect.TIME, *_ONE_OFFENDER, Effect.UNFOUNDED),
    Category.CLOCK: (Effect.GAME_LOST, Effect.REMINDER, Effect.WARNING, Effect.TIME, Effect.DISQUALIFY, Effect.EXPEL,
                     Effect.UNFOUNDED),
    Category.CLOCK_ALTERED: (Effect.TIME, Effect.RECTIFY, *_ONE_OFFENDER, Effect.UNFOUNDED),
    Category.CLOCK_MOVED: (Effect.RECTIFY, *_ONE_OFFENDER, Effect.UNFOUNDED),
    Category.CLOCK_FAULT: (Effect.TIME, Effect.NONE),
    Category.CLOCK_FORGOTTEN: (Effect.NONE,),
    Category.CLOCK_SIGNAL: (Effect.NONE, Effect.TIME),
    Category.FLAG: (Effect.GAME_LOST, Effect.BOTH_LOSE, Effect.TIME, Effect.NONE),
    Category.LATENESS: (Effect.FORFEIT, Effect.BOTH_FORFEIT, Effect.TIME, Effect.NONE),
    Category.COLOURS: (Effect.TURN_COLOURS, Effect.NONE),
    Category.OTHER: (*FOUR_PENALTIES, Effect.EXPEL, Effect.RECTIFY, Effect.TIME, Effect.REPLAY, Effect.UNFOUNDED),
}  # fmt: skip
"""What a ruling on an incident may do. Wrong boards and positions must be put right (7.1 to 7.3); an accident noticed at
once is no offence (7.5); a clock not pressed is punished by nobody (8.2.3); a breach of order is answered by one of the
four penalties or was none (14.2.1)."""

WITHOUT_BOARD = (Effect.REMINDER, Effect.WARNING, Effect.DISQUALIFY, Effect.EXPEL, Effect.UNFOUNDED)
"""What may meet somebody who sits at no board."""

ARTICLE: dict[Category, str] = {
    Category.IRREGULAR: "7.4", Category.UNCROWNED: "5.7", Category.WRONG_BOARD: "7.1", Category.WRONG_POSITION: "7.2",
    Category.DISTURBED: "7.5", Category.CONDUCT: "14.1.10", Category.TECHNICAL: "14.3", Category.CLOCK: "9.1",
    Category.CLOCK_ALTERED: "9.1", Category.CLOCK_MOVED: "9.1", Category.CLOCK_FAULT: "8.2.4",
    Category.CLOCK_FORGOTTEN: "8.2.3", Category.CLOCK_SIGNAL: "8.2.5", Category.FLAG: "8.2.6",
    Category.LATENESS: "8.3.2", Category.COLOURS: "9.3", Category.OTHER: "15.2.15",
}  # fmt: skip
"""The article to begin with when none is chosen."""

EFFECT_ARTICLE: dict[Effect, str] = {Effect.EXPEL: "14.5"}
"""The article of a measure that has one of its own."""

REFUSAL_LOSES = frozenset(
    {
        Category.IRREGULAR, Category.UNCROWNED, Category.TECHNICAL, Category.CLOCK_ALTERED, Category.CLOCK_MOVED,
    }
)  # fmt: skip
"""What is put right first, and loses the game when the player refuses (7.8, 9.1, 14.3, 14.4). A stopped clock is not
among them: it loses as it is (9.1)."""
NEEDS_SIDE = frozenset(
    {Effect.REMINDER, Effect.WARNING, Effect.GAME_LOST, Effect.FORFEIT, Effect.DISQUALIFY, Effect.EXPEL}
)
"""Effects that must say whom they meet."""
NEEDS_TIME = frozenset({Effect.TIME})
TAKES_TIME = frozenset({Effect.TIME, Effect.RECTIFY})
"""Time may be charged with putting right: the offender bears it (8.2.8)."""
NEEDS_REASON = frozenset({Effect.UNFOUNDED})
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


def category_of(category: str, article: str) -> Category:
    """The category that an article belongs to, where the one chosen does not hold it."""
    return OTHER_CATEGORY.get((Category(category), article), Category(category))


def may_raise(category: str, raised_by: str, against: str) -> bool:
    """Articles 7.4, 8.2.3 and 15.1.3: these the opponent alone may raise; anything else the arbiter too."""
    if category not in OPPONENT_ONLY:
        return True
    return {raised_by, against} == {Raiser.WHITE, Raiser.BLACK}


def right_is_lost(
    category: str, *, moved_on: bool | None = None, ply: int | None = None, plies_made: int | None = None
) -> bool:
    """Article 7.7: a move made after the irregular one accepts it. Plies are counted from 1."""
    if category not in (Category.IRREGULAR, Category.UNCROWNED):
        return False
    return bool(moved_on) or (ply is not None and plies_made is not None and plies_made > ply)


def why_not_yet(category: str, effect: str, *, accepted: bool, asked: str, refused: bool) -> str:
    """What stands before an effect, as a code; "" when it may be ruled.

    `right-lost`: the opponent has moved on (7.7). `no-choice`: the opponent chooses first (7.4). `not-refused`: a penalty
    needs the refusal to put it right (7.8, 14.3, 14.4), but for an uncrowned king that was moved (5.7).
    """
    if accepted and category in (Category.IRREGULAR, Category.UNCROWNED):
        return "right-lost"
    if refused:
        return ""
    if category == Category.IRREGULAR and effect == Effect.TIME and asked != Asked.RECTIFY:
        return "no-choice"
    if category == Category.IRREGULAR and effect in PENALTIES:
        return "not-refused"
    return "not-refused" if effect == Effect.GAME_LOST and category in REFUSAL_LOSES else ""


def lost_by_warnings(sides: Iterable[str]) -> str:
    """The outcome where these sides have lost by their second warning (14.2.4); "" where nobody has."""
    return {
        frozenset({Side.WHITE}): "BLACK",
        frozenset({Side.BLACK}): "WHITE",
        frozenset({Side.WHITE, Side.BLACK}): "BOTH_LOSE",
    }.get(frozenset(Side(side) for side in sides), "")


def is_panel(seats: int) -> bool:
    """Article 16.2: an odd number of three or more."""
    return seats >= PANEL_AT_LEAST and seats % 2 == 1


def majority(seats: int) -> int:
    """The votes that decide: more than half of all seats."""
    return seats // 2 + 1
