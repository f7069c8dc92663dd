"""The strict servers refuse what they are there to refuse: a sound request of each format, spoiled in one place."""

import copy
from typing import Any

import pytest

from tests.fakes.strict.formats import CHECKS
from tests.fakes.strict.refusing import Issued, Refused

PNG = "iVBORw0KGgo="
HUGE = "A" * 6_800_000  # 5.1 MB in base64
TOOL = {"name": "f", "description": "d", "parameters": {"type": "object"}}


def text(words):
    return {"type": "text", "text": words}


def thought(words="hm", seal="SEAL"):
    return {"type": "thinking", "thinking": words, "signature": seal}


def use(call_id="A"):
    return {"type": "tool_use", "id": call_id, "name": "f", "input": {}}


def result(call_id="A", **members):
    return {"type": "tool_result", "tool_use_id": call_id, "content": "ok", **members}


def picture(media_type="image/png", data=PNG):
    return {"type": "image", "source": {"type": "base64", "media_type": media_type, "data": data}}


def call(call_id="A", arguments="{}"):
    return {"id": call_id, "type": "function", "function": {"name": "f", "arguments": arguments}}


def item(call_id="A", arguments="{}", **members):
    return {"type": "function_call", "call_id": call_id, "name": "f", "arguments": arguments, **members}


REASONING = {"type": "reasoning", "summary": [], "encrypted_content": "SEAL"}
SIGNED = {"functionCall": {"name": "f", "args": {"a": 1}}, "thoughtSignature": "SEAL"}

SOUND = {
    "anthropic": {
        "model": "m",
        "max_tokens": 2000,
        "system": "s",
        "tools": [{"name": "f", "input_schema": {"type": "object"}}],
        "messages": [
            {"role": "user", "content": [text("q"), picture()]},
            {"role": "assistant", "content": [thought(), use()]},
            {"role": "user", "content": [result(), text("and?")]},
        ],
    },
    "openai_chat": {
        "model": "m",
        "tools": [{"type": "function", "function": TOOL}],
        "messages": [
            {"role": "user", "content": [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}]},
            {"role": "assistant", "content": None, "tool_calls": [call()]},
            {"role": "tool", "tool_call_id": "A", "content": "ok"},
        ],
    },
    "openai_responses": {
        "model": "m",
        "store": False,
        "tools": [{"type": "function", **TOOL}],
        "input": [
            {"role": "user", "content": [{"type": "input_text", "text": "q"}]},
            REASONING,
            item(),
            {"type": "function_call_output", "call_id": "A", "output": "ok"},
        ],
    },
    "gemini": {
        "systemInstruction": {"parts": [{"text": "s"}]},
        "tools": [{"functionDeclarations": [{"name": "f", "description": "d", "parametersJsonSchema": {}}]}],
        "contents": [
            {"role": "user", "parts": [{"text": "q"}, {"inlineData": {"mimeType": "image/png", "data": PNG}}]},
            {"role": "model", "parts": [SIGNED]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"result": "ok"}}}]},
        ],
    },
    "ollama": {
        "model": "m",
        "stream": True,
        "messages": [
            {"role": "user", "content": "q", "images": [PNG]},
            {"role": "assistant", "content": "", "tool_calls": [{"function": {"name": "f", "arguments": {}}}]},
            {"role": "tool", "content": "ok", "tool_name": "f"},
        ],
    },
}
DROP = object()
SPOILED = [
    ("anthropic", ("max_tokens",), DROP, "max_tokens"),
    ("anthropic", ("dream",), 1, "not known"),
    ("anthropic", ("model",), 1, "wrong type"),
    ("anthropic", ("temperature",), 1.5, "range"),
    ("anthropic", ("thinking",), {"type": "enabled", "budget_tokens": 2000}, "greater than `thinking.budget_tokens`"),
    ("anthropic", ("thinking",), {"type": "enabled", "budget_tokens": 9}, "1024"),
    ("anthropic", ("tools", 0, "input_schema"), {}, "schema"),
    ("anthropic", ("messages", 0, "role"), "assistant", "first message"),
    ("anthropic", ("messages", 0, "role"), "system", "first message"),
    ("anthropic", ("messages", 0, "content"), [text(" ")], "non-whitespace"),
    ("anthropic", ("messages", 0, "content"), [], "non-empty"),
    ("anthropic", ("messages", 0, "content", 1), picture("image/bmp"), "media_type"),
    ("anthropic", ("messages", 0, "content", 1), picture(data=HUGE), "bytes"),
    ("anthropic", ("messages", 0, "content", 1), picture(data="data:image/png;base64,QQ=="), "base64"),
    ("anthropic", ("messages", 1, "content", 0), thought("h"), "cannot be modified"),
    ("anthropic", ("messages", 1, "content", 0), thought(seal="OTHER"), "Invalid `signature`"),
    ("anthropic", ("messages", 1, "content"), [use(), thought()], "final block"),
    ("anthropic", ("messages", 1, "content", 1), use("a|b"), "pattern"),
    ("anthropic", ("messages", 1, "content"), [use(), use()], "unique"),
    ("anthropic", ("messages", 1, "content", 1), {"type": "dream"}, "unknown type"),
    ("anthropic", ("messages", 2, "content"), [text("and?"), result()], "first"),
    ("anthropic", ("messages", 2, "content"), [text("and?")], "without `tool_result`"),
    ("anthropic", ("messages", 2, "content", 0), result("B"), "unexpected"),
    ("anthropic", ("messages", 2), {"role": "assistant", "content": "b "}, "tool_use"),
    ("openai_chat", ("messages",), [], "empty"),
    ("openai_chat", ("max_token",), 1, "not known"),
    ("openai_chat", ("messages", 0, "role"), "model", "none of"),
    ("openai_chat", ("messages", 0, "content", 0, "image_url", "url"), "data:image/bmp;base64,QQ==", "not supported"),
    ("openai_chat", ("messages", 1, "tool_calls", 0), call("x" * 41), "40"),
    ("openai_chat", ("messages", 1, "tool_calls", 0), call(arguments="[1]"), "JSON object"),
    ("openai_chat", ("messages", 1, "tool_calls"), [call(), call()], "twice"),
    ("openai_chat", ("messages", 1, "tool_calls"), DROP, "null"),
    ("openai_chat", ("messages", 1, "reasoning_content"), "hm", "not known"),
    ("openai_chat", ("messages", 1, "reasoning_details"), [{"type": "reasoning.encrypted", "data": "x"}], "unknown"),
    ("openai_chat", ("messages", 2, "tool_call_id"), "B", "must be a response"),
    ("openai_chat", ("messages", 2), {"role": "user", "content": "and?"}, "did not have response"),
    ("openai_chat", ("messages", 2), DROP, "did not have response"),
    ("openai_chat", ("tools",), [], "empty"),
    ("openai_responses", ("store",), DROP, "keeps nothing"),
    ("openai_responses", ("messages",), [], "not known"),
    ("openai_responses", ("input", 1), {**REASONING, "id": "rs_1"}, "not found"),
    ("openai_responses", ("input", 1), {**REASONING, "encrypted_content": "OTHER"}, "could not be verified"),
    ("openai_responses", ("input", 1, "summary"), [{"type": "summary_text", "text": "x"}], "changed"),
    ("openai_responses", ("input", 2), {"role": "user", "content": "x"}, "required following item"),
    ("openai_responses", ("input", 2), item("x" * 65), "pattern"),
    ("openai_responses", ("input", 2), item(id="fc_1"), "not found"),
    ("openai_responses", ("input", 3), DROP, "No tool output"),
    ("openai_responses", ("input", 3, "call_id"), "B", "No tool call"),
    ("openai_responses", ("input", 0, "content", 0, "text"), "", "non-whitespace"),
    ("openai_responses", ("tools", 0, "parameters"), {}, "schema"),
    ("gemini", ("max_tokens",), 1, "not known"),
    ("gemini", ("systemInstruction",), "s", "wrong type"),
    ("gemini", ("contents", 0, "role"), "system", "none of"),
    ("gemini", ("contents", 0, "role"), "model", "begin with"),
    ("gemini", ("contents", 0, "parts", 0, "text"), "", "empty text"),
    ("gemini", ("contents", 0, "parts", 1, "inlineData", "mimeType"), "image/gif", "Unsupported"),
    ("gemini", ("contents", 1, "parts", 0, "thoughtSignature"), DROP, "missing a thought_signature"),
    ("gemini", ("contents", 1, "parts", 0, "thoughtSignature"), "OTHER", "not valid"),
    ("gemini", ("contents", 1, "parts", 0, "functionCall", "args"), {"a": 2}, "the part was changed"),
    ("gemini", ("contents", 1, "parts"), [{"text": "a", "thoughtSignature": "SEAL"}], "the part was changed"),
    ("gemini", ("contents", 2, "parts"), [{"text": "and?"}], "number of function response parts"),
    ("gemini", ("contents", 2, "parts", 0, "functionResponse", "name"), "g", "another function"),
    ("gemini", ("contents", 2, "parts", 0, "functionResponse", "response"), "ok", "wrong type"),
    ("gemini", ("generationConfig",), {"thinkingConfig": {"thinkingBudget": 1, "thinkingLevel": "LOW"}}, "only one"),
    ("ollama", ("max_tokens",), 1, "not known"),
    ("ollama", ("think",), "much", "think"),
    ("ollama", ("messages", 0, "images", 0), f"data:image/png;base64,{PNG}", "base64"),
    ("ollama", ("messages", 0, "content"), [], "wrong type"),
    ("ollama", ("messages", 1, "tool_calls", 0, "function", "arguments"), "{}", "wrong type"),
    ("ollama", ("messages", 2), {"role": "user", "content": "and?"}, "without a result"),
    ("ollama", ("messages", 2, "tool_name"), "g", "no result"),
    ("ollama", ("messages", 2, "tool_name"), DROP, "required"),
]


def known(wire):
    """What the provider of this format has given out."""
    found = Issued()
    found.add({"anthropic": thought(), "openai_responses": REASONING}.get(wire, SIGNED), "SEAL")
    return found


@pytest.mark.parametrize("wire", SOUND)
def test_a_sound_request_is_taken(wire):
    CHECKS[wire](SOUND[wire], issued=known(wire))


@pytest.mark.parametrize(("wire", "place", "value", "why"), SPOILED)
def test_one_flaw_is_refused(wire, place, value, why):
    body = copy.deepcopy(SOUND[wire])
    holder: Any = body
    for step in place[:-1]:
        holder = holder[step]
    if value is DROP:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    with pytest.raises(Refused) as caught:
        CHECKS[wire](body, issued=known(wire))
    assert why in str(caught.value)
    assert caught.value.status in (400, 404)


@pytest.mark.parametrize("wire", [wire for wire in SOUND if wire != "ollama"])
def test_a_request_without_a_key_is_refused(wire):
    with pytest.raises(Refused) as caught:
        CHECKS[wire](SOUND[wire], headers={"anthropic-version": "2023-06-01"}, issued=known(wire))
    assert caught.value.status in (401, 403)
