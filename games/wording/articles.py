"""The articles that the court applies, restated in short in Chinese and English, to be searched and cited.

Numbers are those of the Chinese rules of 100-square draughts as `chapter.clause`. The wording is this site's own: the
official text is the one on the event's notice board.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    number: str
    zh: str
    en: str


_TEXTS: tuple[tuple[str, str, str], ...] = (
    ("7.1", "发现棋盘放置方向错误，对局作废重下。", "A board found turned the wrong way: the game is void and is played again."),
    ("7.2", "对局前检查摆子；对局中发现不合规则的局面，必须纠正。", "The set-up is checked before play; a position found irregular during play must be put right."),
    ("7.3", "白格内的棋子无效，必须纠正。", "A piece on a light square counts for nothing and must be put right."),
    ("7.4", "一方行为不合规则时，由对手决定要求纠正或接受。", "After an irregularity the opponent alone decides: have it put right, or let it stand."),
    ("7.4.1", "一方连续走两步棋。", "Two moves in a row by one player."),
    ("7.4.2", "违反规则移动普通棋子或王棋。", "A man or a king moved against the rules."),
    ("7.4.3", "摸了己方一枚棋子，却走另一枚。", "One piece touched and another one moved."),
    ("7.4.4", "悔棋：把刚走完的棋子放回原处。", "Taking back the move just made."),
    ("7.4.5", "移动对方的棋子。", "Moving a piece of the opponent's."),
    ("7.4.6", "能吃子的棋子没有吃，而走了别的棋。", "A quiet move made where a capture was due."),
    ("7.4.7", "无故从棋盘上拿起双方的棋子。", "Lifting pieces of either side off the board without cause."),
    ("7.4.8", "吃子数量多于或少于规定。", "Capturing more or fewer pieces than the rules ask for."),
    ("7.4.9", "连续吃子未完成就松手停止。", "Letting go before a multiple capture is complete."),
    ("7.4.10", "连续吃子未完成时不合规则地拿起棋子。", "Lifting a piece wrongly in an unfinished multiple capture."),
    ("7.4.11", "吃子后少拿了被吃的棋子。", "Removing fewer pieces than were captured."),
    ("7.4.12", "吃子后拿走了没有跳过的棋子。", "Removing a piece that was not jumped."),
    ("7.4.13", "连续吃子后中途停止拿走被吃的棋子。", "Stopping while the captured pieces are being removed."),
    ("7.4.14", "吃子后拿走己方的棋子。", "Removing one's own piece after a capture."),
    ("7.4.15", "一只手走棋，另一只手拿走被吃的棋子。", "Moving with one hand and removing captured pieces with the other."),
    ("7.5", "因偶然因素局面改变且当即发现，不属犯规。", "A position changed by accident and noticed at once is no infringement."),
    ("7.6", "一方拒绝遵守规则，对手有权要求其按规则走棋。", "When a player refuses to follow the rules, the opponent may demand that he does."),
    ("7.7", "对手犯规后自己继续走棋，视为接受，失去要求纠正的权利。", "Moving on after the opponent's irregularity accepts it: the right to have it put right is gone."),
    ("7.8", "只作部分改正或拒绝改正，将受处罚。", "Putting an irregularity right in part only, or refusing to, is penalised."),
    ("8.1.1", "包干制：固定用时内未结束，先到时限者判负。", "Sudden death: a fixed time for all moves; whose time is up first loses."),
    ("8.1.2", "菲舍尔制：起始用时加每着加秒，先到时限者判负。", "Fischer: a starting time and an addition for each move; whose time is up first loses."),
    ("8.2.1", "开赛时裁判开动白方棋钟。", "At the start the arbiter starts White's clock."),
    ("8.2.2", "走完一着后按停己方棋钟，对方开始计时。", "After a move a player stops his clock and starts the opponent's."),
    ("8.2.3", "忘记按钟，只有对方可以提醒。", "Only the opponent may tell a player that he forgot to press the clock."),
    ("8.2.4", "棋钟故障，裁判立即更换并恢复双方用时。", "A clock out of order is replaced at once, both times restored, and play goes on."),
    ("8.2.5", "对棋钟信号的异议必须在时限到达前提出，否则不予受理。", "Objections to the clock's signals are raised before the time is up, or not heard at all."),
    ("8.2.6", "对局未结束而时限已到，超时者判负。", "Whose time is up while the game is unfinished has lost."),
    ("8.2.7", "向裁判提和时棋钟继续走；其间超时，提和成立则和，否则判负。", "A draw claim leaves the claimant's clock running; if it falls meanwhile the claim, if upheld, draws; if not, the game is lost."),
    ("8.2.8", "纠正违规所用时间由违规方承担。", "The time of putting an irregularity right is charged to the offender."),
    ("8.2.9", "走棋与按钟必须用同一只手。", "The hand that moves presses the clock."),
    ("8.3.1", "迟到时限一般为1小时；未超过者从自己用时中扣除。", "The lateness limit is one hour as a rule; within it a late player loses the time from his own clock."),
    ("8.3.2", "一方迟到超过时限，判弃权作负。", "A player later than the limit forfeits the game."),
    ("8.3.3", "双方迟到超过时限，判双方弃权作负。", "Both later than the limit: both forfeit."),
    ("8.4", "双方均可提出超时，裁判也可直接确认。", "Either player may point out that time is up; the arbiter may also see it himself."),
    ("8.5", "申诉须在规定时间内提出。", "An appeal is filed within the time set by the regulations."),
    ("9.1", "按时开钟；棋手不得停钟、移动或更改棋钟，否则判负；非本人过失迟到可恢复时间。", "Clocks start on time. A player who stops, moves or alters a clock loses; time lost without fault may be restored."),
    ("9.2", "双方都未到：先开白钟；一方到达时已耗时间平分，再开白钟。", "Both absent: White's clock runs; at the first arrival the time is shared equally and White's clock restarts."),
    ("9.3", "开始后发现颜色颠倒，比赛继续，结果不变。", "Colours found reversed after the start: play goes on and the result stands."),
    ("11.1", "比赛正常情况下不得中断。", "As a rule a game is not interrupted."),
    ("11.2", "被迫暂时中断的，问题解决后立即恢复。", "A game that has to be interrupted is resumed as soon as possible."),
    ("11.3", "封棋程序：确认局面和用时，暗记着法，装袋密封。", "Adjourning: position and times confirmed, the next move sealed, all put in a sealed envelope."),
    ("11.3.6", "封棋着法必须合乎规则，否则判负。", "A sealed move that is not legal loses the game."),
    ("11.4", "续赛程序：拆封，双方确认局面和用时，走出封着。", "Resuming: the envelope is opened, position and times confirmed, the sealed move made."),
    ("12.1", "对局结果为胜、和、负。", "A game is won, drawn or lost."),
    ("12.2", "对方认输、无子、无着可走或拒绝遵守规则，为胜。", "A win: the opponent resigns, has no piece or no move, or refuses to follow the rules."),
    ("12.3", "和棋：三次重复、限着、双方同意或均不能取胜。", "A draw: threefold repetition, the move limits, agreement, or neither can win."),
    ("12.4", "双方各走完40着后方可提和；被拒后须待对方提和。", "A draw may be offered once both made 40 moves; refused, not again before the opponent offers."),
    ("12.5", "和棋由棋手向裁判提出，裁判判定。", "A draw is claimed from the arbiter, who decides."),
    ("12.6", "胜得2分，和得1分，负得0分。", "A win counts 2, a draw 1, a loss 0."),
    ("13.1.1", "棋手有权了解竞赛规程。", "A player may know the regulations of the event."),
    ("13.1.2", "棋手有权在安静环境中比赛。", "A player may play in silence."),
    ("13.1.3", "棋手可就本人比赛向裁判提出问题。", "A player may ask the arbiter about his own game."),
    ("13.1.4", "棋手可本人或托人致信组委会。", "A player may write to the organizers, himself or through another."),
    ("13.1.5", "可不中断比赛，书面向仲裁委员会申诉，并给裁判长一份复印件。", "A player may appeal in writing without stopping the game, with a copy to the chief arbiter."),
    ("13.2.1", "棋手须遵守规程和赛场纪律。", "A player keeps to the regulations and to order in the hall."),
    ("13.2.2", "棋手须回答裁判问题，服从裁判决定。", "A player answers the arbiter and follows his decisions."),
    ("13.2.3", "对局后收好棋具，安静离场。", "After the game the set is put in order and the hall left quietly."),
    ("13.2.4", "棋手须下完全部对局。", "A player plays all his games."),
    ("14.1.1", "与裁判以外的人说话。", "Talking to anybody but the arbiter."),
    ("14.1.2", "使用或查阅有助对局的资料或器具。", "Using notes or devices that help in the game."),
    ("14.1.3", "轮到自己走棋时离开棋盘。", "Leaving the board with the move."),
    ("14.1.4", "为帮助思考触摸棋盘或比划。", "Touching or pointing at the squares to help one's thinking."),
    ("14.1.5", "对方思考时干扰。", "Disturbing the opponent's thinking."),
    ("14.1.6", "干扰正在进行的对局。", "Disturbing a game in progress."),
    ("14.1.7", "接受与自己对局有关的建议。", "Taking advice on one's game."),
    ("14.1.8", "分析正在进行的对局。", "Analysing a game in progress."),
    ("14.1.9", "在赛场内分析已结束的对局。", "Analysing a finished game in the hall."),
    ("14.1.10", "影响比赛顺利进行的行为。", "Conduct that hinders the competition."),
    ("14.1.11", "未经允许无故离开赛场。", "Leaving the hall without leave or reason."),
    ("14.1.12", "在进行中的对局旁逗留。", "Lingering beside a game in progress."),
    ("14.1.13", "电子装置影响比赛。", "An electronic device that affects the games."),
    ("14.2.1", "裁判须对违纪行为给予处罚。", "Every breach of order is penalised by the arbiter."),
    ("14.2.2", "处罚：提醒、公开警告、判负（含双方）、取消资格。", "Penalties: reminder, public warning, loss of the game (or for both), disqualification."),
    ("14.2.3", "处罚轻重由裁判按情节决定。", "The arbiter chooses the penalty by the gravity of the breach."),
    ("14.2.4", "同一局两次警告，当局判负。", "Two public warnings in one game lose it."),
    ("14.2.5", "取消资格须经裁判长同意。", "Disqualification needs the chief arbiter's approval."),
    ("14.3", "违反技术规定而拒绝改正的，应受处罚。", "Refusing to put a technical breach right is penalised."),
    ("14.3.1", "不合规则着法后拒绝改正或改正不完全。", "Refusing to put an irregular move right, or doing so in part."),
    ("14.3.2", "拒绝记录对局。", "Refusing to record the game."),
    ("14.3.3", "赛后拒绝在成绩单上签字。", "Refusing to sign the result."),
    ("14.3.4", "私自调钟致用时无法恢复。", "Altering the clock so that the times cannot be restored."),
    ("14.3.5", "私自停钟。", "Stopping the clock oneself."),
    ("14.4", "违反技术规定又拒绝改正者，当局判负。", "Who refuses to put a technical breach right loses the game."),
    ("14.5", "严重违纪且不服从者，裁判长可将其逐出赛场。", "The chief arbiter may expel who breaks order gravely and does not obey."),
    ("15.1.1", "裁判保证人人遵守规则并管理比赛。", "The arbiter sees that the rules are kept and runs the competition."),
    ("15.1.3", "裁判可主动制止冲突，但7.4和8.2.3所列情形除外。", "The arbiter may step in unasked, except in the cases of 7.4 and 8.2.3."),
    ("15.2.4", "设专门的布告板公布正式信息。", "Official information stands on a notice board."),
    ("15.2.7", "裁判始终有一名助手。", "The arbiter has an assistant at all times."),
    ("15.2.9", "只有裁判可以停钟或下令停钟。", "Only the arbiter stops clocks or has them stopped."),
    ("15.2.13", "对超过迟到时限者判负。", "The arbiter rules a player lost who comes after the lateness limit."),
    ("15.2.15", "对规程未规定的问题作出裁决。", "The arbiter rules on what the regulations leave open."),
    ("16.1", "对裁判的判决不服，可向仲裁委员会申诉。", "A ruling of the arbiter may be appealed to the appeals committee."),
    ("16.2", "仲裁委员会由三人以上单数组成，一人一票，少数服从多数，决定为最终决定并及时通报双方；申诉须书面并交足费用。", "The committee is an odd number of three or more, one vote each, a majority decides; its decision is final and told to both parties. An appeal is written and its fee paid in full."),
)  # fmt: skip

ARTICLES: dict[str, Article] = {number: Article(number=number, zh=zh, en=en) for number, zh, en in _TEXTS}


def find(query: str) -> list[Article]:
    """The articles that hold every word of the query, or whose number begins with it; in the order of the rules."""
    words = query.casefold().split()
    return [a for a in ARTICLES.values() if all(_holds(a, word) for word in words)]


def _holds(article: Article, word: str) -> bool:
    if word[0].isdigit():
        return article.number == word or article.number.startswith(f"{word.rstrip('.')}.")
    return word in article.zh or word in article.en.casefold()
