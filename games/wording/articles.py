"""The sixteen articles, clause by clause, restated in short in Chinese and English, to be searched and cited.

Numbers are those of the Chinese rules of 100-square draughts as `chapter.clause`. The wording is this site's own: the
official text is the one on the event's notice board.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.wording.article_list import TEXTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    number: str
    zh: str
    en: str


ARTICLES: dict[str, Article] = {number: Article(number=number, zh=zh, en=en) for number, zh, en in TEXTS}


def find(query: str) -> list[Article]:
    """The articles that hold every word of the query, or whose number begins with it; in the order of the rules."""
    words = query.casefold().split()
    return [a for a in ARTICLES.values() if all(_holds(a, word) for word in words)]


def _holds(article: Article, word: str) -> bool:
    if word[0].isdigit():
        return article.number == word or article.number.startswith(f"{word.rstrip('.')}.")
    return word in article.zh or word in article.en.casefold()
