"""What may go wrong between here and a server, as our errors. They quote nothing of what the other side sent."""

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
_AUTHORITY = "Settings › Providers › Extra certificate authority"


def describe_failure(failure: Exception, host: str) -> LlmError:
    """The error for one of ``FAILURES`` while talking to ``host``."""
    causes = tuple(_causes(failure))
    match failure:
        case httpx.ConnectTimeout():
            return TransportError(f"{host} did not accept a connection in time", _CHECK_ADDRESS, is_timeout=True)
        case _ if any(isinstance(cause, socket.gaierror) for cause in causes):
            return TransportError(f"The name {host} cannot be resolved", _CHECK_ADDRESS)
        case _ if certificate := next((c for c in causes if isinstance(c, ssl.SSLCertVerificationError)), None):
            reason, hint = _distrust(certificate)
            return TransportError(f"The certificate of {host} is not trusted: {reason}", hint, is_retryable=False)
        case _ if any(isinstance(cause, ssl.SSLError) for cause in causes):
            return TransportError(
                f"No secure connection to {host} could be made",
                "Check whether the base URL should begin with http:// instead of https://.",
                is_retryable=False,
            )
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


def describe_proxy_failure(
    failure: Exception, host: str, *, proxy: str, has_password: bool, hint: str
) -> TransportError:
    """The error for one of ``FAILURES`` between here and the proxy on the way to ``host``.

    Args:
        failure: what was raised.
        host: where the request was to go.
        proxy: the proxy's host and port.
        has_password: whether it was given a user name and password.
        hint: where the proxy can be changed.
    """
    causes = tuple(_causes(failure))
    match failure:
        case httpx.ConnectTimeout():
            return TransportError(f"The proxy {proxy} did not accept a connection in time", hint, is_timeout=True)
        case httpx.ProxyError():
            status = str(failure)[:3]  # httpx gives the proxy's status and reason in its text only
            return proxy_rejection(
                int(status) if status.isdecimal() else 0, host, proxy=proxy, has_password=has_password, hint=hint
            )
        case _ if any(isinstance(cause, socket.gaierror) for cause in causes):
            return TransportError(f"The name of the proxy {proxy} cannot be resolved", hint)
        case _ if certificate := next((c for c in causes if isinstance(c, ssl.SSLCertVerificationError)), None):
            return TransportError(
                f"The certificate of the proxy {proxy} is not trusted: {_distrust(certificate)[0]}",
                hint,
                is_retryable=False,
            )
        case _ if any(isinstance(cause, ssl.SSLError) for cause in causes):
            return TransportError(f"No secure connection to the proxy {proxy} could be made", hint, is_retryable=False)
        case _ if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
            return TransportError(f"The proxy {proxy} refused the connection", f"Check that it runs. {hint}")
        case httpx.ConnectError():
            return TransportError(f"The proxy {proxy} cannot be reached", hint)
        case _:
            return TransportError(f"The proxy {proxy} broke the connection ({type(failure).__name__})", hint)


def proxy_rejection(status: int, host: str, *, proxy: str, has_password: bool, hint: str) -> TransportError:
    """The error for a proxy that answers ``status`` itself instead of connecting to ``host``."""
    if status != 407:
        return TransportError(f"The proxy {proxy} did not connect to {host} (status {status})", hint)
    wish = "does not accept this user name and password" if has_password else "wants a user name and password"
    return TransportError(
        f"The proxy {proxy} {wish} (status 407)",
        f"They stand in the proxy's address, as in http://user:password@host:port. {hint}",
        is_retryable=False,
    )


def _distrust(error: ssl.SSLCertVerificationError) -> tuple[str, str]:
    """Why a certificate is refused, and the next step. The numbers are OpenSSL's; other systems have words only."""
    match error.verify_code:
        case 9 | 10:
            reason = "it has expired" if error.verify_code == 10 else "it is not valid yet"
            return reason, (
                "Check the date of this machine; else the server needs a new certificate. If that is by an authority "
                f"of your own, give it in {_AUTHORITY}."
            )
        case 62 | 64:
            return "it is for another host", (
                "Put the name that the certificate is for into the base URL, or give the server one for this name; its "
                f"authority can be given in {_AUTHORITY}."
            )
        case 18 | 19:
            reason = "self-signed, or by an authority that is not known here"
        case _:
            reason = error.verify_message
    return reason, (
        "If the server is your own, or your company's network replaces certificates, give the PEM file of its "
        f"authority in {_AUTHORITY}."
    )


def _causes(failure: BaseException | None) -> Iterator[BaseException]:
    """A failure and what led to it; of several attempts to connect (one per address) each."""
    while failure is not None:
        yield failure
        if isinstance(failure, BaseExceptionGroup):
            for attempt in failure.exceptions:
                yield from _causes(attempt)
        failure = failure.__cause__ or failure.__context__
