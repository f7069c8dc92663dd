"""Markdown of foreign origin, streamed into ``QTextDocument`` without HTML and without ever loading anything.

``splitter`` (no Qt) cuts a growing text into segments whose closed parts never change; ``renderer`` draws a segment.
A construct is added in ``walker`` or ``inline``, its syntax in ``extensions``; ``links`` alone decides what may be
clicked. A formula is laid out on a thread (``typesetter``, ``formula``), stands as its source until that is done, and
is then one character that ``formula_sheet`` paints; ``reading`` turns it back into its source. markdown-it and Pygments
are imported by the first text drawn, or by ``warm_up``, ziamath by the first formula.
"""

from agdesk.ui.widgets.markdown.document import SafeDocument
from agdesk.ui.widgets.markdown.formats import TextFormats
from agdesk.ui.widgets.markdown.renderer import CodeRenderer, TextRenderer
from agdesk.ui.widgets.markdown.segments import CodeSegment, Fence, TextSegment
from agdesk.ui.widgets.markdown.splitter import MarkdownSplitter
from agdesk.ui.widgets.markdown.warm_up import warm_up

__all__ = [
    "CodeRenderer",
    "CodeSegment",
    "Fence",
    "MarkdownSplitter",
    "SafeDocument",
    "TextFormats",
    "TextRenderer",
    "TextSegment",
    "warm_up",
]
