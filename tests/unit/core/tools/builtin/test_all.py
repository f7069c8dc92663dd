"""What holds for each of agdesk's own tools."""

import json
from typing import Any

import pytest

from agdesk.core.ir.effect import Unforeseen
from agdesk.core.ir.request import ResultSemantic
from agdesk.core.tools.base import ToolContext, property_names
from agdesk.core.tools.builtin import builtin_tools
from agdesk.core.tools.builtin.current_time import CurrentTime
from tests.unit.core.tools.builtin.using import refused, use

TOOLS = {tool.definition.name: tool for tool in builtin_tools()}
INPUTS: dict[str, dict[str, Any]] = {
    "read_file": {"path": "a"},
    "list_directory": {},
    "search_text": {"text": "a"},
    "write_file": {"path": "a", "content": "b"},
    "edit_file": {"path": "a", "old_text": "a", "new_text": "b"},
    "run_command": {"argv": ["true"]},
    "fetch_url": {"url": "http://127.0.0.1/"},
    "current_time": {},
}


def test_they_are_the_eight_of_the_product_and_each_says_what_its_result_means():
    assert list(TOOLS) == list(INPUTS)
    actions = {name for name, tool in TOOLS.items() if tool.definition.result_semantic is ResultSemantic.ACTION}
    assert actions == {"write_file", "edit_file", "run_command"}


@pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))
def test_its_schema_is_closed_and_describes_every_argument(tool):
    schema = tool.definition.input_schema
    names = property_names(schema)
    assert names is not None and schema["type"] == "object"
    assert all(len(one["description"]) > 10 for one in schema["properties"].values())
    assert not {"title", "anyOf", "$ref", "$defs"} & set(json.dumps(schema).replace('"', " ").split())
    assert set(INPUTS[tool.definition.name]) <= set(names)


@pytest.mark.parametrize("name", TOOLS)
def test_it_says_what_is_wrong_with_arguments_and_where(name):
    tool = TOOLS[name]
    assert tool.validate(INPUTS[name]) == ()
    (problem,) = tool.validate(INPUTS[name] | {"surprise": 1})
    assert problem.path == "$.surprise" and problem.message


@pytest.mark.parametrize("name", [name for name in TOOLS if name not in ("fetch_url", "current_time")])
async def test_without_a_folder_it_refuses_and_says_what_to_do(name):
    tool, context = TOOLS[name], ToolContext()
    words = await refused(tool, context, **INPUTS[name])
    assert words == "This conversation has no folder, so no file can be used. Ask the user to choose a folder for it."
    assert await tool.effect(INPUTS[name], context) == Unforeseen(words)


async def test_the_time_is_told_in_a_zone_of_choice():
    from datetime import UTC, datetime

    tool, context = CurrentTime(now=lambda: datetime(2026, 7, 1, 12, 30, tzinfo=UTC)), ToolContext()
    assert await use(tool, context, time_zone="UTC") == "Wednesday, 2026-07-01 12:30:00 UTC (UTC+0000)"
    assert "2026-07-01 12:30:00" in await use(tool, context)  # TZ is UTC in tests
    for name in ("Nowhere/Land", "../etc/passwd", "/etc/passwd"):
        assert "knows no time zone" in await refused(tool, context, time_zone=name)
    assert await tool.effect({}, context) is None


async def test_the_time_of_the_system_is_told_without_being_given_one():
    assert "UTC" in await use(CurrentTime(), ToolContext())
