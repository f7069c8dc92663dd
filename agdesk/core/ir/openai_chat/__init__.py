"""The OpenAI chat types and the conversion of the IR to them and back (SEED6).

Nothing is lost that both sides can express; what one of them cannot is said in the ledger that every conversion gives
back. Used by the wire format, by imports and exports. Values only; may import ``core.ir`` and ``core.errors``.
"""

from agdesk.core.ir.openai_chat.from_openai import from_openai_messages
from agdesk.core.ir.openai_chat.request import from_openai_request, to_openai_request
from agdesk.core.ir.openai_chat.response import from_openai_response, to_openai_response
from agdesk.core.ir.openai_chat.to_openai import messages_openai, to_openai_messages
from agdesk.core.ir.openai_chat.types import OpenAiMessage, OpenAiRequest, OpenAiResponse

__all__ = [
    "OpenAiMessage",
    "OpenAiRequest",
    "OpenAiResponse",
    "from_openai_messages",
    "from_openai_request",
    "from_openai_response",
    "messages_openai",
    "to_openai_messages",
    "to_openai_request",
    "to_openai_response",
]
