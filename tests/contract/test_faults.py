"""Everything a network does to a stream, done by a real server."""

import asyncio
import gzip
import json
import socket
import time
import uuid

import pytest

from agdesk.core.errors import (
    ConfigurationError,
    ErrorCategory,
    LlmError,
    ProtocolError,
    ProviderRejection,
    TransportError,
)
from agdesk.core.ir.blocks import ToolUse
from agdesk.core.ir.response import StopReason
from agdesk.core.trace.wire import CloseReason
from tests.contract.conversation import DONE, chunk, conversation, usage
from tests.fakes.script import CUT, END, HOLD, JSON, RESET, SSE, drip, head, raw, send, sleep

HTML = ("content-type", "text/html")


async def test_a_cut_in_the_middle_keeps_what_came(fake_server):
    """T17: a chunked body without its end."""
    fake_server.script(head(200, SSE), send(chunk(content="Hel")), send(chunk(content="lo")), CUT)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "Hello" and response.stop_reason is StopReason.ERROR
    assert response.error is not None and response.error.category is ErrorCategory.TRANSPORT
    assert "cut the answer off" in response.error.message and "127.0.0.1" in response.error.message
    assert asked.closed().reason is CloseReason.ERROR and asked.closed().error == response.error


async def test_a_body_shorter_than_promised_is_a_cut(fake_server):
    """T17: content-length."""
    fake_server.script(head(200, SSE, framing="length", length=10_000), send(chunk(content="Hel")), CUT)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "Hel" and response.error is not None


async def test_a_clean_end_without_a_terminal_is_an_incomplete_answer(fake_server):
    """T16, T17: ``Connection: close`` without a length hides a cut."""
    fake_server.script(head(200, SSE, framing="close"), send(chunk(content="Hel")), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "Hel"
    assert response.stop_reason is StopReason.INCOMPLETE and response.error is None


async def test_a_cut_gzip_stream_is_an_incomplete_answer(fake_server):
    """T17: the decoder reports nothing."""
    whole = gzip.compress("".join(chunk(content=f"Hello {uuid.uuid4()}") for _ in range(100)).encode())
    headers = (SSE, ("content-encoding", "gzip"))
    fake_server.script(head(200, *headers, framing="close"), send(whole[: len(whole) // 2]), END)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text().startswith("Hello") and response.stop_reason is StopReason.INCOMPLETE


async def test_a_cut_call_never_runs(fake_server):
    """PROV3."""
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "rm", "arguments": '{"path": "/'}}
    fake_server.script(head(200, SSE), send(chunk(tool_calls=[call])), CUT)
    async with conversation(fake_server.base_url) as asked:
        (block,) = (await asked.ask()).message.content
    assert isinstance(block, ToolUse) and block.input is None and block.input_error


async def test_a_reset_before_the_first_event_is_raised(fake_server):
    fake_server.script(head(200, SSE), send(": hello\n\n"), sleep(0.05), RESET)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(TransportError, match=r"127\.0\.0\.1"):
            await asked.ask()
    assert asked.closed().reason is CloseReason.ERROR


async def test_a_reset_after_it_is_the_last_event(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), sleep(0.05), RESET)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "a"
    assert response.error is not None and response.error.is_retryable


@pytest.mark.parametrize("fault", [CUT, RESET])
async def test_a_fault_after_the_end_of_the_content_is_no_fault(fake_server, fault):
    """T13: some servers close without a marker."""
    fake_server.script(head(200, SSE), send(chunk(content="a", finish="stop") + usage(1, 2)), sleep(0.05), fault)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.stop_reason is StopReason.END_TURN and response.error is None
    assert response.usage.total_tokens == 3


async def test_a_connection_closed_without_a_response(fake_server):
    fake_server.script(CUT)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(TransportError, match="without an answer"):
            await asked.ask()


async def test_a_server_that_never_answers(fake_server):
    fake_server.script(HOLD)
    async with conversation(fake_server.base_url, first_byte_timeout_s=0.2) as asked:
        started = time.monotonic()
        with pytest.raises(TransportError, match=r"did not answer for 0\.2 s") as caught:
            await asked.ask()
        assert time.monotonic() - started > 0.15
        fake_server.wait_for_disconnect()
    assert caught.value.is_timeout


async def test_a_head_and_then_nothing(fake_server):
    fake_server.script(head(200, SSE), HOLD)
    async with conversation(fake_server.base_url, first_byte_timeout_s=0.2, idle_timeout_s=60.0) as asked:
        with pytest.raises(TransportError, match="after the head") as caught:
            await asked.ask()
        fake_server.wait_for_disconnect()
    assert caught.value.is_timeout


async def test_T18_a_stall_in_the_middle(fake_server):
    """T18."""
    fake_server.script(head(200, SSE), send(chunk(content="Hel")), HOLD)
    async with conversation(fake_server.base_url, first_byte_timeout_s=60.0, idle_timeout_s=0.2) as asked:
        response = await asked.ask()
        fake_server.wait_for_disconnect()
    assert response.text() == "Hel" and response.error is not None
    assert response.error.details["is_timeout"] is True and "0.2 s" in response.error.message


async def test_keep_alives_hold_an_answer_open(fake_server):
    """T08, T18."""
    pings = [step for _ in range(8) for step in (send(": ping\n\n"), sleep(0.1))]
    fake_server.script(head(200, SSE), *pings, send(chunk(content="a", finish="stop") + DONE), END)
    async with conversation(fake_server.base_url, first_byte_timeout_s=0.4, idle_timeout_s=0.4) as asked:
        assert (await asked.ask()).text() == "a"


async def test_a_consumer_may_pause_longer_than_the_idle_timeout(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), send(chunk(content="b", finish="stop") + DONE), END)
    texts = []
    async with conversation(fake_server.base_url, first_byte_timeout_s=0.1, idle_timeout_s=0.1) as asked:
        async for event in asked.stream():
            texts.append(getattr(event, "text", ""))
            await asyncio.sleep(0.25)
    assert "".join(texts) == "ab"
    assert asked.closed().error is None


@pytest.mark.parametrize(
    "garbage",
    [b"\x00\xff\xfe garbage\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"HTTP/1.1 abc\r\n\r\n"],
)
async def test_bytes_that_are_no_http(fake_server, garbage):
    fake_server.script(raw(garbage), CUT)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(TransportError, match=r"127\.0\.0\.1"):
            await asked.ask()


async def test_bytes_that_are_no_chunk(fake_server):
    fake_server.script(head(200, SSE), send(chunk(content="a")), sleep(0.05), raw(b"no chunk size\r\n"), HOLD)
    async with conversation(fake_server.base_url) as asked:
        response = await asked.ask()
    assert response.text() == "a" and response.error is not None


async def test_bytes_that_are_no_event(fake_server):
    fake_server.script(head(200, SSE), send(b"\x80\x81\x82 garbage \xff\n\n"), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(LlmError) as caught:
            await asked.ask()
    assert caught.value.category is ErrorCategory.PROTOCOL


async def test_a_body_that_is_not_compressed_as_it_says(fake_server):
    fake_server.script(head(200, SSE, ("content-encoding", "gzip")), send(chunk(content="a")), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProtocolError, match="not compressed"):
            await asked.ask()


async def test_a_rate_limit_with_the_time_to_wait(fake_server):
    """E04."""
    error = json.dumps({"error": {"message": "Slow down", "type": "rate_limit_exceeded"}})
    fake_server.script(head(429, JSON, ("retry-after", "7"), ("x-request-id", "r-1")), send(error), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection) as caught:
            await asked.ask()
    rejection = caught.value
    assert (rejection.category, rejection.status) == (ErrorCategory.RATE_LIMIT, 429)
    assert (rejection.retry_after_s, rejection.request_id) == (7.0, "r-1")
    assert rejection.provider_message == "Slow down" and rejection.is_retryable
    assert asked.body.decode() == error
    assert asked.closed().error == rejection.to_record()


async def test_a_refused_key(fake_server):
    fake_server.script(head(401, JSON), send('{"error": {"message": "Incorrect API key provided"}}'), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection) as caught:
            await asked.ask()
    assert caught.value.category is ErrorCategory.AUTH and not caught.value.is_retryable


async def test_a_web_page_of_a_gateway(fake_server):
    """E10."""
    fake_server.script(head(502, HTML), send("<html><title>Bad Gateway</title>" + "<p>x</p>" * 9000 + "</html>"), END)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection) as caught:
            await asked.ask()
    assert (caught.value.status, caught.value.category) == (502, ErrorCategory.SERVER)
    assert len(caught.value.message) < 500


async def test_a_rejection_whose_body_never_ends_is_told_after_a_while(fake_server, monkeypatch):
    monkeypatch.setattr("agdesk.core.providers.exchange.END_WAIT_S", 0.2)
    fake_server.script(head(503, JSON), send('{"error": {"message": "busy"'), drip(" " * 500, 0.02), HOLD)
    async with conversation(fake_server.base_url) as asked:
        with pytest.raises(ProviderRejection) as caught:
            await asked.ask()
        fake_server.wait_for_disconnect()
    assert caught.value.status == 503


async def test_nothing_listens():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/v1"
        async with conversation(url) as asked:
            with pytest.raises(TransportError, match=r"127\.0\.0\.1:\d+ refused the connection") as caught:
                await asked.ask()
    assert caught.value.hint and caught.value.to_record().is_retryable
    assert [type(payload).__name__ for payload in asked.payloads] == ["RequestSent", "ResponseClosed"]


async def test_a_name_that_does_not_exist(blocked_connections, monkeypatch):
    def fail(*_, **__):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", fail)
    async with conversation("http://nowhere.example/v1") as asked:
        with pytest.raises(TransportError, match=r"name nowhere\.example cannot be resolved"):
            await asked.ask()


async def test_a_server_that_does_not_speak_tls(fake_server):
    async with conversation(fake_server.base_url.replace("http:", "https:")) as asked:
        with pytest.raises(TransportError, match=r"No secure connection to 127\.0\.0\.1") as caught:
            await asked.ask()
    assert "http://" in caught.value.hint


async def test_a_server_that_takes_no_connection_in_time():
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        waiting = [socket.socket() for _ in range(4)]
        for one in waiting:  # fills the queue: the kernel answers no further connection
            one.setblocking(False)
            one.connect_ex(address)
        try:
            async with conversation(f"http://127.0.0.1:{address[1]}/v1", connect_timeout_s=0.2) as asked:
                with pytest.raises(TransportError, match="did not accept a connection") as caught:
                    await asked.ask()
        finally:
            for one in waiting:
                one.close()
    assert caught.value.is_timeout


async def test_no_key_where_one_is_needed(fake_server):
    async with conversation(fake_server.base_url, key="", key_env="FAKE_API_KEY") as asked:
        with pytest.raises(ConfigurationError) as caught:
            await asked.ask()
    assert "FAKE_API_KEY" in caught.value.hint
    assert fake_server.requests == [] and asked.payloads == []
