"""What OpenAI Responses refuses of a request that keeps nothing on the server (P07, P08, P09, P12, P14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.fakes.strict.openai_chat import refused
from tests.fakes.strict.refusing import ANYTHING, NOTHING, NULL, NUMBER, Checker, Issued, shape

_MEMBERS = {
    "model": str,
    "input": (str, list),
    "instructions": str,
    "tools": list,
    "tool_choice": (str, dict),
    "parallel_tool_calls": bool,
    "max_output_tokens": int,
    "max_tool_calls": int,
    "reasoning": dict,
    "text": dict,
    "include": list,
    "store": bool,
    "previous_response_id": str,
    "conversation": (str, dict),
    "prompt": dict,
    "truncation": str,
    "context_management": list,
    "background": bool,
    "service_tier": str,
    "temperature": NUMBER,
    "top_p": NUMBER,
    "top_logprobs": int,
    "prompt_cache_key": str,
    "prompt_cache_options": dict,
    "prompt_cache_retention": str,
    "safety_identifier": str,
    "metadata": dict,
    "stream": bool,
    "stream_options": dict,
}
_INCLUDED = (
    "reasoning.encrypted_content",
    "web_search_call.action.sources",
    "web_search_call.results",
    "file_search_call.results",
    "code_interpreter_call.outputs",
    "computer_call_output.output.image_url",
    "message.input_image.image_url",
    "message.output_text.logprobs",
)
_CALL_ID = re.compile("[a-zA-Z0-9_-]{1,64}")
_FILE_BYTES = 50_000_000
_FOLLOWED = "of type 'reasoning' was provided without its required following item"
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_OUTPUTS = {f"{kind}_output": kind for kind in _CALLS}


def check(body: Any, *, headers: Mapping[str, str] | None = None, issued: Issued = NOTHING) -> None:
    """Raises ``Refused`` if the API would not take this body; ``headers`` in lower case, None: not looked at."""
    if headers is not None and not headers.get("authorization", "").startswith("Bearer "):
        raise refused("authorization", "Missing bearer authentication", status=401, code="invalid_api_key")
    _Responses(refused, issued).body(body)


class _Responses(Checker):
    def body(self, body: Any) -> None:
        self.members(body, "", _MEMBERS, needed=("model", "input"))
        self.must(body.get("store") is False, "store", "the server of this test keeps nothing")
        self.must("previous_response_id" not in body, "previous_response_id", "not found")
        self.must(0 <= body.get("temperature", 0) <= 2, "temperature", "must be between 0 and 2")
        self.must(0 <= body.get("top_p", 0) <= 1, "top_p", "must be between 0 and 1")
        self.must(body.get("max_output_tokens", 16) >= 16, "max_output_tokens", "expected a value >= 16")
        for place, word in self.items(body.get("include", []), "include", least=0):
            self.word(word, place, _INCLUDED)
        reasoning = {"effort": str, "summary": str, "context": str, "mode": str}
        self.members(body.get("reasoning", {}), "reasoning", reasoning)
        self._format(body.get("text", {}))
        self._tools(body)
        if isinstance(body["input"], list):
            self._items(self.items(body["input"], "input"))
        else:
            self.text(body["input"], "input")

    def _items(self, items: list[tuple[str, Any]]) -> None:
        waiting: dict[str, str] = {}
        seen: set[str] = set()
        thought = ""  # the place of a thought that nothing has followed yet
        for place, item in items:
            self.kind(item, place, dict)
            kind = item.get("type", "message")
            role = item.get("role") if kind == "message" else None
            if kind in _OUTPUTS:
                self.must(not thought, thought, _FOLLOWED)
                self._output(item, place, _OUTPUTS[kind], waiting)
                continue
            if role in ("user", "system", "developer"):
                self.must(not thought, thought, _FOLLOWED)
                self.must(not waiting, place, f"No tool output found for function call {sorted(waiting)}.")
                self._said(item, place)
                continue
            # an item of the model: all that came before in its answer belongs to it
            thought = place if kind == "reasoning" else ""
            if kind == "reasoning":
                self._reasoning(item, place)
            elif kind in _CALLS:
                self._call(item, place, kind, seen)
                waiting[item["call_id"]] = kind
            elif kind == "message":
                self._answer(item, place)
            else:
                self.own(item, place)
        self.must(not thought, thought, _FOLLOWED)
        self.must(not waiting, "input", f"No tool output found for function call {sorted(waiting)}.")

    def _said(self, item: dict[str, Any], place: str) -> None:
        self.members(item, place, {"type": str, "role": str, "content": (str, list)}, needed=("content",))
        if isinstance(item["content"], str):
            self.text(item["content"], f"{place}.content")
            return
        for inner, part in self.items(item["content"], f"{place}.content"):
            may_be_media = item["role"] == "user"
            self.must(may_be_media or part.get("type") == "input_text", inner, "only text is taken here")
            self._part(part, inner)

    def _part(self, part: Any, place: str) -> None:
        match part.get("type") if isinstance(part, dict) else None:
            case "input_text":
                self.members(part, place, {"type": str, "text": str}, needed=("text",))
                self.text(part["text"], place)
            case "input_image":
                members = shape(type=str, image_url=str, file_id=str, detail=str)
                self.members(part, place, members)
                self.must(("image_url" in part) != ("file_id" in part), place, "needs one of image_url and file_id")
                if "image_url" in part:
                    self.image_url(part["image_url"], f"{place}.image_url")
            case "input_file":
                members = shape(
                    type=str,
                    file_data=str,
                    file_id=str,
                    file_url=str,
                    filename=str,
                )
                self.members(part, place, members)
                sources = [name for name in ("file_data", "file_id", "file_url") if name in part]
                self.must(len(sources) == 1, place, "needs one of file_data, file_id and file_url")
                if "file_data" in part:
                    self.must(bool(part.get("filename")), place, "file_data needs a filename")
                    self.data_url(part["file_data"], f"{place}.file_data", None, most=_FILE_BYTES)
            case "input_audio":
                self.members(part, place, {"type": str, "input_audio": dict}, needed=("input_audio",))
                sound = self.members(
                    part["input_audio"], place, {"data": str, "format": str}, needed=("data", "format")
                )
                self.word(sound["format"], place, ("wav", "mp3"))
            case _:
                self.own(part, place)

    def _answer(self, item: dict[str, Any], place: str) -> None:
        members = shape(type=str, role=str, status=str, content=list, phase=str)
        self.members(item, place, members, needed=("role", "content"))
        self.word(item["role"], f"{place}.role", ("assistant",))
        self.word(item.get("phase", "commentary"), f"{place}.phase", ("commentary", "final_answer"))
        for inner, part in self.items(item["content"], f"{place}.content"):
            match part.get("type"):
                case "output_text":
                    members = shape(type=str, text=str, annotations=list, logprobs=list)
                    self.members(part, inner, members, needed=("text", "annotations"))
                    self.text(part["text"], inner)
                case "refusal":
                    self.members(part, inner, {"type": str, "refusal": str}, needed=("refusal",))
                    self.text(part["refusal"], inner)
                case _:
                    self.own(part, inner)

    def _reasoning(self, item: dict[str, Any], place: str) -> None:
        if "id" in item:
            raise refused(place, f"Item with id '{item['id']}' not found.", status=404, code="item_not_found")
        members = shape(type=str, summary=list, content=(list, NULL), encrypted_content=str)
        self.members(item, place, members, needed=("summary",))
        known = self.issued.sealed.get(item.get("encrypted_content", ""))
        self.must(known is not None, place, "The encrypted content could not be verified.")
        self.must(known == item, place, "A reasoning item was changed.")

    def _call(self, item: dict[str, Any], place: str, kind: str, seen: set[str]) -> None:
        text = _CALLS[kind]
        members = shape() | {
            "type": str,
            "call_id": str,
            "name": str,
            text: str,
            "id": str,
            "status": str,
            "namespace": ANYTHING,
        }
        self.members(item, place, members, needed=("call_id", "name", text))
        self.must("id" not in item, f"{place}.id", "Item not found")
        self.pattern(item["call_id"], f"{place}.call_id", _CALL_ID)
        self.must(item["call_id"] not in seen, f"{place}.call_id", "is used twice")
        seen.add(item["call_id"])
        self.tool_names([item["name"]], f"{place}.name")
        if kind == "function_call":
            self.json_object(item["arguments"], f"{place}.arguments")

    def _output(self, item: dict[str, Any], place: str, kind: str, waiting: dict[str, str]) -> None:
        members = shape(type=str, call_id=str, output=(str, list))
        self.members(item, place, members, needed=("call_id", "output"))
        call_id = item["call_id"]
        self.must(waiting.get(call_id) == kind, place, f"No tool call found for {kind} output with call_id {call_id}.")
        del waiting[call_id]
        if isinstance(item["output"], list):
            for inner, part in self.items(item["output"], f"{place}.output"):
                self.word(part.get("type"), inner, ("input_text", "input_image", "input_file"))
                self._part(part, inner)

    def _format(self, text: Any) -> None:
        self.members(text, "text", {"format": dict, "verbosity": str})
        match text.get("format", {"type": "text"}):
            case {"type": "text" | "json_object"}:
                return
            case {"type": "json_schema"} as wanted:
                members = shape(type=str, name=str, schema=dict, strict=bool, description=str)
                self.members(wanted, "text.format", members, needed=("name", "schema"))
            case _:
                self.no("text.format", "is of an unknown type")

    def _tools(self, body: dict[str, Any]) -> None:
        if "tools" not in body:
            for name in ("tool_choice", "parallel_tool_calls"):
                self.must(name not in body, name, "is only allowed when 'tools' are specified")
            return
        names = []
        members = shape(type=str, name=str, description=str, parameters=dict, strict=bool)
        for place, tool in self.items(body["tools"], "tools"):
            self.members(tool, place, members, needed=("type", "name", "parameters"))
            self.word(tool["type"], f"{place}.type", ("function",))
            self.schema(tool["parameters"], f"{place}.parameters")
            names.append(tool["name"])
        self.tool_names(names, "tools")
        match body.get("tool_choice", "auto"):
            case str(word):
                self.word(word, "tool_choice", ("auto", "none", "required"))
            case {"type": "function", "name": name}:
                self.word(name, "tool_choice.name", names)
            case _:
                self.no("tool_choice", "is of an unknown type")
