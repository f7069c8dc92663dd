"""Every value of the IR and the trace survives JSON; no JSON whatever makes the reader fail in another way."""

from __future__ import annotations

import dataclasses
import functools
import json
import types
from collections.abc import Mapping
from enum import Enum
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agdesk.core.errors import ErrorRecord, ProtocolError
from agdesk.core.ir import approval, blocks, effect, messages, request, response, stream
from agdesk.core.ir.codec import Unknown, from_json, tag_of, to_json
from agdesk.core.trace import events, wire

# lone surrogates are wanted: they arrive escaped in JSON (T27). Two of them in a row would be read as one character.
characters = st.characters(exclude_categories=()).filter(lambda character: not "\udc00" <= character <= "\udfff")
texts = st.text(characters, max_size=8)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**40), 10**40)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def is_value_class(kind: Any) -> bool:
    return isinstance(kind, type) and (dataclasses.is_dataclass(kind) or hasattr(kind, "_fields"))


def field_names(kind: Any) -> tuple[str, ...]:
    return kind._fields if issubclass(kind, tuple) else tuple(field.name for field in dataclasses.fields(kind))


def value_classes(*modules: types.ModuleType) -> list[type]:
    """Every dataclass and NamedTuple that a module defines."""
    return [
        item
        for module in modules
        for item in vars(module).values()
        if is_value_class(item) and item.__module__ == module.__name__
    ]


VALUES = [ErrorRecord, *value_classes(approval, blocks, effect, messages, request, response, stream, events, wire)]


@functools.cache
def values_of(kind: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type, built from its annotations alone."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in (Any, object):
        return json_values
    if origin in (Union, types.UnionType):
        return st.one_of([values_of(member) for member in arguments])
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return st.lists(st.deferred(lambda: values_of(arguments[0])), max_size=2).map(tuple)
        return st.tuples(*[values_of(item) for item in arguments])
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return st.dictionaries(texts, json_values, max_size=3)
    if kind is Unknown:
        futures = st.dictionaries(texts, json_values, max_size=3)
        return futures.map(lambda raw: Unknown("from_the_future", {"type": "from_the_future", **raw}))
    if is_value_class(kind):
        hints = get_type_hints(kind)
        return st.builds(kind, **{name: values_of(hints[name]) for name in field_names(kind)})
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    scalars = {
        str: texts,
        int: st.integers(-(10**40), 10**40),
        bool: st.booleans(),
        float: st.floats(allow_nan=False, allow_infinity=False),
        types.NoneType: st.none(),
    }
    return scalars[kind]


def test_the_modules_hold_the_values_the_documents_name():
    names = {kind.__name__ for kind in VALUES}

    assert {"ToolResult", "MessageRequest", "MessageResponse", "TextDelta", "TraceRecord", "FrameReceived"} <= names
    assert len({tag_of(kind) for kind in get_args(stream.StreamEvent)}) == 11


@pytest.mark.parametrize("kind", VALUES, ids=tag_of)
@settings(max_examples=20)
@given(data=st.data())
def test_every_value_survives_json(kind, data):
    value = data.draw(values_of(kind))
    text = json.dumps(to_json(value))

    assert from_json(kind, json.loads(text)) == value
    assert json.dumps(to_json(from_json(kind, json.loads(text)))) == text


UNIONS = [
    blocks.ContentBlock,
    blocks.Source,
    messages.Message,
    request.ToolChoice,
    stream.ContentBlockType,
    stream.StreamEvent,
    effect.Effect,
    events.Payload,
]


@pytest.mark.parametrize("union", UNIONS, ids=lambda union: tag_of(get_args(union)[0]))
def test_no_two_members_of_a_union_share_a_tag(union):
    tags = [tag_of(member) for member in get_args(union)]

    assert len(tags) == len(set(tags))


TAGS = sorted({tag_of(kind) for kind in VALUES})
FIELDS = sorted({name for kind in VALUES for name in field_names(kind)})
almost_values = st.recursive(
    json_values | st.sampled_from(TAGS),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.builds(
            lambda tag, fields: {"type": tag, **fields},
            st.sampled_from(TAGS) | json_values,
            st.dictionaries(st.sampled_from(FIELDS), inner, max_size=5),
        )
    ),
    max_leaves=10,
)


@settings(max_examples=150)
@given(almost_values, st.sampled_from([*VALUES, *UNIONS]))
def test_reading_any_json_gives_a_value_or_a_protocol_error(document, kind):
    try:
        value = from_json(kind, document)
    except ProtocolError as error:
        assert error.message.startswith("$")
    else:
        assert from_json(kind, json.loads(json.dumps(to_json(value)))) == value


@st.composite
def damaged_values(draw):
    """The JSON of a value with one of its parts replaced by something else."""
    kind = draw(st.sampled_from(VALUES))
    document = to_json(draw(values_of(kind)))
    place: Any = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = draw(st.sampled_from(keys))
        if not (isinstance(place[key], dict | list) and place[key]) or draw(st.booleans()):
            break
        place = place[key]
    place[key] = draw(json_values)
    return kind, document


@settings(max_examples=150)
@given(damaged_values())
def test_a_damaged_value_is_read_or_refused_as_a_protocol_error(damaged):
    kind, document = damaged
    try:
        from_json(kind, document)
    except ProtocolError as error:
        assert error.expected


@settings(max_examples=100)
@given(almost_values)
def test_a_payload_is_never_dropped_and_an_unknown_one_is_written_back_as_it_was(document):
    text = json.dumps(document)
    payload = events.payload_from_json(json.loads(text))

    if isinstance(payload, Unknown):
        assert json.dumps(events.payload_to_json(payload)) == text
    else:
        assert payload == events.payload_from_json(json.loads(json.dumps(events.payload_to_json(payload))))
