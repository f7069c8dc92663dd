"""What Gemini's generateContent refuses (G01, G02, G07, G15, G17, R11)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tests.fakes.strict.refusing import NOTHING, NUMBER, Checker, Issued, Refused, shape

_MEMBERS = {
    "contents": list,
    "systemInstruction": dict,
    "tools": list,
    "toolConfig": dict,
    "safetySettings": list,
    "cachedContent": str,
    "serviceTier": str,
    "generationConfig": dict,
}
_GENERATION = {
    "maxOutputTokens": int,
    "temperature": NUMBER,
    "topP": NUMBER,
    "topK": int,
    "seed": int,
    "stopSequences": list,
    "candidateCount": int,
    "responseMimeType": str,
    "responseSchema": dict,
    "responseJsonSchema": dict,
    "responseModalities": list,
    "thinkingConfig": dict,
    "mediaResolution": str,
    "speechConfig": dict,
    "responseLogprobs": bool,
    "logprobs": int,
}
_PART = {
    "text": str,
    "thought": bool,
    "thoughtSignature": str,
    "functionCall": dict,
    "functionResponse": dict,
    "inlineData": dict,
    "fileData": dict,
}
_DATA = ("text", "functionCall", "functionResponse", "inlineData", "fileData")
_IMAGES = ("image/png", "image/jpeg", "image/webp", "image/heic", "image/heif")
_NAME = re.compile("[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}")
_SKIPS_CHECK = "skip_thought_signature_validator"
_REQUEST_BYTES = 20_000_000


def refused(place: str, why: str, *, status: int = 400, word: str = "INVALID_ARGUMENT") -> Refused:
    """An error in this provider's shape."""
    return Refused(status, {"error": {"code": status, "message": f"{place}: {why}", "status": word, "details": []}})


def check(body: Any, *, headers: Mapping[str, str] | None = None, issued: Issued = NOTHING) -> None:
    """Raises ``Refused`` if the API would not take this body; ``headers`` in lower case, None: not looked at."""
    if headers is not None and not headers.get("x-goog-api-key"):
        raise refused("key", "Method doesn't allow unregistered callers", status=403, word="PERMISSION_DENIED")
    _Gemini(refused, issued).body(body)


class _Gemini(Checker):
    def body(self, body: Any) -> None:
        self.members(body, "", _MEMBERS, needed=("contents",))
        if "systemInstruction" in body:
            system = self.members(body["systemInstruction"], "systemInstruction", {"role": str, "parts": list})
            for place, part in self.items(system.get("parts"), "systemInstruction.parts"):
                self.members(part, place, {"text": str}, needed=("text",))
                self.text(part["text"], place)
        self._generation(body.get("generationConfig", {}))
        self._tools(body)
        contents = self.items(body["contents"], "contents")
        for place, content in contents:
            self.members(content, place, {"role": str, "parts": list}, needed=("role", "parts"))
            self.word(content["role"], place, ("user", "model"))
            for inner, part in self.items(content["parts"], f"{place}.parts"):
                self._part(part, inner)
        self.must(contents[0][1]["role"] == "user", "contents", "must begin with a content of role 'user'")
        self.must(len(str(body)) <= _REQUEST_BYTES, "request", "Request payload size exceeds the limit")
        self._pairs(contents)
        self._signatures(contents)

    def _part(self, part: Any, place: str) -> None:
        if not isinstance(part, dict) or part.keys() - _PART.keys():
            self.own(part, place)
            return
        self.members(part, place, _PART)
        self.must(sum(name in part for name in _DATA) == 1, place, "data must have exactly one initialized field")
        if (seal := part.get("thoughtSignature")) is not None and seal != _SKIPS_CHECK:
            known = self.issued.sealed.get(seal)
            self.must(known is not None, place, "Thought signature is not valid.")
            self.must(
                _as_given(known) == _as_given(part), place, "Thought signature is not valid: the part was changed"
            )
        match part:
            case {"text": text}:
                self.must(bool(text.strip()) or seal is not None or self.issued.knows(part), place, "empty text")
            case {"functionCall": call}:
                self.members(call, place, {"id": str, "name": str, "args": dict}, needed=("name",))
                self.pattern(call["name"], f"{place}.functionCall.name", _NAME)
            case {"functionResponse": response}:
                members = shape(id=str, name=str, response=dict, parts=list)
                self.members(response, place, members, needed=("name", "response"))
            case {"inlineData": data}:
                self.members(data, place, {"mimeType": str, "data": str}, needed=("mimeType", "data"))
                kind = data["mimeType"]
                is_taken = not kind.startswith("image/") or kind in _IMAGES
                self.must(is_taken, place, f"Unsupported MIME type: {kind}")
                self.base64(data["data"], place, most=_REQUEST_BYTES)
            case {"fileData": data}:
                self.members(data, place, {"mimeType": str, "fileUri": str}, needed=("fileUri",))

    def _pairs(self, contents: list[tuple[str, Any]]) -> None:
        """Each call is answered in the content that follows, by name and, if it has one, by id (G02, G17)."""
        calls: list[dict[str, Any]] = []
        for place, content in contents:
            found = _all(content, "functionResponse")
            self.must(
                len(found) == len(calls),
                place,
                "the number of function response parts must equal that of the function call parts of the turn before",
            )
            for call, response in zip(calls, found, strict=True):
                self.must(call["name"] == response["name"], place, "a function response names another function")
                self.must(response.get("id") in (None, call.get("id")), place, "a function response has a foreign id")
            calls = _all(content, "functionCall")
            self.must(not (calls and content["role"] == "user"), place, "only the model calls functions")
            self.must(not (found and content["role"] == "model"), place, "only the user answers calls")
        self.must(not calls, "contents", "the last calls have no function response")

    def _signatures(self, contents: list[tuple[str, Any]]) -> None:
        """In the turn that still runs, the first call of each step must be signed (G01), as far as it was."""
        start = max(
            (
                index
                for index, (_, content) in enumerate(contents)
                if content["role"] == "user" and any("functionResponse" not in part for part in content["parts"])
            ),
            default=0,
        )
        for place, content in contents[start:]:
            first = next((part for part in content["parts"] if "functionCall" in part), None)
            is_signed = first is None or "thoughtSignature" in first or self._is_of_unsigned(first)
            self.must(is_signed, place, "Function call is missing a thought_signature")

    def _is_of_unsigned(self, part: dict[str, Any]) -> bool:
        """Whether the part is a call that was given out without a signature; its arguments may have been mended."""
        unsigned = [known["functionCall"]["name"] for known in self.issued.blocks if "functionCall" in known]
        return part["functionCall"]["name"] in unsigned

    def _generation(self, generation: Any) -> None:
        self.members(generation, "generationConfig", _GENERATION)
        self.must(0 <= generation.get("temperature", 0) <= 2, "temperature", "must be in the range [0, 2]")
        members = shape(includeThoughts=bool, thinkingBudget=int, thinkingLevel=str)
        thinking = self.members(generation.get("thinkingConfig", {}), "thinkingConfig", members)
        both = {"thinkingBudget", "thinkingLevel"} <= thinking.keys()
        self.must(not both, "thinkingConfig", "You can only set only one of thinking budget and thinking level.")
        level = thinking.get("thinkingLevel", "LOW")
        self.word(level, "thinkingConfig.thinkingLevel", ("MINIMAL", "LOW", "MEDIUM", "HIGH"))
        has_schema = {"responseSchema", "responseJsonSchema"} & generation.keys()
        is_json = generation.get("responseMimeType") == "application/json"
        self.must(not has_schema or is_json, "generationConfig", "a schema needs the type application/json")

    def _tools(self, body: dict[str, Any]) -> None:
        members = shape(
            name=str,
            description=str,
            parameters=dict,
            parametersJsonSchema=dict,
            response=dict,
        )
        names = []
        for place, tool in self.items(body.get("tools", []), "tools", least=0):
            self.members(tool, place, {"functionDeclarations": list, "googleSearch": dict, "codeExecution": dict})
            for inner, one in self.items(tool.get("functionDeclarations", []), place, least=0):
                self.members(one, inner, members, needed=("name", "description"))
                self.pattern(one["name"], inner, _NAME)
                both = {"parameters", "parametersJsonSchema"} <= one.keys()
                self.must(not both, inner, "parameters and parametersJsonSchema exclude each other")
                names.append(one["name"])
        self.must(len(set(names)) == len(names), "tools", "Duplicate function declaration found")
        members = shape(functionCallingConfig=dict, includeServerSideToolInvocations=bool)
        config = self.members(body.get("toolConfig", {}), "toolConfig", members)
        members = shape(mode=str, allowedFunctionNames=list)
        calling = self.members(config.get("functionCallingConfig", {}), "functionCallingConfig", members)
        self.word(calling.get("mode", "AUTO"), "mode", ("AUTO", "ANY", "NONE", "VALIDATED"))
        if "allowedFunctionNames" in calling:
            self.word(calling.get("mode"), "allowedFunctionNames", ("ANY", "VALIDATED"))
            self.must(set(calling["allowedFunctionNames"]) <= set(names), "allowedFunctionNames", "not declared")


def _all(content: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [part[kind] for part in content["parts"] if kind in part]


def _as_given(part: Any) -> Any:
    """A call without arguments is one with none (G14)."""
    if "functionCall" not in part:
        return part
    return {**part, "functionCall": {"args": {}, **part["functionCall"]}}
