"""Bodies of requests read back: what a server of each format is told, whatever the shape it is told in."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Told:
    """What a body holds.

    Attributes:
        wire: the format.
        has_call_ids, has_failures: whether the format has a place for them.
        spoken: texts and thoughts and the arguments of calls, in the order the model reads them.
        calls: name and arguments; a custom tool's argument is called ``input``.
        custom: those of custom tools, with the format.
        results: the texts of results.
        media: kind, and bytes in base64 or address, with whether it stands in a result.
        words: every other string of the body.
    """

    wire: str
    has_call_ids: bool = True
    has_failures: bool = False
    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    spoken: list[str] = field(default_factory=list)
    calls: list[tuple[str, Any]] = field(default_factory=list)
    call_ids: list[str] = field(default_factory=list)
    custom: list[tuple[str, str, Any]] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    media: list[tuple[str, str, bool]] = field(default_factory=list)
    extensions: list[Any] = field(default_factory=list)
    words: set[str] = field(default_factory=set)

    def text(self, text: str) -> None:
        self.texts.append(text)
        self.spoken.append(text)

    def thought(self, text: str, whole: Any = None) -> None:
        """A thought, and what else is said of it."""
        self.thoughts.append(text)
        self.spoken.append(text + json.dumps(whole))

    def call(self, name: str, arguments: Any, call_id: str = "", *, is_custom: bool = False) -> None:
        if is_custom:
            self.custom.append((self.wire, name, arguments))
        self.calls.append((name, arguments))
        self.call_ids.append(call_id)
        self.spoken.append(json.dumps(arguments, ensure_ascii=False))


def told(wire: str, body: Mapping[str, Any]) -> Told:
    """What a body of this format says."""
    found = Told(wire)
    READERS[wire](body, found)
    found.words = set(strings(body))
    return found


def _chat(body: Mapping[str, Any], found: Told) -> None:
    for message in body["messages"]:
        content = message.get("content")
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
        if message["role"] == "tool":
            found.results.append(content)
            continue
        if message["role"] == "assistant":
            details = message.get("reasoning_details", [])
            found.thought(message.get("reasoning_content") or "")
            found.thought(
                "".join(str(detail.get("text") or detail.get("summary") or "") for detail in details), details
            )
        for part in parts:
            _chat_part(part, found)
        found.text(message.get("refusal") or "")
        for name in message.keys() - {"role", "content", "refusal", "tool_calls", "reasoning_content"}:
            found.extensions.append(message[name])
        for call in message.get("tool_calls", []):
            function = call.get("function") or call["custom"]
            arguments = json.loads(function["arguments"]) if "arguments" in function else {"input": function["input"]}
            found.call(function["name"], arguments, call["id"], is_custom="custom" in call)


def _chat_part(part: dict[str, Any], found: Told) -> None:
    match part:
        case {"type": "text", "text": text} | {"type": "refusal", "refusal": text}:
            found.text(text)
        case {"type": "image_url", "image_url": {"url": url}}:
            found.media.append(("Image", _bytes(url), False))
        case {"type": "input_audio", "input_audio": {"data": data}}:
            found.media.append(("Audio", data, False))
        case {"type": "file", "file": file}:
            found.media.append(("File", _bytes(file.get("file_data") or file["file_id"]), False))
        case _:
            found.extensions.append(part)


def _responses(body: Mapping[str, Any], found: Told) -> None:
    for item in body["input"]:
        match item:
            case {"type": "reasoning"}:
                for entries in (item.get("content") or [], item["summary"]):
                    found.thought("\n\n".join(entry["text"] for entry in entries), item)
            case {"type": "function_call"}:
                found.call(item["name"], json.loads(item["arguments"]), item["call_id"])
            case {"type": "custom_tool_call"}:
                found.call(item["name"], {"input": item["input"]}, item["call_id"], is_custom=True)
            case {"output": output}:
                for part in [{"type": "input_text", "text": output}] if isinstance(output, str) else output:
                    _responses_part(part, found, in_result=True)
            case {"content": content}:
                for part in content:
                    _responses_part(part, found, in_result=False)
            case _:
                found.extensions.append(item)


def _responses_part(part: dict[str, Any], found: Told, *, in_result: bool) -> None:
    match part:
        case {"type": "input_text", "text": text} if in_result:
            found.results.append(text)
        case {"type": "input_text" | "output_text", "text": text} | {"type": "refusal", "refusal": text}:
            found.text(text)
        case {"type": "input_image"}:
            found.media.append(("Image", _bytes(part.get("image_url") or part["file_id"]), in_result))
        case {"type": "input_audio", "input_audio": {"data": data}}:
            found.media.append(("Audio", data, in_result))
        case {"type": "input_file"}:
            source = part.get("file_data") or part.get("file_url") or part["file_id"]
            found.media.append(("File", _bytes(source), in_result))
        case _:
            found.extensions.append(part)


def _anthropic(body: Mapping[str, Any], found: Told) -> None:
    found.has_failures = True
    system = body.get("system", [])
    found.texts.extend([system] if isinstance(system, str) else [block["text"] for block in system])
    for message in body["messages"]:
        for block in message["content"]:
            _anthropic_block(block, found, in_result=False)


def _anthropic_block(block: dict[str, Any], found: Told, *, in_result: bool) -> None:
    match block:
        case {"type": "text", "text": text}:
            if in_result:
                found.results.append(text)
            else:
                found.text(text)
        case {"type": "thinking", "thinking": text}:
            found.thought(text, block)
        case {"type": "tool_use"}:
            found.call(block["name"], block["input"], block["id"])
        case {"type": "tool_result"}:
            content = block.get("content", [])
            for inner in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                _anthropic_block(inner, found, in_result=True)
        case {"type": "image" | "document" as kind, "source": source}:
            media = source.get("data") or source.get("url") or source["file_id"]
            if source["type"] == "text":
                media = base64.b64encode(media.encode()).decode()
            found.media.append(("Image" if kind == "image" else "File", media, in_result))
        case _:
            found.extensions.append({key: block[key] for key in block if key != "cache_control"})


def _gemini(body: Mapping[str, Any], found: Told) -> None:
    found.has_call_ids, found.has_failures = False, True
    found.texts.extend(part["text"] for part in body.get("systemInstruction", {}).get("parts", []))
    for content in body["contents"]:
        # a text may be cut anywhere
        for is_thought, runs in ((False, found.texts), (True, found.thoughts)):
            said = (part.get("text") if part.get("thought", False) == is_thought else None for part in content["parts"])
            runs.append("".join("\0" if text is None else text for text in said))
        for part in content["parts"]:
            match part:
                case {"text": text, "thought": True}:
                    found.thought(text, part)
                case {"text": text}:
                    found.text(text)
                case {"functionCall": call}:
                    found.call(call["name"], call.get("args", {}))
                case {"functionResponse": {"response": response}}:
                    found.results.extend(response.values())
                case {"inlineData": media} | {"fileData": media} if content["role"] == "user":
                    kind = media.get("mimeType", "").partition("/")[0]
                    name = {"image": "Image", "audio": "Audio"}.get(kind, "File")
                    found.media.append((name, media.get("data") or media["fileUri"], False))
                case _:
                    found.extensions.append(part)


def _ollama(body: Mapping[str, Any], found: Told) -> None:
    for message in body["messages"]:
        is_result = message["role"] == "tool"
        found.media.extend(("Image", data, is_result) for data in message.get("images", []))
        if is_result:
            found.results.append(message["content"])
            continue
        found.thought(message.get("thinking", ""))
        found.text(message["content"])
        for name in message.keys() - {"role", "content", "images", "thinking", "tool_calls"}:
            found.extensions.append(message[name])
        for call in message.get("tool_calls", []):
            found.call(call["function"]["name"], call["function"]["arguments"], call.get("id", ""))


READERS: Mapping[str, Callable[[Mapping[str, Any], Told], None]] = {
    "openai_chat": _chat,
    "openai_responses": _responses,
    "anthropic": _anthropic,
    "gemini": _gemini,
    "ollama": _ollama,
}


def _bytes(source: str) -> str:
    """What a data URL holds; any other source as it is."""
    return source.partition(",")[2] if source.startswith("data:") else source


def strings(value: Any) -> list[str]:
    """Every string in a JSON value, beside the names of members."""
    if isinstance(value, dict):
        return [text for member in value.values() for text in strings(member)]
    if isinstance(value, list):
        return [text for member in value for text in strings(member)]
    return [value] if isinstance(value, str) else []
