"""The words by which a text is known again in another one: four letters and more, of Chinese and its like two signs.

Case does not count, digits and signs part words. Words that stand everywhere say nothing and are left out.
"""

from __future__ import annotations

import itertools
import re

LEAST_LETTERS = 4

# hangul syllables, kana, and the ideographs: scripts whose words are short or not parted
_SIGNS = "\u1100-\u11ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_PARTS = re.compile(f"[{_SIGNS}]+|(?:(?![{_SIGNS}])[^\\W\\d_]){{{LEAST_LETTERS},}}")
_SIGN = re.compile(f"[{_SIGNS}]")
_NOT_LETTERS = {code: " " for code in range(128) if not chr(code).isalpha()}
_ESCAPED_BREAK = re.compile(r"\\[bfnrt]")

_WORDS_EVERYWHERE = """
about above after again against also although always among another because been before being below between both
called came cannot come could does doing done down during each either else even ever every false find first
following found four from gave give given goes gone good have having here himself however http https into item
items itself just keep know last less like list little look made make many maybe might more most much must name
need never next none null once only onto other others over please same seems shall should show since some still
such take than that their them themselves then there therefore these they thing things this those though three
through thus time true under undefined until upon used uses using value values very want well went were what when
where whether which while whole whom whose will with within without would your yours
"""
_SIGNS_EVERYWHERE = """
一个 一些 一下 不是 不会 不能 什么 以及 以下 他们 你们 使用 但是 你的 其中 其他 可以 可能 因为 因此 如果 就是
已经 应该 开始 我们 我的 或者 所以 所有 时候 是否 有些 没有 现在 由于 自己 虽然 还是 还有 这个 这些 这样 这里 进行
通过 那个 那些 那么 都是 需要 首先 です ます した して こと これ それ ない する から まで
"""
_EVERYWHERE = frozenset((_WORDS_EVERYWHERE + _SIGNS_EVERYWHERE).split())


def words_among(text: str) -> set[str]:
    """The distinct words of a text, and some that say nothing; of these ``says_something`` knows."""
    if "\\" in text:
        text = _ESCAPED_BREAK.sub(" ", text)
    if text.isascii():  # the same in a quarter of the time
        return set(text.lower().translate(_NOT_LETTERS).split())
    found: set[str] = set()
    for part in set(_PARTS.findall(text.lower())):
        if _SIGN.match(part):
            found.update(map("".join, itertools.pairwise(part)))
        else:
            found.add(part)
    return found


def says_something(word: str) -> bool:
    """Whether a word counts: it is long enough and does not stand everywhere."""
    return (len(word) >= LEAST_LETTERS or _SIGN.match(word) is not None) and word not in _EVERYWHERE
