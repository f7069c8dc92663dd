"""Markdown of foreign origin, streamed into ``QTextDocument`` without HTML and without ever loading anything.

``splitter`` (no Qt) cuts a growing text into segments whose closed parts never change; ``renderer`` draws a segment.
A construct is added in ``walker`` or ``inline``; ``links`` alone decides what may be clicked. markdown-it and Pygments
are imported by the first text drawn, or by ``warm_up``.
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
