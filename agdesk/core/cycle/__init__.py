"""The cycle: one user submission until the conversation is idle again.

``cycle`` builds requests and runs a turn, ``session`` is the conversation a tab is bound to, ``gate`` is where a turn
can be held, ``cost`` adds up what it all took. May import ``core.providers``, ``core.trace``, ``core.ir`` and below;
never ``core.store``.
"""

from agdesk.core.cycle.cost import CostTracker
from agdesk.core.cycle.session import AgentSession, SessionServices

__all__ = ["AgentSession", "CostTracker", "SessionServices"]
