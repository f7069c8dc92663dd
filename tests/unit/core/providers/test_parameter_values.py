"""The values of parameters by their names, as the panel and the command line set them."""

import pytest

from agdesk.core.errors import ConfigurationError
from agdesk.core.ir.request import RequestParameters, ResponseFormat, ThinkingOptions
from agdesk.core.providers.parameter_names import NAMES
from agdesk.core.providers.parameter_values import read_values, set_names, value_of, with_value

NONE = RequestParameters()
VALUES = {
    "max_tokens": 100,
    "temperature": 0.5,
    "top_p": 0.9,
    "stop": ["a", "\n"],
    "seed": 0,
    "thinking.is_enabled": False,
    "thinking.effort": "high",
    "thinking.budget_tokens": 1024,
    "response_format": {"type": "object"},
    "parallel_tool_calls": False,
    "extra": {"top_k": 1},
}


def test_every_parameter_can_be_set_read_and_taken_back():
    assert set(VALUES) == set(NAMES)
    parameters = NONE
    for count, name in enumerate(NAMES, 1):
        parameters = with_value(parameters, name, VALUES[name])
        assert value_of(parameters, name) == VALUES[name]
        assert set_names(parameters) == NAMES[:count]
    assert parameters.thinking == ThinkingOptions(is_enabled=False, effort="high", budget_tokens=1024)
    for name in NAMES:
        parameters = with_value(parameters, name, None)
        assert value_of(parameters, name) is None
    assert parameters == NONE


def test_nothing_is_set_by_itself():
    assert set_names(NONE) == ()
    assert RequestParameters(None, None, None, (), None, None, None, None, {}) == NONE


def test_an_empty_schema_asks_for_any_json_object():
    parameters = with_value(NONE, "response_format", {})
    assert parameters.response_format == ResponseFormat(None)
    assert value_of(parameters, "response_format") == {}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("max_tokens", value) for value in (1.5, "9", True, [1])),
        *(("temperature", value) for value in ("1", True, float("nan"), float("inf"), None.__class__)),
        *(("stop", value) for value in ([1], [""], 5)),
        *(("thinking.is_enabled", value) for value in (1, "on")),
        *(("thinking.effort", value) for value in ("", " ", 3)),
        *(("response_format", value) for value in ([], "json", {"type": "json_object"}, {"type": [["string"]]})),
        *(("extra", value) for value in ([], {"a": float("inf")})),
        ("nothing", 1),
        ("thinking", {}),
    ],
)
def test_what_a_parameter_cannot_be_is_refused_with_its_name(name, value):
    with pytest.raises(ConfigurationError) as caught:
        with_value(NONE, name, value)
    assert name in caught.value.message or "JSON Schema" in caught.value.message


def test_a_list_can_be_given_as_its_only_text():
    assert with_value(NONE, "stop", "END").stop == ("END",)


def test_the_command_line_writes_names_and_json():
    read = read_values(("temperature=0", 'stop=["=", "b"]', 'thinking.effort="low"', 'extra={"a": 1}'))
    assert read == RequestParameters(
        temperature=0.0, stop=("=", "b"), thinking=ThinkingOptions(effort="low"), extra={"a": 1}
    )


@pytest.mark.parametrize("text", ["temperature", "temperature=", "thinking.effort=low", "seed=" + "9" * 5000, "=1"])
def test_what_is_no_name_with_json_is_refused(text):
    with pytest.raises(ConfigurationError):
        read_values((text,))
