"""CHAT5: how each format says that its last message is the beginning of the answer, by the shipped rows (A07)."""

import functools

import pytest

from agdesk.core.ir.blocks import Text
from agdesk.core.ir.messages import Assistant, Origin, user
from agdesk.core.ir.request import MessageRequest
from agdesk.core.providers.dialect import Prefill
from agdesk.core.providers.families import family_layers
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.providers.registry import wire_format
from tests.fakes.strict import openai_chat
from tests.fakes.strict.formats import CHECKS
from tests.fakes.strict.refusing import Refused

ROWS = {name: row for name, row in shipped_endpoints().items() if row.dialect.prefill is not Prefill.NONE}
HISTORY = (user("Count to three."), Assistant((Text("one, two"),), Origin("p", "m", "w")))


def rendered(name, *, is_continuation=True, messages=HISTORY):
    row = ROWS[name]
    request = MessageRequest("m", messages, is_continuation=is_continuation)
    return wire_format(row.wire).render_request(request, endpoint=row, api_key="k", is_streaming=True)


def strict(name):
    row = ROWS[name]
    if row.wire != "openai_chat":
        return CHECKS[row.wire]
    prefill = row.dialect.prefill
    return functools.partial(openai_chat.check, prefill="" if prefill is Prefill.LAST_MESSAGE else prefill.value)


@pytest.mark.parametrize("name", ROWS)
def test_the_beginning_is_the_last_message_and_a_strict_server_takes_it(name):
    sent = rendered(name)
    body = {k: v for k, v in sent.body.items() if k != "repeat_penalty"}  # llama.cpp's own
    strict(name)(body)
    last = (sent.body.get("messages") or sent.body["contents"])[-1]
    assert last["role"] in ("assistant", "model")
    assert "one, two" in repr(last)
    assert [line for line in sent.ledger if "system text was added" not in line] == []


MARKS = {
    "deepseek": {"role": "assistant", "content": "one, two", "prefix": True},
    "mistral": {"role": "assistant", "content": "one, two", "prefix": True},
    "moonshot": {"role": "assistant", "content": "one, two", "partial": True},
    "qwen": {"role": "assistant", "content": "one, two", "partial": True},
    "openrouter": {"role": "assistant", "content": "one, two"},
    "llama-cpp": {"role": "assistant", "content": "one, two"},
    "builtin": {"role": "assistant", "content": "one, two"},
    "ollama": {"role": "assistant", "content": "one, two"},
    "anthropic": {"role": "assistant", "content": [{"type": "text", "text": "one, two"}]},
}


@pytest.mark.parametrize("name", MARKS)
def test_the_last_message_says_what_the_row_says(name):
    assert rendered(name).body["messages"][-1] == MARKS[name]


def test_gemini_ends_with_the_models_turn():
    assert rendered("gemini").body["contents"][-1] == {"role": "model", "parts": [{"text": "one, two"}]}


def test_vllm_is_told_to_go_on_with_the_final_message_and_to_open_no_other():
    body = rendered("vllm").body
    assert (body["continue_final_message"], body["add_generation_prompt"]) == (True, False)


def test_deepseek_knows_it_only_below_beta():
    assert rendered("deepseek").path == "/beta/chat/completions"
    assert rendered("deepseek", is_continuation=False).path == "/chat/completions"


@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row.wire == "openai_chat"])
def test_nothing_is_said_of_it_in_any_other_request(name):
    body = rendered(name, is_continuation=False).body
    assert not {"continue_final_message", "add_generation_prompt"} & body.keys()
    assert not {"prefix", "partial"} & body["messages"][-1].keys()


def test_the_strict_servers_refuse_a_beginning_that_is_not_marked():
    for name in ("deepseek", "qwen", "vllm"):
        with pytest.raises(Refused):
            strict(name)(rendered(name, is_continuation=False).body)


def is_refused(provider_id, model):
    return any(layer.takes_prefill is False for layer in family_layers(provider_id, model))


@pytest.mark.parametrize("model", ["claude-opus-4-6", "claude-sonnet-4-6", "claude-opus-4-7", "claude-sonnet-5"])
def test_the_models_that_refuse_it_are_known(model):
    assert is_refused("anthropic", model)
    assert is_refused("openrouter", f"anthropic/{model.replace('4-', '4.')}")


@pytest.mark.parametrize("model", ["claude-haiku-4-5-20251001", "claude-opus-4-5", "claude-sonnet-4-20250514"])
def test_of_the_models_before_them_nothing_is_said(model):
    assert not is_refused("anthropic", model)
