"""The documents of the rows that were shown last."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import assert_never

from agdesk.ui.theme import Theme
from agdesk.ui.widgets.markdown import CodeRenderer, SafeDocument, TextFormats, TextRenderer
from agdesk.ui.widgets.transcript.rows import CodeRow, DocumentRow, PlainRow, TextRow

CAPACITY = 64


@dataclass(slots=True)
class _Drawing:
    document: SafeDocument
    renderer: TextRenderer | CodeRenderer | None
    revision: int


class DocumentCache:
    """Draws rows into documents and keeps the most recent ones.

    Documents are used again and never thrown away: PySide keeps every document alive that was ever given to a widget,
    as long as the widget lives.

    Args:
        theme: colours and sizes of the formats.
    """

    def __init__(self, theme: Theme) -> None:
        self._drawings: OrderedDict[DocumentRow, _Drawing] = OrderedDict()
        self._spare: list[SafeDocument] = []
        self.restyle(theme)

    def __len__(self) -> int:
        return len(self._drawings)

    def restyle(self, theme: Theme) -> None:
        """Forgets what is drawn; from now on it looks like this. No widget may show a document of this cache."""
        self._formats = TextFormats(theme)
        self._thinking_formats = TextFormats(theme, is_muted=True)
        self.clear()

    def clear(self) -> None:
        """Forgets what is drawn. No widget may show a document of this cache."""
        self._spare += [drawing.document for drawing in self._drawings.values()]
        self._drawings.clear()

    def get(self, row: DocumentRow, *, now_s: float) -> tuple[SafeDocument, bool]:
        """The document of a row, up to date.

        Returns:
            The document, and whether its end is only drawn roughly yet (see ``TextRenderer.update``).
        """
        revision = 0 if isinstance(row, PlainRow) else row.block.revision
        drawing = self._drawings.get(row)
        if drawing is None or drawing.revision != revision:
            document = drawing.document if drawing is not None else None
            drawing = self._drawings[row] = self._draw(row, revision, document)
        self._drawings.move_to_end(row)
        is_rough = drawing.renderer.update(now_s) if drawing.renderer is not None else False
        return drawing.document, is_rough

    def evict(self, *, shown: set[DocumentRow]) -> None:
        """Frees the documents that were not asked for the longest, but none of the rows that are shown."""
        surplus = len(self._drawings) - CAPACITY
        if surplus > 0:
            for row in [row for row in self._drawings if row not in shown][:surplus]:
                self._spare.append(self._drawings.pop(row).document)

    def _draw(self, row: DocumentRow, revision: int, document: SafeDocument | None) -> _Drawing:
        is_thinking = not isinstance(row, PlainRow) and row.block.kind == "thinking"
        formats = self._thinking_formats if is_thinking else self._formats
        font = formats.code_font if isinstance(row, CodeRow) else formats.font
        if document is None:
            document = self._spare.pop() if self._spare else SafeDocument(font, indent=formats.indent)
        document.reset(font, indent=formats.indent)
        renderer: TextRenderer | CodeRenderer | None = None
        match row:
            case TextRow():
                references = row.block.references
                renderer = TextRenderer(document, row.segment, references=references, formats=formats)
            case CodeRow():
                renderer = CodeRenderer(document, row.segment, formats=formats)
            case PlainRow():
                formats.write_plain(document, row.text)
            case _:
                assert_never(row)
        return _Drawing(document, renderer, revision)
