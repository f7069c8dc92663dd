"""What may go wrong between here and a server, as our errors."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import httpx

from agdesk.core.errors import ConfigurationError, LlmError, ProtocolError, TransportError

FAILURES = (httpx.HTTPError, httpx.InvalidURL, OSError)
"""What sending and reading may raise; OSError because a broken TLS record comes through as it is."""

_CHECK_ADDRESS = "Check the network, and the base URL of this provider for a wrong name or port."
_SEND_AGAIN = "Send the request again."


def describe_failure(failure: Exception, host: str) -> LlmError:
    """The error for one of ``FAILURES`` while talking to ``host``; quotes nothing of what the server sent."""
    causes = tuple(_causes(failure))
    match failure:
        case httpx.ConnectTimeout():
            return TransportError(f"{host} did not accept a connection in time", _CHECK_ADDRESS, is_timeout=True)
        case _ if any(isinstance(cause, socket.gaierror) for cause in causes):
            return TransportError(f"The name {host} cannot be resolved", _CHECK_ADDRESS)
        case _ if certificate := next((c for c in causes if isinstance(c, ssl.SSLCertVerificationError)), None):
            return TransportError(
                f"The certificate of {host} is not trusted: {certificate.verify_message}",
                "If a proxy or company network replaces certificates, add its authority to the system's trust store.",
            )
        case _ if any(isinstance(cause, ssl.SSLError) for cause in causes):
            return TransportError(
                f"No secure connection to {host} could be made",
                "Check whether the base URL should begin with http:// instead of https://.",
            )
        case httpx.ProxyError():
            return TransportError(f"The proxy did not connect to {host}", "Check the system's proxy settings.")
        case httpx.ConnectError() if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
            return TransportError(
                f"{host} refused the connection", "Check that the server runs and that the base URL has its port."
            )
        case httpx.ConnectError():
            return TransportError(f"{host} cannot be reached", _CHECK_ADDRESS)
        case httpx.LocalProtocolError() | httpx.UnsupportedProtocol() | httpx.InvalidURL():
            return ConfigurationError(
                f"The request to {host} cannot be sent",
                "Check the base URL, the key and the headers of this provider for characters that do not belong there.",
            )
        case httpx.DecodingError():
            return ProtocolError(f"The answer of {host} is not compressed as it says", _SEND_AGAIN)
        case httpx.RemoteProtocolError() if "closed" in str(failure):
            return TransportError(f"{host} cut the answer off", _SEND_AGAIN)
        case httpx.RemoteProtocolError() if "disconnected" in str(failure):
            return TransportError(f"{host} closed the connection without an answer", _SEND_AGAIN)
        case httpx.RemoteProtocolError():
            return TransportError(f"{host} sent something that is not HTTP", _CHECK_ADDRESS)
        case _:
            return TransportError(f"The connection to {host} broke ({type(failure).__name__})", _SEND_AGAIN)


def _causes(failure: BaseException | None) -> Iterator[BaseException]:
    """A failure and what led to it; of several attempts to connect (one per address) each."""
    while failure is not None:
        yield failure
        if isinstance(failure, BaseExceptionGroup):
            for attempt in failure.exceptions:
                yield from _causes(attempt)
        failure = failure.__cause__ or failure.__context__
