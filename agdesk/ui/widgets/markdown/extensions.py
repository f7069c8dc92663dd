"""What the parser knows beyond CommonMark: formulas and footnotes, as rules of markdown-it.

Formulas: ``$…$``, ``$$…$$``, ``\\(…\\)``, ``\\[…\\]`` and the environments of display mathematics. A dollar opens one
only where no letter, digit or dollar stands before it and no space after it, and closes one where no space stands
before it and no digit after it: amounts of money stay text. A block formula ends at its closing mark, at an empty line
or at the end of the text; it never becomes something else, so that what stands before it can be closed.

Tokens: ``math_inline`` and ``math_block`` (content: LaTeX, markup: the opening mark, info: the closing mark, "" while
it is missing, meta["is_display"]), ``footnote_ref``, ``footnote_open`` and ``footnote_close`` (info: the label).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.ruler import RuleOptionsType
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline

_ENVIRONMENTS = r"(?:equation|align|gather|multline|alignat|eqnarray|displaymath)\*?"
_BLOCK_OPENING = re.compile(rf"\$\$|\\\[|\\begin\{{({_ENVIRONMENTS})\}}")
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]^]{1,64})\]:[ \t]*")
_FOOTNOTE_USE = re.compile(r"\[\^([^\s\[\]^]{1,64})\]")


def extend(parser: MarkdownIt) -> None:
    """Adds the rules to a parser."""
    interrupting: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    parser.block.ruler.before("fence", "math_block", _read_math_block, interrupting)
    parser.block.ruler.before("reference", "footnote", _read_footnote, interrupting)
    parser.inline.ruler.before("escape", "math_inline", _read_math_inline)
    parser.inline.ruler.before("link", "footnote_ref", _read_footnote_use)


def footnote_key(label: str) -> str:
    """What a footnote is called among the link definitions of a text; no link has a key like that."""
    return f"^{label}"


def _read_math_block(state: StateBlock, start_line: int, end_line: int, is_silent: bool) -> bool:
    if state.is_code_block(start_line):
        return False
    start = state.bMarks[start_line] + state.tShift[start_line]
    first = state.src[start : state.eMarks[start_line]]
    opening = _BLOCK_OPENING.match(first)
    if opening is None:
        return False
    environment = opening[1]
    mark = opening[0]
    end_mark = rf"\end{{{environment}}}" if environment else "$$" if mark == "$$" else r"\]"
    at = first.find(end_mark, opening.end())
    if at >= 0 and first[at + len(end_mark) :].strip():
        return False  # text goes on behind it: a formula within a paragraph
    if is_silent:
        return True
    line, is_closed = start_line, at >= 0
    while not is_closed and line + 1 < end_line:
        if state.isEmpty(line + 1) or state.sCount[line + 1] < state.blkIndent:
            break
        line += 1
        text = state.src[state.bMarks[line] : state.eMarks[line]].rstrip()
        is_closed = text.endswith(end_mark)
    source = state.getLines(start_line, line + 1, state.blkIndent, False).strip()
    token = state.push("math_block", "math", 0)
    token.markup = mark
    token.info = end_mark if is_closed else ""
    token.content = source if environment else source[len(mark) :].removesuffix(token.info)
    token.meta = {"is_display": True}
    token.map = [start_line, line + 1]
    state.line = line + 1
    return True


def _read_math_inline(state: StateInline, is_silent: bool) -> bool:
    text, start = state.src, state.pos
    mark = next((mark for mark in ("$$", "$", r"\(", r"\[") if text.startswith(mark, start)), None)
    if mark is None:
        return False
    end_mark = {r"\(": r"\)", r"\[": r"\]"}.get(mark, mark)
    content_start = start + len(mark)
    end = _find_end(text, content_start, end_mark)
    if end is None or end >= state.posMax or not text[content_start:end].strip():
        return False
    content = text[content_start:end]
    if mark == "$":
        before, after = text[start - 1 : start], text[end + 1 : end + 2]
        if (before.isascii() and before.isalnum()) or before == "$" or after.isdigit():
            return False
        if content[0].isspace() or content[-1].isspace():
            return False
    if not is_silent:
        token = state.push("math_inline", "math", 0)
        token.markup, token.info, token.content = mark, end_mark, content
        token.meta = {"is_display": mark in ("$$", r"\[")}
    state.pos = end + len(end_mark)
    return True


def _find_end(text: str, start: int, end_mark: str) -> int | None:
    """Where the first closing mark stands; a dollar behind a backslash is none."""
    end = text.find(end_mark, start)
    while end > 0 and end_mark == "$" and text[end - 1] == "\\":
        end = text.find(end_mark, end + 1)
    return end if end >= 0 else None


def _read_footnote(state: StateBlock, start_line: int, end_line: int, is_silent: bool) -> bool:
    if state.is_code_block(start_line):
        return False
    start = state.bMarks[start_line] + state.tShift[start_line]
    opening = _FOOTNOTE.match(state.src[start : state.eMarks[start_line]])
    if opening is None:
        return False
    if is_silent:
        return True
    label = opening[1]
    token = state.push("footnote_open", "", 1)
    token.info = label
    token.map = lines = [start_line, start_line + 1]
    kept = (state.bMarks[start_line], state.tShift[start_line], state.sCount[start_line], state.blkIndent)
    kept_parent, state.parentType = state.parentType, "footnote"
    # the first line begins behind the label, the others are indented by a step
    state.bMarks[start_line] = start + opening.end()
    state.tShift[start_line] = 0
    state.sCount[start_line] = kept[3] + 4
    state.blkIndent += 4
    state.md.block.tokenize(state, start_line, end_line)
    state.bMarks[start_line], state.tShift[start_line], state.sCount[start_line], state.blkIndent = kept
    state.parentType = kept_parent
    state.line = max(state.line, start_line + 1)
    lines[1] = state.line
    state.push("footnote_close", "", -1).info = label
    known = state.env.setdefault("references", {})
    if footnote_key(label) not in known:
        known[footnote_key(label)] = {"title": "", "href": "", "map": lines}
    return True


def _read_footnote_use(state: StateInline, is_silent: bool) -> bool:
    found = _FOOTNOTE_USE.match(state.src, state.pos)
    if found is None or footnote_key(found[1]) not in state.env.get("references", {}):
        return False
    if not is_silent:
        token = state.push("footnote_ref", "", 0)
        token.info, token.content = found[1], found[0]
    state.pos = found.end()
    return True
