"""What a document looks like, as values that can be compared."""

import time
from dataclasses import dataclass

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument

from agdesk.ui.theme import current_theme
from agdesk.ui.widgets.markdown import (
    CodeRenderer,
    CodeSegment,
    MarkdownSplitter,
    SafeDocument,
    TextFormats,
    TextRenderer,
)
from agdesk.ui.widgets.markdown.segments import Segment


@dataclass(frozen=True, slots=True)
class Run:
    text: str
    weight: int
    is_italic: bool
    is_struck: bool
    is_fixed: bool
    href: str
    color: str


@dataclass(frozen=True, slots=True)
class Block:
    runs: tuple[Run, ...]
    heading: int
    indent: int
    top: float
    marker: str
    background: str
    table: tuple[int, int] | None
    bars: int
    is_rule: bool

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


def blocks_of(document: QTextDocument) -> list[Block]:
    """Every block of a document."""
    found = []
    block = document.begin()
    while block.isValid():
        found.append(_block(block))
        block = block.next()
    return found


def _block(block: QTextBlock) -> Block:
    from agdesk.ui.widgets.markdown.formats import QUOTE_BARS, RULE

    style = block.blockFormat()
    runs = []
    fragments = block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        look = fragment.charFormat()
        runs.append(
            Run(
                fragment.text(),
                look.fontWeight(),
                look.fontItalic(),
                look.fontStrikeOut(),
                look.fontFixedPitch(),
                look.anchorHref() if look.isAnchor() else "",
                look.foreground().color().name(),
            )
        )
        fragments += 1
    items = block.textList()
    table = QTextCursor(block).currentTable()
    return Block(
        tuple(runs),
        style.headingLevel(),
        style.indent(),
        style.topMargin(),
        items.itemText(block) if items else "",
        style.background().color().name() if style.hasProperty(style.Property.BackgroundBrush) else "",
        (table.rows(), table.columns()) if table else None,
        style.intProperty(QUOTE_BARS),
        style.boolProperty(RULE),
    )


class Drawing:
    """A text on its way through splitter and renderers, as the transcript does it."""

    def __init__(self) -> None:
        self.splitter = MarkdownSplitter()
        self.formats = TextFormats(current_theme())
        self.documents: dict[int, SafeDocument] = {}
        self._renderers: dict[int, TextRenderer | CodeRenderer] = {}
        self._now_s = 0.0

    def feed(self, text: str) -> None:
        self.splitter.feed(text)
        self.update()

    def finish(self) -> None:
        self.splitter.finish()
        if self.splitter.has_late_references:
            self.documents.clear()
            self._renderers.clear()
        self.update()
        self.await_formulas()

    def await_formulas(self) -> None:
        """Goes on until every formula is laid out that can be."""
        deadline = time.monotonic() + 40
        while any(document.formulas.is_waiting for document in self.documents.values()):
            assert time.monotonic() < deadline
            time.sleep(0.01)
            self.update()

    def update(self) -> None:
        self._now_s += 0.04
        for segment in self.splitter.segments:
            if id(segment) not in self.documents:
                self._add(segment)
            self._renderers[id(segment)].update(self._now_s)

    def _add(self, segment: Segment) -> None:
        document = SafeDocument(self.formats.font, indent=self.formats.indent)
        self.documents[id(segment)] = document
        if isinstance(segment, CodeSegment):
            self._renderers[id(segment)] = CodeRenderer(document, segment, formats=self.formats)
        else:
            references = self.splitter.references
            self._renderers[id(segment)] = TextRenderer(document, segment, references=references, formats=self.formats)

    @property
    def blocks(self) -> list[tuple[str, list[Block]]]:
        """The blocks of every segment that shows something."""
        found = []
        for segment in self.splitter.segments:
            document = self.documents[id(segment)]
            if isinstance(segment, CodeSegment) or not document.isEmpty():
                found.append((type(segment).__name__, blocks_of(document)))
        return found

    @property
    def lines(self) -> list[Block]:
        """All blocks with text, in one list."""
        return [block for _, blocks in self.blocks for block in blocks if block.text]


def draw(text: str, *, pieces: list[int] | None = None) -> Drawing:
    """A whole text, drawn in pieces of the given sizes (used in turn), or at once."""
    drawing = Drawing()
    position, turn = 0, 0
    while pieces and position < len(text):
        size = pieces[turn % len(pieces)]
        drawing.feed(text[position : position + size])
        position += size
        turn += 1
    if not pieces:
        drawing.feed(text)
    drawing.finish()
    return drawing
