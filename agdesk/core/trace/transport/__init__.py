"""HTTP for the whole program: one pool, whose traffic is redacted and recorded.

``pool`` sends, ``routes`` chooses the way (``proxies``, ``tls``), ``recording`` records requests and heads of
responses, ``response`` reads and records bodies, ``failures`` puts what goes wrong into our words. Everything here
loads httpx: import it when the first request is near, not on the way to the first paint. May import ``core.trace``,
``core.ir`` and below.
"""

from agdesk.core.trace.transport.pool import HttpPool, load_network
from agdesk.core.trace.transport.proxies import ProxyChoice
from agdesk.core.trace.transport.response import HttpResponse

__all__ = ["HttpPool", "HttpResponse", "ProxyChoice", "load_network"]
