"""The one tree of errors. A leaf exists only if a caller acts on it.

Provider errors are classified once, where bytes become meaning (``providers.errors``). Everything that is stored,
shown or sent through a stream is the serialisable ``ErrorRecord`` of an error, never the exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from typing_extensions import override

_BODY_CHARACTERS = 16_384
_FRAME_CHARACTERS = 2_048


class ErrorCategory(StrEnum):
    """What kind of failure it was, independent of the provider's spelling."""

    AUTH = "auth"
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    INVALID_REQUEST = "invalid_request"
    CONTEXT_OVERFLOW = "context_overflow"
    RATE_LIMIT = "rate_limit"
    OVERLOADED = "overloaded"
    QUOTA = "quota"
    CONTENT_FILTER = "content_filter"
    SERVER = "server"
    TRANSPORT = "transport"
    PROTOCOL = "protocol"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class ErrorRecord:
    """An error as a value: what is stored, painted, replayed and printed.

    Attributes:
        kind: snake_case name of the exception class, e.g. ``provider_rejection``.
        message: names the thing that failed, in one sentence.
        hint: the next step for the user; empty if there is none.
        category: the classified cause.
        details: JSON values for display: status, code, provider_message, retry_after_s, request_id, body, param,
            removable.
        is_retryable: whether the same request may succeed later (E05).
    """

    kind: str
    message: str
    hint: str = ""
    category: ErrorCategory = ErrorCategory.UNKNOWN
    details: Mapping[str, object] = field(default_factory=dict)
    is_retryable: bool = False


class AgdeskError(Exception):
    """Base of every error agdesk raises on purpose: a message that names the thing and a hint with the next step."""

    category = ErrorCategory.UNKNOWN

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def to_record(self) -> ErrorRecord:
        """The serialisable form."""
        return ErrorRecord(
            kind=snake_case(type(self).__name__),
            message=self.message,
            hint=self.hint,
            category=self.category,
            details={key: value for key, value in self._details().items() if value not in (None, "")},
            is_retryable=self._is_retryable(),
        )

    def _details(self) -> dict[str, object]:
        return {}

    def _is_retryable(self) -> bool:
        return False


class LlmError(AgdeskError):
    """A provider could not answer."""


class ConfigurationError(LlmError):
    """The request cannot be sent as configured: unknown provider, no key, no base URL."""

    category = ErrorCategory.INVALID_REQUEST


class TransportError(LlmError):
    """The network failed: refused, reset, cut, timed out.

    Attributes:
        is_timeout: nothing came in time.
        is_retryable: the same request may succeed later; not so with a certificate that nobody trusts.
    """

    category = ErrorCategory.TRANSPORT

    def __init__(self, message: str, hint: str = "", *, is_timeout: bool = False, is_retryable: bool = True) -> None:
        super().__init__(message, hint)
        self.is_timeout = is_timeout
        self.is_retryable = is_retryable

    @override
    def _details(self) -> dict[str, object]:
        return {"is_timeout": True} if self.is_timeout else {}

    @override
    def _is_retryable(self) -> bool:
        return self.is_retryable


class ProviderRejection(LlmError):
    """The provider answered with an error.

    Attributes:
        status: HTTP status (200 when the error came inside a stream).
        code: the provider's own code or type.
        provider_message: the provider's words, unescaped.
        retry_after_s: seconds to wait, at least 0, if the provider told.
        request_id: the provider's id of the request.
        body: the raw body as text, cut to 16,384 characters.
        param: the parameter that the provider objects to, in its own words.
        removable: the member of the sent body that ``param`` stands for, if the request can do without it or say it
            otherwise (E07); known to ``HttpProvider`` only.
    """

    removable: str | None = None

    def __init__(
        self,
        message: str,
        hint: str = "",
        *,
        category: ErrorCategory,
        status: int,
        code: str | None = None,
        provider_message: str = "",
        retry_after_s: float | None = None,
        request_id: str | None = None,
        body: str = "",
        param: str | None = None,
        is_retryable: bool = False,
    ) -> None:
        super().__init__(message, hint)
        self.category = category
        self.status = status
        self.code = code
        self.provider_message = provider_message
        self.retry_after_s = retry_after_s
        self.request_id = request_id
        self.body = body[:_BODY_CHARACTERS]
        self.param = param
        self.is_retryable = is_retryable

    @override
    def _details(self) -> dict[str, object]:
        return {
            "status": self.status,
            "code": self.code,
            "provider_message": self.provider_message,
            "retry_after_s": self.retry_after_s,
            "request_id": self.request_id,
            "body": self.body,
            "param": self.param,
            "removable": self.removable,
        }

    @override
    def _is_retryable(self) -> bool:
        return self.is_retryable


class ProtocolError(LlmError):
    """Bytes arrived that are not what the wire format says.

    Attributes:
        frame: the offending bytes as text, cut to 2,048 characters.
        expected: what should have stood there.
        request_id: the provider's id of the request.
    """

    category = ErrorCategory.PROTOCOL

    def __init__(
        self, message: str, hint: str = "", *, frame: str = "", expected: str = "", request_id: str | None = None
    ) -> None:
        super().__init__(message, hint)
        self.frame = frame[:_FRAME_CHARACTERS]
        self.expected = expected
        self.request_id = request_id

    @override
    def _details(self) -> dict[str, object]:
        return {"frame": self.frame, "expected": self.expected, "request_id": self.request_id}


class CycleError(AgdeskError):
    """A turn was ended by agdesk itself, not by the provider."""


class TurnLimitExceeded(CycleError):
    """The model asked for tools as often as one turn allows."""


class HookFailed(CycleError):
    """A hook that the turn depends on failed."""


class HookTimeout(CycleError):
    """A hook that the turn depends on took too long."""


class HookVeto(CycleError):
    """A hook says no; the message is its reason."""


class ToolError(AgdeskError):
    """A call gave no result of its tool. It becomes an error result that the model reads, and ends no turn."""


class UnknownTool(ToolError):
    """The model called a tool that it was not offered."""


class InvalidToolInput(ToolError):
    """The arguments of a call are not what the tool takes; nothing ran."""


class ToolTimeout(ToolError):
    """A tool did not finish in its time and was stopped; what it did until then is done."""


class ToolFailed(ToolError):
    """A tool could not do what it was called for; the message says why, for the model."""


class ToolDenied(ToolError):
    """The user, or a rule, did not let the call run."""


class CompactError(AgdeskError):
    """A history cannot be compacted as asked: it cannot be read, is another one, or a number cannot be."""


class SettingsError(AgdeskError):
    """The settings file cannot be read or written."""


class SecretUnavailable(AgdeskError):
    """The key store cannot give, take or remove a key: none, locked, or too slow."""


class StoreError(AgdeskError):
    """The store of conversations cannot do what was asked; nothing that was stored is lost."""


class StoreInUse(StoreError):
    """Another agdesk has the data folder open (SEC6)."""


class StoreCorrupt(StoreError):
    """The database is damaged. It is left as it is."""


class SchemaTooNew(StoreError):
    """A newer agdesk wrote the database."""


def snake_case(name: str) -> str:
    """``ProviderRejection`` → ``provider_rejection``: the tag of a class in JSON."""
    return "".join("_" + c.lower() if c.isupper() and i else c.lower() for i, c in enumerate(name))
