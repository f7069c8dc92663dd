"""Tools for models that have none of their own: one JSON schema with a branch per tool and one for an answer.

``request`` decides whether it is needed, and turns tools, calls and results into schema and text; ``answer`` turns the
constrained output back into events. May import ``core.ir`` and ``providers.base``; nothing here knows a wire format.
Another way to offer tools would be a package beside this one.
"""

from agdesk.core.providers.tool_schema.answer import read_answer
from agdesk.core.providers.tool_schema.request import is_schema_needed, offered_tools, tools_as_schema

__all__ = ["is_schema_needed", "offered_tools", "read_answer", "tools_as_schema"]
