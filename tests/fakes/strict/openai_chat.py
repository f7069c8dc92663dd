"""What OpenAI Chat Completions refuses, and its strict relatives (K12, K17, K20, R03, R04, R08, E07)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.fakes.strict.refusing import NOTHING, NULL, NUMBER, Checker, Issued, Refused, shape

_MEMBERS = {
    "model": str,
    "messages": list,
    "tools": list,
    "tool_choice": (str, dict),
    "parallel_tool_calls": bool,
    "max_tokens": int,
    "max_completion_tokens": int,
    "temperature": NUMBER,
    "top_p": NUMBER,
    "stop": (str, list),
    "seed": int,
    "n": int,
    "presence_penalty": NUMBER,
    "frequency_penalty": NUMBER,
    "logit_bias": dict,
    "logprobs": bool,
    "top_logprobs": int,
    "response_format": dict,
    "reasoning_effort": str,
    "verbosity": str,
    "prompt_cache_key": str,
    "prompt_cache_options": dict,
    "prompt_cache_retention": str,
    "service_tier": str,
    "modalities": list,
    "audio": dict,
    "prediction": dict,
    "web_search_options": dict,
    "moderation": dict,
    "store": bool,
    "metadata": dict,
    "safety_identifier": str,
    "stream": bool,
    "stream_options": dict,
}
_ROLES = ("system", "developer", "user", "assistant", "tool")
_REASONING = ("reasoning_content", "reasoning")
_ID_CHARACTERS = 40
_FILE_BYTES = 50_000_000


def refused(place: str, why: str, *, status: int = 400, code: str = "invalid_value") -> Refused:
    """An error in this provider's shape."""
    error = {"message": f"Invalid '{place}': {why}", "type": "invalid_request_error", "param": place, "code": code}
    return Refused(status, {"error": error})


def check(
    body: Any,
    *,
    headers: Mapping[str, str] | None = None,
    issued: Issued = NOTHING,
    reasoning: str = "refused",
    prefill: str = "",
) -> None:
    """Raises ``Refused`` if the API would not take this body.

    Args:
        body: of the request.
        headers: in lower case; None: not looked at.
        issued: what was given out.
        reasoning: ``refused`` (as OpenAI and R04), ``taken``, or ``demanded`` in turns with calls (R03).
        prefill: what the last message must say if it is the model's (A07): a member of it, or ``final_message``.
    """
    if prefill:
        body = _without_prefill(body, prefill)
    if headers is not None and not headers.get("authorization", "").startswith("Bearer "):
        raise refused("authorization", "You didn't provide an API key.", status=401, code="invalid_api_key")
    _Chat(refused, issued, reasoning).body(body)


def _without_prefill(body: Any, prefill: str) -> Any:
    """The body without what says that its last message is gone on with; refuses one that does not say so."""
    *others, last = body["messages"]
    if last["role"] != "assistant":
        return body
    if prefill == "final_message":
        marks = (body.get("continue_final_message"), body.get("add_generation_prompt"))
        if marks != (True, False):
            raise refused("continue_final_message", "and add_generation_prompt cannot both be so")
        return {k: v for k, v in body.items() if k not in ("continue_final_message", "add_generation_prompt")}
    if last.get(prefill) is not True:
        raise refused("messages", f"the last message must be of the user, or have {prefill}")
    return {**body, "messages": [*others, {k: v for k, v in last.items() if k != prefill}]}


class _Chat(Checker):
    def __init__(self, refuse: Any, issued: Issued, reasoning: str) -> None:
        super().__init__(refuse, issued)
        self._reasoning = reasoning

    def body(self, body: Any) -> None:
        self.members(body, "", _MEMBERS, needed=("model", "messages"))
        self.must(0 <= body.get("temperature", 0) <= 2, "temperature", "must be between 0 and 2")
        self.must(0 <= body.get("top_p", 0) <= 1, "top_p", "must be between 0 and 1")
        self.must("stream_options" not in body or body.get("stream") is True, "stream_options", "needs stream")
        if isinstance(body.get("stop"), list):
            self.must(1 <= len(body["stop"]) <= 4, "stop", "between 1 and 4 sequences")
        self._tools(body)
        self._format(body.get("response_format"))
        waiting: list[str] = []
        for place, message in self.items(body["messages"], "messages"):
            role = message.get("role") if isinstance(message, dict) else None
            self.word(role, f"{place}.role", _ROLES)
            if role == "tool":
                self._result(message, place, waiting)
                continue
            self.must(not waiting, place, f"tool_call_ids did not have response messages: {waiting}")
            if role == "assistant":
                waiting = self._answer(message, place)
            else:
                self.members(message, place, {"role": str, "content": (str, list), "name": str}, needed=("content",))
                self._content(message["content"], f"{place}.content", may_be_media=role == "user")
        self.must(not waiting, "messages", f"tool_call_ids did not have response messages: {waiting}")

    def _content(self, content: Any, place: str, *, may_be_media: bool) -> None:
        if isinstance(content, str):
            self.text(content, place)
            return
        for inner, part in self.items(content, place):
            kind = part.get("type") if isinstance(part, dict) else None
            if kind == "text":
                self.members(part, inner, {"type": str, "text": str}, needed=("text",))
                self.text(part["text"], inner)
            elif may_be_media:
                self._media(kind, part, inner)
            else:
                self.no(inner, "only text is taken here")

    def _media(self, kind: Any, part: Any, place: str) -> None:
        match kind:
            case "image_url":
                self.members(part, place, {"type": str, "image_url": dict}, needed=("image_url",))
                image = self.members(part["image_url"], f"{place}.image_url", {"url": str, "detail": str})
                self.image_url(image.get("url"), f"{place}.image_url.url")
            case "input_audio":
                self.members(part, place, {"type": str, "input_audio": dict}, needed=("input_audio",))
                audio = self.members(
                    part["input_audio"], place, {"data": str, "format": str}, needed=("data", "format")
                )
                self.word(audio["format"], f"{place}.input_audio.format", ("wav", "mp3"))
                self.base64(audio["data"], f"{place}.input_audio.data", most=_FILE_BYTES)
            case "file":
                members = shape(file_data=str, file_id=str, filename=str)
                file = self.members(part.get("file"), f"{place}.file", members)
                if "file_data" in file:
                    self.data_url(file["file_data"], f"{place}.file.file_data", None, most=_FILE_BYTES)
                    self.must("filename" in file, f"{place}.file", "file_data needs a filename")
                else:
                    self.must("file_id" in file, f"{place}.file", "needs file_data or file_id")
            case _:
                self.own(part, place)

    def _answer(self, message: dict[str, Any], place: str) -> list[str]:
        calls = message.get("tool_calls")
        for name, value in message.items():
            if name in _REASONING:
                # who gives details takes the text beside them too
                is_taken = self._reasoning != "refused" or "reasoning_details" in message
                self.must(is_taken, f"{place}.{name}", "is not known")
                self.kind(value, f"{place}.{name}", str)
            elif name == "reasoning_details":
                for inner, detail in self.items(value, f"{place}.{name}"):
                    self.own(detail, inner)
            elif name not in ("role", "content", "refusal", "tool_calls", "name"):
                self.own({name: value}, f"{place}.{name}")
        self.kind(message.get("refusal"), f"{place}.refusal", (str, NULL))
        content = message.get("content")
        if content is None:
            others = (calls, message.get("refusal"), message.get("audio"))
            self.must(any(others), f"{place}.content", "expected a string, got null")
        elif isinstance(content, str):
            self.must(bool(content.strip() or calls), f"{place}.content", "is empty")
        else:
            for inner, part in self.items(content, f"{place}.content"):
                kind = part.get("type")
                if kind in ("text", "refusal"):
                    self.members(part, inner, {"type": str, kind: str}, needed=(kind,))
                    self.text(part[kind], inner)
                else:
                    self.own(part, inner)
        if calls is None:
            return []
        if self._reasoning == "demanded":
            self.must(
                "reasoning_content" in message,
                place,
                "The `reasoning_content` in the thinking mode must be passed back",
            )
        return self._calls(calls, f"{place}.tool_calls")

    def _calls(self, calls: Any, place: str) -> list[str]:
        ids: list[str] = []
        for inner, call in self.items(calls, place):
            kind = str(call.get("type")) if isinstance(call, dict) else ""
            self.word(kind, f"{inner}.type", ("function", "custom"))
            members = shape() | {"id": str, "type": str, kind: dict, "extra_content": dict}
            self.members(call, inner, members, needed=("id", kind))
            arguments = "arguments" if kind == "function" else "input"
            function = self.members(
                call[kind], f"{inner}.{kind}", {"name": str, arguments: str}, needed=("name", arguments)
            )
            self.tool_names([function["name"]], f"{inner}.{kind}.name")
            if kind == "function":
                self.json_object(function["arguments"], f"{inner}.function.arguments")
            if "extra_content" in call:  # Google's place for signatures (G01)
                seal = call["extra_content"].get("google", {}).get("thought_signature")
                known = self.issued.sealed.get(seal)
                self.must(known is not None and known == function["name"], inner, "thought_signature is not valid")
            self.must(
                0 < len(call["id"]) <= _ID_CHARACTERS, f"{inner}.id", f"string too long, at most {_ID_CHARACTERS}"
            )
            self.must(call["id"] not in ids, f"{inner}.id", "is used twice")
            ids.append(call["id"])
        return ids

    def _result(self, message: dict[str, Any], place: str, waiting: list[str]) -> None:
        members = shape(role=str, tool_call_id=str, content=(str, list), name=str)
        self.members(message, place, members, needed=("tool_call_id", "content"))
        call_id = message["tool_call_id"]
        why = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'"
        self.must(call_id in waiting, f"{place}.tool_call_id", why)
        waiting.remove(call_id)
        if isinstance(message["content"], list):
            self._content(message["content"], f"{place}.content", may_be_media=False)

    def _tools(self, body: dict[str, Any]) -> None:
        if "tools" not in body:
            for name in ("tool_choice", "parallel_tool_calls"):
                self.must(name not in body, name, "is only allowed when 'tools' are specified")
            return
        names = []
        for place, tool in self.items(body["tools"], "tools"):
            self.members(tool, place, {"type": str, "function": dict}, needed=("type", "function"))
            self.word(tool["type"], f"{place}.type", ("function",))
            members = shape(name=str, description=str, parameters=dict, strict=bool)
            function = self.members(tool["function"], f"{place}.function", members, needed=("name",))
            if "parameters" in function:
                self.schema(function["parameters"], f"{place}.function.parameters")
            names.append(function["name"])
        self.tool_names(names, "tools")
        match body.get("tool_choice", "auto"):
            case str(word):
                self.word(word, "tool_choice", ("auto", "none", "required"))
            case {"type": "function", "function": {"name": name}}:
                self.word(name, "tool_choice.function.name", names)
            case _:
                self.no("tool_choice", "is of an unknown type")

    def _format(self, wanted: Any) -> None:
        match wanted:
            case None | {"type": "text" | "json_object"}:
                return
            case {"type": "json_schema", "json_schema": dict(schema)}:
                members = shape(name=str, schema=dict, strict=bool, description=str)
                self.members(schema, "response_format.json_schema", members, needed=("name", "schema"))
            case _:
                self.no("response_format", "is of an unknown type")
