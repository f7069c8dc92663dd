"""What Anthropic Messages refuses (A02 to A07, A16, R11, R12)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.fakes.strict.refusing import ANYTHING, NOTHING, NUMBER, OPENAI_IMAGES, Checker, Issued, Refused, shape

_MEMBERS = {
    "model": str,
    "max_tokens": int,
    "messages": list,
    "system": (str, list),
    "tools": list,
    "tool_choice": dict,
    "thinking": dict,
    "output_config": dict,
    "temperature": NUMBER,
    "top_p": NUMBER,
    "top_k": int,
    "stop_sequences": list,
    "stream": bool,
    "metadata": dict,
    "service_tier": str,
    "cache_control": dict,
    "container": (str, dict),
    "inference_geo": str,
    "mcp_servers": list,
    "context_management": dict,
}
_CALL_ID = re.compile("[a-zA-Z0-9_-]{1,64}")
_IMAGE_BYTES, _FILE_BYTES = 5_000_000, 32_000_000
_CACHED = {"type": str, "cache_control": dict}
_THOUGHTS = ("thinking", "redacted_thinking")


def refused(place: str, why: str, *, status: int = 400, kind: str = "invalid_request_error") -> Refused:
    """An error in this provider's shape."""
    error = {"type": kind, "message": f"{place}: {why}"}
    return Refused(status, {"type": "error", "error": error, "request_id": "req_strict"})


def check(body: Any, *, headers: Mapping[str, str] | None = None, issued: Issued = NOTHING) -> None:
    """Raises ``Refused`` if the API would not take this body; ``headers`` in lower case, None: not looked at."""
    if headers is not None:
        if not headers.get("x-api-key") and not headers.get("authorization"):
            raise refused("x-api-key", "is required", status=401, kind="authentication_error")
        if headers.get("anthropic-version") != "2023-06-01":
            raise refused("anthropic-version", "header is required")
    _Anthropic(refused, issued).body(body)


class _Anthropic(Checker):
    def body(self, body: Any) -> None:
        self.members(body, "", _MEMBERS, needed=("model", "max_tokens", "messages"))
        self.must(body["max_tokens"] >= 1, "max_tokens", "must be greater than or equal to 1")
        if isinstance(body.get("system"), list):
            for place, block in self.items(body["system"], "system"):
                self.members(block, place, {**_CACHED, "text": str}, needed=("type", "text"))
                self.text(block["text"], place)
        elif "system" in body:
            self.text(body["system"], "system")
        self._options(body)
        self._tools(body)
        self._messages(body)
        self.must(str(body).count("'cache_control'") <= 4, "cache_control", "a maximum of 4 blocks may have it")

    def _options(self, body: dict[str, Any]) -> None:
        thinking = self.members(
            body.get("thinking", {"type": "disabled"}), "thinking", {"type": str, "budget_tokens": int, "display": str}
        )
        self.word(thinking.get("type"), "thinking.type", ("enabled", "adaptive", "disabled"))
        is_on = thinking["type"] != "disabled"
        if thinking["type"] == "enabled":
            budget = thinking.get("budget_tokens", 0)
            self.must(budget >= 1024, "thinking.enabled.budget_tokens", "should be greater than or equal to 1024")
            self.must(budget < body["max_tokens"], "max_tokens", "must be greater than `thinking.budget_tokens`")
        else:
            self.must("budget_tokens" not in thinking, "thinking.budget_tokens", "is not known")
        self.must(0 <= body.get("temperature", 0) <= 1, "temperature", "range: 0..1")
        if is_on:
            self.must(body.get("temperature", 1) == 1, "temperature", "may only be set to 1 when thinking is enabled")
            self.must(body.get("top_p", 1) >= 0.95, "top_p", "must be at least 0.95 when thinking is enabled")
            self.must("top_k" not in body, "top_k", "must be unset when thinking is enabled")
            forced = body.get("tool_choice", {}).get("type") in ("any", "tool")
            self.must(not forced, "tool_choice", "Thinking may not be enabled when tool_choice forces tool use.")
        for place, stop in self.items(body.get("stop_sequences", []), "stop_sequences", least=0):
            self.text(stop, place)
        config = self.members(body.get("output_config", {}), "output_config", {"effort": str, "format": dict})
        self.word(config.get("effort", "low"), "output_config.effort", ("low", "medium", "high", "xhigh", "max"))
        if "format" in config:
            members = shape(type=str, schema=dict)
            self.members(config["format"], "output_config.format", members, needed=("type", "schema"))

    def _tools(self, body: dict[str, Any]) -> None:
        tools = self.items(body.get("tools", []), "tools", least=0)
        members = shape(
            name=str,
            description=str,
            input_schema=dict,
            cache_control=dict,
            strict=bool,
        )
        for place, tool in tools:
            self.members(tool, place, members, needed=("name", "input_schema"))
            self.schema(tool["input_schema"], f"{place}.input_schema")
        self.tool_names([tool["name"] for _, tool in tools], "tools")
        if "tool_choice" not in body:
            return
        choice = self.members(
            body["tool_choice"],
            "tool_choice",
            {"type": str, "name": str, "disable_parallel_tool_use": bool},
            needed=("type",),
        )
        self.must(bool(tools), "tool_choice", "may only be specified while providing tools")
        self.word(choice["type"], "tool_choice.type", ("auto", "any", "tool", "none"))
        self.must(("name" in choice) == (choice["type"] == "tool"), "tool_choice.name", "goes with the type tool")
        if choice["type"] == "tool":
            self.word(choice["name"], "tool_choice.name", [tool["name"] for _, tool in tools])

    def _messages(self, body: dict[str, Any]) -> None:
        turns = self.items(body["messages"], "messages")
        self.must(turns[0][1].get("role") == "user", "messages.0", 'first message must use the "user" role')
        waiting: list[str] = []
        seen: set[str] = set()
        for place, turn in turns:
            self.members(turn, place, {"role": str, "content": (str, list)}, needed=("role", "content"))
            self.word(turn["role"], f"{place}.role", ("user", "assistant"))
            content = turn["content"]
            if isinstance(content, str):
                content = [{"type": "text", "text": content}]
            self.must(bool(content), place, "all messages must have non-empty content")
            results = [block for block in content if isinstance(block, dict) and block.get("type") == "tool_result"]
            if turn["role"] == "user":
                self._results(content, results, waiting, place)
                waiting = []
            else:
                self.must(
                    not waiting, place, "`tool_use` ids were found without `tool_result` blocks after: " + str(waiting)
                )
                self.must(not results, place, "`tool_result` blocks can only be in `user` messages")
                waiting = self._answer(content, place, seen)
        self.must(not waiting, "messages", f"`tool_use` ids were found without `tool_result` blocks after: {waiting}")
        self._end(body, turns)

    def _results(self, content: list[Any], results: list[Any], waiting: list[str], place: str) -> None:
        ids = [result.get("tool_use_id") for result in results]
        for call_id in ids:
            self.must(call_id in waiting, place, f"unexpected `tool_use_id` found in `tool_result` blocks: {call_id}")
        self.must(len(set(ids)) == len(ids), place, "each tool_use must have a single result")
        self.must(set(ids) == set(waiting), place, f"`tool_use` ids were found without `tool_result` blocks: {waiting}")
        self.must(content[: len(results)] == results, place, "`tool_result` blocks must come first")
        for index, block in enumerate(content):
            self._user_block(block, f"{place}.content[{index}]")

    def _user_block(self, block: Any, place: str) -> None:
        kind = block.get("type") if isinstance(block, dict) else None
        match kind:
            case "text":
                self.members(block, place, {**_CACHED, "text": str, "citations": list}, needed=("text",))
                self.text(block["text"], f"{place}.text")
            case "image":
                self.members(block, place, {**_CACHED, "source": dict}, needed=("source",))
                self._source(block["source"], f"{place}.source", OPENAI_IMAGES, _IMAGE_BYTES)
            case "document":
                members = shape(**_CACHED, source=dict, title=str, context=str, citations=dict)
                self.members(block, place, members, needed=("source",))
                self._source(block["source"], f"{place}.source", ("application/pdf",), _FILE_BYTES)
            case "tool_result":
                members = shape(**_CACHED, tool_use_id=str, content=(str, list), is_error=bool)
                self.members(block, place, members, needed=("tool_use_id",))
                self._result_content(block, place)
            case _:
                self.kind(block, place, dict)
                self.own({name: block[name] for name in block if name != "cache_control"}, place)

    def _result_content(self, block: dict[str, Any], place: str) -> None:
        content = block.get("content", "")
        for inner_place, inner in enumerate(content if isinstance(content, list) else ()):
            self.word(inner.get("type"), f"{place}.content[{inner_place}]", ("text", "image", "document"))
            self._user_block(inner, f"{place}.content[{inner_place}]")
            if block.get("is_error"):
                self.must(inner["type"] == "text", place, "all content must be text if `is_error` is true")

    def _source(self, source: dict[str, Any], place: str, types: tuple[str, ...], most: int) -> None:
        match source.get("type"):
            case "base64":
                members = shape(type=str, media_type=str, data=str)
                self.members(source, place, members, needed=tuple(members))
                self.word(source["media_type"], f"{place}.media_type", types)
                self.base64(source["data"], f"{place}.data", most=most)
            case "url":
                self.members(source, place, {"type": str, "url": str}, needed=("url",))
                self.must(source["url"].startswith(("http://", "https://")), place, "only HTTP(S) URLs are supported")
            case "file":
                self.members(source, place, {"type": str, "file_id": str}, needed=("file_id",))
            case "text":
                members = shape(type=str, media_type=str, data=str)
                self.members(source, place, members, needed=tuple(members))
                self.word(source["media_type"], f"{place}.media_type", ("text/plain",))
            case _:
                self.no(place, "is of an unknown type")

    def _answer(self, content: list[Any], place: str, seen: set[str]) -> list[str]:
        """Checks a message of the model; returns the ids of its calls."""
        calls: list[str] = []
        for index, block in enumerate(content):
            inner = f"{place}.content[{index}]"
            kind = block.get("type") if isinstance(block, dict) else None
            match kind:
                case "text":
                    self.members(block, inner, {**_CACHED, "text": str, "citations": list}, needed=("text",))
                    self.text(block["text"], f"{inner}.text")
                case "thinking":
                    self.members(block, inner, {"type": str, "thinking": str, "signature": str}, needed=("signature",))
                    known = self.issued.sealed.get(block["signature"])
                    self.must(known is not None, inner, "Invalid `signature` in `thinking` block")
                    self.must(known == block, inner, "`thinking` blocks cannot be modified")
                case "redacted_thinking":
                    self.must(self.issued.sealed.get(block.get("data")) == block, inner, "Invalid `data`")
                case "tool_use":
                    members = shape(**_CACHED, id=str, name=str, input=dict, caller=ANYTHING)
                    self.members(block, inner, members, needed=("id", "name", "input"))
                    self.pattern(block["id"], f"{inner}.id", _CALL_ID)
                    self.tool_names([block["name"]], f"{inner}.name")
                    self.must(block["id"] not in seen, inner, "`tool_use` ids must be unique")
                    seen.add(block["id"])
                    calls.append(block["id"])
                case _:
                    self.own(block, inner)
        last = content[-1].get("type")
        self.must(last not in _THOUGHTS, place, "The final block in an assistant message cannot be `thinking`.")
        return calls

    def _end(self, body: dict[str, Any], turns: list[tuple[str, Any]]) -> None:
        """What holds of the end: no white space after a beginning to go on with; no tool of the provider left open."""
        place, last = turns[-1]
        content = last["content"]
        if last["role"] == "assistant":
            text = content if isinstance(content, str) else content[-1].get("text", "x")
            self.must(text == text.rstrip(), place, "final assistant content cannot end with trailing whitespace")
            is_thinking = body.get("thinking", {}).get("type") in ("enabled", "adaptive")
            self.must(not is_thinking, place, "this model does not support assistant message prefill")
        answers = [turn for _, turn in turns if turn["role"] == "assistant" and isinstance(turn["content"], list)]
        blocks = [block for turn in answers for block in turn["content"]]
        answered = {block.get("tool_use_id") for block in blocks}
        open_ids = {block["id"] for block in blocks if block.get("type") == "server_tool_use"} - answered
        ends_open = {block.get("id") for block in (answers[-1]["content"] if answers else ())}
        self.must(open_ids <= ends_open, "messages", f"`server_tool_use` ids without a result: {open_ids}")
        is_in_loop = last["role"] == "user" and any(block.get("type") == "tool_result" for block in content)
        if is_in_loop and answers and body.get("thinking", {}).get("type") == "enabled":
            first = answers[-1]["content"][0].get("type")
            self.must(
                first in _THOUGHTS,
                place,
                "When `thinking` is enabled, a final `assistant` message must start "
                "with a thinking block (preceding the lastmost set of `tool_use` and `tool_result` blocks).",
            )
