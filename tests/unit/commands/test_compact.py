"""``agdesk compact``: every form of a conversation, the plan as JSON and as a table, and files that are none."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agdesk import cli
from agdesk.commands import json_lines
from agdesk.commands.conversation_file import read_conversation
from agdesk.core.compact import CompactConfig, plan_compaction
from agdesk.core.errors import CompactError
from agdesk.core.ir.blocks import Extension, Text, Thinking, ToolUse
from agdesk.core.ir.codec import to_json
from agdesk.core.ir.messages import Assistant
from agdesk.core.ir.openai_chat import to_openai_request
from agdesk.core.ir.request import MessageRequest, ResultSemantic
from tests.fakes.long_conversation import long_conversation

MADE = long_conversation(40)
REQUEST = MessageRequest("m", MADE.messages, MADE.tools, max_tokens=1000)
OPENAI = [
    {"role": "system", "content": "s"},
    {"role": "user", "content": "q"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": "a", "type": "function", "function": {"name": "shell", "arguments": '{"path": "p"}'}}],
    },
    {"role": "tool", "tool_call_id": "a", "content": "x" * 3000},
    {"role": "assistant", "content": "Done."},
    {"role": "user", "content": "q"},
]


@pytest.fixture
def file(tmp_path):
    """Writes a file and gives its path."""
    path = tmp_path / "conversation.json"

    def write(document):
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return path

    return write


@pytest.fixture
def compact(file, capsys):
    """Runs the command on a document: status, standard output, standard error."""

    def run(document, *arguments):
        status = cli.main(["compact", str(file(document)), *arguments])
        return status, *capsys.readouterr()

    return run


def planned(compact, document, *arguments):
    status, output, errors = compact(document, "--json", *arguments)
    assert (status, errors) == (0, "")
    return json.loads(output)


def test_the_json_is_the_plan_with_the_scores_by_source_and_the_sizes_before_and_after(compact):
    document = planned(compact, to_json(REQUEST), "--window", "6000")
    config = CompactConfig(context_window=6000, reserved_tokens=1000)
    plan = plan_compaction(MADE.messages, config=config, tools=MADE.tools)
    assert (document["messages"], document["tools"]) == (40, len(MADE.tools))
    assert document["config"]["reserved_tokens"] == 1000, "the request's max_tokens"
    assert document["report"]["tokens_after"] == plan.report.tokens_after
    assert document["report"]["freed_tokens"] == plan.report.freed_tokens > 0
    assert len(document["items"]) == len(plan.items) > 5
    for shown, item in zip(document["items"], plan.items, strict=True):
        assert (shown["message"], shown["block"]) == (item.path.message + 1, item.path.block + 1)
        assert (shown["score"], shown["replacement"]) == (item.score, item.replacement)
        assert sum(source["value"] for source in shown["sources"].values()) == (item.score or 0)
        assert list(shown["sources"]) == ([] if item.is_thinking else ["declared", "content", "fading", "reference"])
        assert shown["size_after"] == (item.size if item.replacement is None else len(item.replacement))
        assert shown["estimate_after_tokens"] == item.estimate_after_tokens
        assert all(source["reason"] for source in shown["sources"].values())


def test_own_messages_and_openais_give_the_same_plan(compact):
    own = planned(compact, [to_json(message) for message in MADE.messages])
    body, _ = to_openai_request(REQUEST)
    theirs = planned(compact, body["messages"])
    of_result = ("tool", "tool_use_id", "size", "score", "action", "replacement")

    def results(document):
        return [[item[key] for key in of_result] for item in document["items"] if item["kind"] == "tool_result"]

    assert results(own) == results(theirs) != []


def test_openai_json_says_what_results_mean_beside_the_name_of_the_tool(compact):
    tool = {"type": "function", "function": {"name": "shell", "parameters": {}, "result_semantic": "factual"}}
    document = planned(compact, {"model": "m", "messages": OPENAI, "tools": [tool]}, "--keep-recent", "0")
    (item,) = document["items"]
    assert (item["score"], item["sources"]["declared"]["found"]) == (1, "factual")
    assert item["action"] == {"type": "truncate", "keep": 200}
    (item,) = planned(compact, OPENAI, "--keep-recent", "0")["items"]
    assert (item["score"], item["sources"]["declared"]["found"]) == (0, "undeclared")
    assert item["replacement"] == "[pruned]\nshell p: done: " + "x" * 59 + "…, 3000 characters"


def test_answers_of_ask_json_can_stand_one_on_a_line_between_messages(file):
    asked = {"role": "user", "content": "q"}
    blocks = [
        {"type": "thinking", "text": "t", "signature": None},
        {"type": "text", "text": "Hi"},
        {"type": "extension", "provider": "p", "raw": {"a": 1}},
        {"type": "tool_use", "id": "a", "name": "shell", "input": {}, "raw_arguments": "{}", "input_error": None},
    ]
    answer = {"message": {"role": "assistant", "content": blocks}, "usage": {}, "stop_reason": "end_turn"}
    result = {"role": "tool", "tool_call_id": "a", "content": "r", "odd": 1}
    path = file("\n".join(map(json.dumps, (asked, answer, result))))
    conversation = read_conversation(path)
    assert conversation.messages[1] == Assistant(
        (Thinking("t"), Text("Hi"), Extension("p", "", {"a": 1}), ToolUse("a", "shell", {}, "{}"))
    )
    assert len(conversation.messages) == 3
    assert "message 3: 'odd' of a tool message was left out" in conversation.ledger


def test_tools_of_own_requests_keep_what_their_results_mean(file):
    assert read_conversation(file(to_json(REQUEST))).tools == MADE.tools
    assert MADE.tools[0].result_semantic is ResultSemantic.FACTUAL


def test_without_json_there_is_a_table_with_the_reasons(compact):
    status, output, errors = compact(OPENAI, "--keep-recent", "0", "--window", "5000")
    head, row, _, estimate, expected = output.splitlines()
    assert (status, errors) == (0, "")
    assert head.split() == ["message", "block", "tool", "size", "score", "action", "tokens", "why"]
    assert row.split()[:6] == ["4", "1", "shell", "3,000", "0", "replace"]
    assert "nothing is declared of the tool" in row and "no later message takes it up" in row
    assert "freed in 1 blocks" in estimate
    assert "904 fit, so it fits" in expected


def test_thinking_is_compacted_when_it_is_wanted(compact):
    messages = [to_json(message) for message in MADE.messages]
    thoughts = [item for item in planned(compact, messages, "--thinking")["items"] if item["kind"] == "thinking"]
    assert "[pruned thinking]" in [item["replacement"] for item in thoughts]
    kept = [item for item in planned(compact, messages)["items"] if item["kind"] == "thinking"]
    assert {item["replacement"] for item in kept} == {None}


def test_control_characters_of_a_file_are_written_out_in_the_table(compact):
    messages = json.loads(json.dumps(OPENAI).replace("shell", "sh\\u001b[31mell"))
    _, output, _ = compact(messages)
    assert "\x1b" not in output and "sh\\x1b[31mell" in output


def test_T27_half_a_character_is_read_as_one_that_cannot_be_shown(compact):
    messages = json.loads(json.dumps(OPENAI))
    messages[3]["content"] = "\ud83d" * 3000
    document = planned(compact, messages, "--keep-recent", "0")
    assert "\ufffd" in document["items"][0]["replacement"]


# --- what cannot be read ---

PRETTY = json.dumps([*OPENAI[:3], 5], indent=1)


@pytest.mark.parametrize(
    ("document", "line", "said"),
    [
        ("", 1, "not JSON"),
        ("{", 1, "not JSON"),
        ('[\n{"role": "user",\n"content": }]', 3, "not JSON"),
        ('{"role": "user", "content": "q"}\n\n{"role": "user"', 3, "not JSON"),
        (PRETTY, PRETTY.splitlines().index(" 5") + 1, "message 4 is not an object"),
        (
            '{"model": "m",\n"messages": [\n{"role": "user", "content": "q"},\n{"content": "q"}]}',
            4,
            "message 2 has no role",
        ),
        ('[{"role": "user", "content": 5}]', 1, "neither text nor a list"),
        ('[\n{"role": "assistant", "content": "", "tool_calls": [5]}]', 2, "tool_calls"),
        ('{"role": "user", "content": "q"}\n{"type": "user", "content": 5}', 2, "$.content is not an array"),
        ('{"role": "user", "content": "q"}\n5', 2, "message 2 is not an object"),
        ('[\n{"type": "user", "content": [{"type": "text"}]}]', 2, "$.content[0].text"),
        ('{"type": "message_request", "model": "m", "messages": [\n\n{"type": "user"}]}', 3, "$.messages[0].content"),
        ('[\n{"role": "assistant", "content": [{"type": "thinking"}]}]', 2, "$.content[0].text"),
        ("[]", None, "no message"),
        ('{"messages": []}', None, "no message"),
        ('[{"role": "narrator", "content": "q"}]', None, "no message"),
        ('{"messages": {}}', None, "messages is not a list"),
        ('{"messages": [], "tools": 5}', None, "tools is not a list"),
        ('{"messages": [], "tools": [{"function": {}}]}', None, "tool 1"),
        ('{"messages": [], "tools": [{"function": {"name": "a", "description": 5}}]}', None, "tool 1"),
        ('{"messages": [], "tools": [{"function": {"name": "a", "result_semantic": []}}]}', None, "tool 1"),
        ('{"messages": [], "max_tokens": "many"}', None, "most tokens"),
        ("5", 1, "message 1 is not an object"),
        ("[" * 100_000, None, "nested too deeply"),
        ("[" + "9" * 5000 + "]", None, "too long"),
    ],
)
def test_what_is_no_conversation_is_said_with_its_line_and_ends_with_2(compact, tmp_path, document, line, said):
    for flags in ((), ("--json",)):
        status, output, errors = compact(document, *flags)
        assert (status, output) == (2, "")
        message, hint = errors.splitlines()
        place = f"agdesk: {tmp_path / 'conversation.json'}" + (f", line {line}" if line else "")
        assert message.startswith(place) and said in message
        assert hint.strip()


@pytest.mark.parametrize("depth", [300, 900, 3000])
@pytest.mark.parametrize("place", ["argument", "extension", "schema"])
def test_what_is_nested_deeply_is_planned_or_named(compact, place, depth):
    deep = '{"a":' * depth + "1" + "}" * depth
    block = {
        "argument": '{"type": "tool_use", "id": "a", "name": "t", "raw_arguments": "", "input": DEEP}',
        "extension": '{"type": "extension", "provider": "p", "kind": "k", "raw": DEEP}',
        "schema": '{"type": "text", "text": "\\ud83d"}',
    }[place]
    tools = '[{"type": "tool_definition", "name": "t", "description": "", "input_schema": DEEP}]'
    document = (
        '{"type": "message_request", "model": "m", "tools": %s, "messages": [{"type": "assistant", "content": [%s]}]}'
    )
    text = (document % (tools if place == "schema" else "[]", block)).replace("DEEP", deep)
    status, _, errors = compact(text, "--json")
    assert status == 0 or (status == 2 and "nested" in errors)


@pytest.mark.parametrize("name", ["", "missing.json"])
def test_a_file_that_cannot_be_opened_is_named(tmp_path, capsys, name):
    assert cli.main(["compact", str(tmp_path / name)]) == 2
    assert f"agdesk: {tmp_path / name} cannot be read: " in capsys.readouterr().err


def test_a_file_that_is_not_utf_8_is_named_with_its_line(tmp_path, capsys):
    path = tmp_path / "latin.json"
    path.write_bytes(b'[\n"caf\xe9"]')
    assert cli.main(["compact", str(path)]) == 2
    assert f"{path}, line 2: this is not UTF-8" in capsys.readouterr().err


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path, capsys):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    assert cli.main(["compact", str(path)]) == 2
    assert f"{path} is larger than {json_lines.MOST_BYTES // 1_000_000} MB" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("--window", "0"), ("--keep-recent", "-1"), ("--window", "many")])
def test_numbers_that_cannot_be_are_wrong_usage(tmp_path, capsys, arguments):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["compact", str(tmp_path), *arguments])
    assert stopped.value.code == 2
    assert arguments[0] in capsys.readouterr().err


MEMBERS = ("content", "tool_calls", "function_call", "tool_call_id", "name", "reasoning_details", "refusal", "type")
KEYS = [
    *MEMBERS, "role", "text", "function", "arguments", "id", "input", "results", "tool_use_id", "is_error", "message",
    "messages", "tools", "raw", "source", "model", "image_url", "input_audio", "file", "custom", "index",
]  # fmt: skip
roles = st.sampled_from(["system", "developer", "user", "assistant", "tool", "function", "narrator"])
words = st.sampled_from(
    ["user", "assistant", "tool", "system", "text", "tool_use", "tool_result", "thinking", "function"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5) | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(values | st.lists(st.fixed_dictionaries({"role": roles}, optional=dict.fromkeys(MEMBERS, values)), max_size=3))
def test_any_json_is_planned_or_refused_and_never_crashes(file, document):
    try:
        conversation = read_conversation(file(document))
    except CompactError as error:
        assert error.message and error.hint
        return
    plan_compaction(conversation.messages, config=CompactConfig(keep_recent=0), tools=conversation.tools)
