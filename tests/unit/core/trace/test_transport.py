"""What the transport records and lets through, and what it says of a failure."""

import ssl

import httpx
import pytest

from agdesk.core.errors import ConfigurationError, LlmError, ProtocolError, TransportError
from agdesk.core.ir.blocks import BlobRef
from agdesk.core.trace.events import TraceRecord
from agdesk.core.trace.recorder import Recorder, RequestTrace
from agdesk.core.trace.redact import Secrets
from agdesk.core.trace.transport import HttpPool
from agdesk.core.trace.transport.failures import describe_failure
from agdesk.core.trace.wire import RequestSent, ResponseStarted

KEY = "sk-canary-0123456789"


class Recording:
    """A recorder and what came out of it."""

    def __init__(self) -> None:
        recorder = Recorder("session")
        self.records: list[TraceRecord] = []
        self.blobs: list[tuple[BlobRef, bytes]] = []
        self.body = b""
        recorder.records.subscribe(self.records.append)
        recorder.blobs.subscribe(self.blobs.append)
        recorder.bodies.subscribe(self._add)
        self.trace = RequestTrace(recorder, "req-1")

    def _add(self, piece: tuple[str, bytes]) -> None:
        self.body += piece[1]

    @property
    def payloads(self):
        return [record.payload for record in self.records]


def pool_of(handler, *secrets: str) -> HttpPool:
    return HttpPool(Secrets(secrets), transport=httpx.MockTransport(handler))


async def read_all(pool, request, trace=None) -> bytes:
    response = await pool.send(request, trace=trace)
    parts = []
    while (chunk := await response.read()) is not None:
        parts.append(chunk)
    await response.aclose()
    return b"".join(parts)


async def test_a_request_and_the_head_of_its_response_are_recorded_without_secrets():
    def answer(request):
        headers = [("X-Echo", f"got {KEY}"), ("Set-Cookie", "session=0123456789")]
        return httpx.Response(418, headers=headers, content=b"body")

    recording = Recording()
    request = httpx.Request(
        "POST", f"https://host/v1/x?key={KEY}", headers={"authorization": f"Bearer {KEY}"}, content=f"a {KEY} b"
    )
    await read_all(pool_of(answer, KEY), request, recording.trace)

    sent, started = recording.payloads
    assert isinstance(sent, RequestSent) and isinstance(started, ResponseStarted)
    assert (sent.method, started.status) == ("POST", 418)
    assert sent.url.startswith("https://host/v1/x?key=key-")
    assert dict(sent.headers)["authorization"].startswith("Bearer key-")
    assert dict(started.headers)["x-echo"].startswith("got key-")
    assert KEY not in repr(recording.payloads) and "session=0123456789" not in repr(recording.payloads)
    ((reference, body),) = recording.blobs
    assert sent.body_blob == reference
    assert len(body) == reference.size_bytes == len(f"a {KEY} b") and KEY.encode() not in body


async def test_the_server_gets_the_request_as_it_is():
    seen: list[httpx.Request] = []

    def answer(request):
        seen.append(request)
        return httpx.Response(200)

    request = httpx.Request("POST", "https://host/", headers={"x-api-key": KEY}, content=KEY)
    await read_all(pool_of(answer, KEY), request, Recording().trace)
    assert seen[0].headers["x-api-key"] == KEY
    assert seen[0].content == KEY.encode()


async def test_a_body_is_redacted_and_recorded_as_it_is_given_out():
    recording = Recording()
    pool = pool_of(lambda _: httpx.Response(200, content=f"before {KEY} after"), KEY)
    body = await read_all(pool, httpx.Request("GET", "https://host/"), recording.trace)
    assert body == recording.body
    assert KEY.encode() not in body and len(body) == len(f"before {KEY} after")


async def test_a_request_without_a_body_has_no_blob_and_one_without_a_trace_no_record():
    recording = Recording()
    pool = pool_of(lambda _: httpx.Response(200))
    await read_all(pool, httpx.Request("GET", "https://host/"), recording.trace)
    assert recording.payloads[0] == RequestSent("GET", "https://host/", (("host", "host"),), None)
    assert recording.blobs == []
    assert await read_all(pool, httpx.Request("GET", "https://host/")) == b""
    assert len(recording.payloads) == 2


async def test_a_redirect_within_the_host_is_recorded_hop_by_hop():
    def answer(request):
        if request.url.path == "/old":
            return httpx.Response(307, headers={"location": "/new"})
        return httpx.Response(200, content=request.content)

    recording = Recording()
    request = httpx.Request("POST", "https://host/old", content=b"kept")
    assert await read_all(pool_of(answer), request, recording.trace) == b"kept"
    kinds = [type(payload).__name__ for payload in recording.payloads]
    assert kinds == ["RequestSent", "ResponseStarted", "RequestSent", "ResponseStarted"]
    assert [payload.url for payload in recording.payloads[::2]] == ["https://host/old", "https://host/new"]


@pytest.mark.parametrize(
    ("start", "location", "is_followed"),
    [
        ("https://host/v1", "/v2", True),
        ("https://host/v1", "https://host:443/v2", True),
        ("http://host/v1", "https://host/v1", True),
        ("http://host:8080/v1", "https://host:8443/v1", True),
        ("https://host/v1", "http://host/v1", False),
        ("https://host/v1", "https://host:8443/v1", False),
        ("https://host/v1", "https://other/v1", False),
        ("https://host/v1", "//other/v1", False),
        ("https://host/v1", "https://host@other/v1", False),
        ("https://host/v1", "https://host.other/v1", False),
        ("https://host/v1", "https://[/", False),
    ],
)
async def test_a_redirect_is_followed_only_where_the_key_stays_with_its_host(start, location, is_followed):
    """SEC3, T19."""
    visited = []

    def answer(request):
        visited.append(request.url)
        return httpx.Response(308, headers={"location": location}) if len(visited) == 1 else httpx.Response(200)

    response = await pool_of(answer).send(httpx.Request("POST", start, headers={"authorization": "Bearer x"}))
    await response.aclose()
    assert response.status == (200 if is_followed else 308)
    assert len(visited) == (2 if is_followed else 1)


@pytest.mark.parametrize("status", [301, 302, 303, 304])
async def test_a_redirect_that_would_change_the_method_is_not_followed(status):
    pool = pool_of(lambda _: httpx.Response(status, headers={"location": "/new"}))
    response = await pool.send(httpx.Request("POST", "https://host/old"))
    await response.aclose()
    assert response.status == status


async def test_after_three_redirects_the_fourth_is_the_response():
    visited = []

    def answer(request):
        visited.append(request.url.path)
        return httpx.Response(307, headers={"location": f"/{len(visited)}"})

    response = await pool_of(answer).send(httpx.Request("POST", "https://host/0"))
    await response.aclose()
    assert visited == ["/0", "/1", "/2", "/3"]
    assert response.status == 307


@pytest.mark.parametrize(
    ("failure", "kind", "words"),
    [
        (httpx.ConnectTimeout("x"), TransportError, "did not accept a connection"),
        (httpx.ConnectError("x"), TransportError, "cannot be reached"),
        (httpx.ReadError("x"), TransportError, "broke"),
        (httpx.RemoteProtocolError("peer closed connection without …"), TransportError, "cut the answer off"),
        (httpx.RemoteProtocolError("Server disconnected without …"), TransportError, "without an answer"),
        (httpx.RemoteProtocolError("illegal status line"), TransportError, "not HTTP"),
        (httpx.DecodingError("x"), ProtocolError, "not compressed"),
        (httpx.LocalProtocolError("Illegal header value"), ConfigurationError, "cannot be sent"),
        (httpx.UnsupportedProtocol("x"), ConfigurationError, "cannot be sent"),
        (ssl.SSLError("decryption failed"), TransportError, "No secure connection"),
    ],
)
async def test_a_failure_names_the_host_and_the_next_step_and_quotes_nothing(failure, kind, words):
    def fail(request):
        raise failure

    with pytest.raises(LlmError) as caught:
        await pool_of(fail).send(httpx.Request("POST", "https://api.example.com/"))
    assert type(caught.value) is kind
    assert "api.example.com" in caught.value.message and words in caught.value.message
    assert caught.value.hint
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_a_timeout_of_the_connection_says_that_it_is_one():
    error = describe_failure(httpx.ConnectTimeout("x"), "host")
    assert isinstance(error, TransportError) and error.is_timeout


def test_of_several_addresses_the_cause_is_found_in_each():
    failure = httpx.ConnectError("All connection attempts failed")
    failure.__cause__ = ExceptionGroup("attempts", [OSError("unreachable"), ConnectionRefusedError()])
    assert "refused the connection" in describe_failure(failure, "host").message


async def test_a_pool_that_was_never_used_closes_and_a_closed_one_opens_again():
    pool = HttpPool(Secrets())
    await pool.aclose()
    for _ in range(2):
        request = httpx.Request("GET", "http://127.0.0.1:9/", extensions={"timeout": {"connect": 5.0}})
        pool.prepare(request)
        with pytest.raises(TransportError, match="refused"):
            await pool.send(request)
        await pool.aclose()
