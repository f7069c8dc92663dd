"""A whole answer behind keep-alives, without a field's name before it (T22)."""

import pytest

from agdesk.core.ir.response import StopReason
from agdesk.core.providers.replay import replay
from tests.wire.openai_chat.streams import ENDPOINT, WIRE

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
