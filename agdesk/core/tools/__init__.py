"""Tools: what a model can call, whether it may, and what comes of it.

``base`` says what a tool is; ``registry`` runs calls and makes a result of every failure (``results``). ``policy``
answers calls by rules: ``rule`` is one of them, its ``patterns`` and ``predicates`` (``json_path``, ``folder_text``,
``address``) say when it matches; ``proposed_rule`` makes one from an answer, ``rehearsal`` tries one out. ``visible``
shows untrusted text. ``builtin`` holds agdesk's own tools: it loads pydantic and httpx, nothing else here does. May
import ``core.providers`` and below. To add a tool: docs/howto-add-tool.md.
"""

from agdesk.core.tools.base import Tool, ToolContext, ToolOutput
from agdesk.core.tools.policy import ApprovalPolicy, Ruling
from agdesk.core.tools.registry import ApprovedCall, ToolRegistry
from agdesk.core.tools.results import ToolOutcome

__all__ = [
    "ApprovalPolicy",
    "ApprovedCall",
    "Ruling",
    "Tool",
    "ToolContext",
    "ToolOutcome",
    "ToolOutput",
    "ToolRegistry",
]
