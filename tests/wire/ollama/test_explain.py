"""What became of every field of a line (D5), and what the IR has no type for (PROV4)."""

from __future__ import annotations

import pytest

from agdesk.core.ir.blocks import Extension
from agdesk.core.ir.messages import Assistant, Origin, user
from agdesk.core.ir.request import MessageRequest
from tests.wire.ollama.lines import (
    ENDPOINT,
    TAGGED,
    TIMES,
    WIRE,
    answer,
    call,
    calls,
    end,
    line,
    ndjson,
    text,
    thinking,
)
from tests.wire.recordings import ignored_paths


def ignored(*units, at=ENDPOINT):
    return ignored_paths(ndjson(*units), wire=WIRE, endpoint=at)


def sent_back(found):
    message = Assistant(found.response.message.content, Origin("ollama", "m1", "ollama"))
    request = MessageRequest("m", (user("a"), message, user("b")))
    return WIRE.render_request(request, endpoint=ENDPOINT, api_key=None, is_streaming=True)


@pytest.mark.parametrize("at", [ENDPOINT, TAGGED])
def test_every_field_of_an_ordinary_answer_is_read_or_noise(at):
    units = (thinking("a"), text("b"), text("c"), calls(call("f", {"x": [1, {"y": 2}]}, index=0, id="A")), end())
    assert ignored(*units, at=at) == set()


def test_an_invented_field_is_counted_wherever_it_stands():
    entry = {**call("f"), "invented": "x"}
    entry["function"]["invented"] = 1
    units = (text("a", invented={"deep": [1]}), line({"content": "b", "invented": 7}), calls(entry), end())
    assert ignored(*units) == {
        "invented.deep[]",
        "message.invented",
        "message.tool_calls[].invented",
        "message.tool_calls[].function.invented",
    }


def test_PROV4_an_invented_block_is_kept_raw_beside_the_text_and_goes_back_unchanged():
    citations = [{"url": "u", "spans": [{"start": 1}]}]
    units = (text("a"), line({"content": "b", "citations": citations}), text("c"), end())
    found = answer(*units)
    assert (found.kinds, found.text) == (["Text", "Extension"], "abc")
    assert found.extensions == [Extension("ollama", "citations", citations)]
    assert ignored(*units) == set()
    rendered = sent_back(found)
    assert rendered.body["messages"][1] == {"role": "assistant", "content": "abc", "citations": citations}
    assert rendered.ledger == ()


def test_images_of_an_answer_are_kept_and_go_back_as_one_list():
    found = answer(line({"images": ["QQ=="]}), line({"images": ["QQ=="]}), line({"images": ["Qg=="]}), end())
    assert [block.raw for block in found.extensions] == [["QQ=="], ["Qg=="]]
    assert sent_back(found).body["messages"][1]["images"] == ["QQ==", "Qg=="]


def test_an_invented_event_is_counted():
    assert ignored({"status": "pulling", "total": 3}, text("a"), end()) == {"status", "total"}


def test_structures_that_came_with_a_call_go_back_with_it():
    found = answer(calls({**call("f", {"a": 1}, index=3, id="A"), "seal": {"k": 1}}), end())
    assert sent_back(found).body["messages"][1]["tool_calls"] == [
        {"seal": {"k": 1}, "id": "A", "function": {"index": 3, "name": "f", "arguments": {"a": 1}}}
    ]


def test_times_are_passed_on_raw():
    assert answer(end()).response.extra["total_duration"] == TIMES["total_duration"]
