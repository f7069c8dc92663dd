"""What a request can set beside messages and tools, by the names that settings, catalogue and panel use."""

from __future__ import annotations

from agdesk.core.providers.dialect import Dialect

THINKING = ("thinking.is_enabled", "thinking.effort", "thinking.budget_tokens")
NAMES = (
    *("max_tokens", "temperature", "top_p", "stop", "seed"),
    *THINKING,
    *("response_format", "parallel_tool_calls", "extra"),
)
PARAMETERS = frozenset(NAMES)


def sayable(names: frozenset[str], dialect: Dialect) -> frozenset[str]:
    """Those of ``names`` that an endpoint takes, as far as its list of refused members tells."""
    return names.difference(dialect.refused_parameters)
