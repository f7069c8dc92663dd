"""The short way of reading gives what the codec gives, or leaves it to the codec."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agdesk.core.ir.blocks import Text, Thinking
from agdesk.core.ir.messages import Assistant, Origin, User
from agdesk.core.ir.response import EndCause, MessageResponse, StopReason, Usage
from agdesk.core.store.plain import plain_answer, plain_turn_start
from agdesk.core.trace.events import ResponseReceived, TurnStarted, payload_to_json
from agdesk.core.trace.lines import decode_json, encode_json
from tests.property.test_codec import values_of


def stored(payload):
    return decode_json(encode_json(payload_to_json(payload)))


texts = st.lists(st.text(max_size=5).map(Text), max_size=3).map(tuple)
assistants = st.builds(Assistant, texts, st.none() | values_of(Origin))
answers = st.builds(
    ResponseReceived,
    st.builds(
        MessageResponse,
        st.text(max_size=5),
        st.text(max_size=5),
        assistants,
        st.builds(Usage, st.none() | st.integers(0), st.none() | st.integers(0), st.none() | st.integers(0)),
        st.sampled_from(StopReason),
        st.none() | st.text(max_size=5),
    ),
    st.sampled_from(EndCause),
    st.none() | st.floats(0, 100),
    st.none() | st.floats(0, 100),
    st.lists(st.none() | st.floats(0, 100), max_size=3).map(tuple),
)


@given(texts, st.text(max_size=5))
def test_a_plain_question_takes_the_short_way(content, model_ref):
    turn = TurnStarted(User(content), model_ref)
    assert plain_turn_start(stored(turn)) == turn


@given(answers)
def test_a_plain_answer_takes_the_short_way(answer):
    assert plain_answer(stored(answer)) == answer


@settings(max_examples=60)
@given(values_of(TurnStarted) | values_of(ResponseReceived))
def test_any_other_is_left_to_the_codec(payload):
    read = plain_turn_start if isinstance(payload, TurnStarted) else plain_answer
    assert read(stored(payload)) in (None, payload)


PLAIN = ResponseReceived(
    MessageResponse("i", "m", Assistant((Text("a"),), Origin("p", "m", "w")), Usage(1), StopReason.END_TURN),
    EndCause.SERVER,
)
CHANGES = {
    "a field more": lambda document: document.update(more=1),
    "a field more in the response": lambda document: document["response"].update(more=1),
    "a field more in the message": lambda document: document["response"]["message"].update(more=1),
    "a field more in a block": lambda document: document["response"]["message"]["content"][0].update(more=1),
    "a block of another kind": lambda document: document["response"]["message"]["content"].append(
        stored(Thinking("x"))
    ),
    "another role": lambda document: document["response"]["message"].update(type="user"),
    "an origin of another shape": lambda document: document["response"]["message"].update(origin={"type": "origin"}),
    "an unknown stop reason": lambda document: document["response"].update(stop_reason="bored"),
    "a stop reason that is no text": lambda document: document["response"].update(stop_reason=["end_turn"]),
    "an unknown cause": lambda document: document.update(end_cause="boredom"),
    "a count that is a text": lambda document: document["response"]["usage"].update(prompt_tokens="1"),
    "a price": lambda document: document["response"]["usage"].update(cost_usd=0.5),
    "an id that is a number": lambda document: document["response"].update(id=5),
    "a time that is a text": lambda document: document.update(thinking_s=["1"]),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_another_shape_is_left_to_the_codec(change):
    document = stored(PLAIN)
    change(document)
    assert plain_answer(document) is None
