"""Whole answers of another shape: behind keep-alives (T22), or from the older address for completions."""

import json

import pytest

from agdesk.core.ir.response import StopReason
from agdesk.core.providers.replay import replay
from tests.wire.openai_chat.streams import ENDPOINT, WIRE, read, sse

BODY = b': ping\n\n: ping\n\n{"choices":[{"index":0,"message":{"content":"whole"},"finish_reason":"stop"}]}'


@pytest.mark.parametrize("chunk_bytes", [None, 1, 7])
def test_T22_a_whole_answer_behind_keep_alives_is_an_answer(chunk_bytes):
    replayed = replay(
        BODY,
        wire=WIRE,
        endpoint=ENDPOINT,
        model="m",
        status=200,
        headers={"content-type": "text/event-stream"},
        chunk_bytes=chunk_bytes,
        now_s=0.0,
    )
    assert (replayed.response.text(), replayed.response.stop_reason) == ("whole", StopReason.END_TURN)


def test_the_text_of_the_older_address_for_completions_is_the_answer():
    whole = {"object": "text_completion", "choices": [{"index": 0, "text": "ab", "finish_reason": "stop"}]}
    pieces = [
        {"choices": [{"index": 0, "text": piece, "finish_reason": end}]} for piece, end in (("a", None), ("b", "stop"))
    ]
    for body in (json.dumps(whole).encode(), sse(*pieces, "[DONE]")):
        found = read(body)
        assert (found.text, found.stop) == ("ab", "end_turn")
