"""A rendering as text: as it is read, as its body is copied, as a command line. A long one belongs on a thread."""

from __future__ import annotations

import json
import re

from PySide6.QtCore import QCoreApplication

from agdesk.core.providers.rendering import Rendering
from agdesk.core.trace.curl import curl_command
from agdesk.core.trace.wire import RequestSent

translate = QCoreApplication.translate

_LEAST = 512  # characters that are worth leaving out
_BASE64 = re.compile(rf'"(data:[^",]{{0,200}};base64,)?([A-Za-z0-9+/_-]{{{_LEAST},}}={{0,2}})"')


def shown_text(rendering: Rendering) -> str:
    """First line, headers and body, as the inspector shows a request; base64 is told by its size."""
    headers = "\n".join(f"{name}: {value}" for name, value in rendering.headers)
    # line by line: a long text at once would hold up the loop, and no string of JSON is longer than its line
    body = "\n".join(
        _BASE64.sub(_told, line) if len(line) > _LEAST else line for line in body_text(rendering).split("\n")
    )
    return f"{rendering.method} {rendering.url}\n\n{headers}\n\n{body}"


def body_text(rendering: Rendering) -> str:
    """The body, whole, as it is read."""
    return json.dumps(rendering.body, ensure_ascii=False, indent=2)


def curl_text(rendering: Rendering) -> str:
    """A command line that sends the request, with the key as a variable of the shell."""
    request = RequestSent(rendering.method, rendering.url, rendering.headers, None)
    body = json.dumps(rendering.body, ensure_ascii=False, separators=(",", ":"))
    return curl_command(request, body.encode("utf-8", "replace"), variable=rendering.key_env)


def _told(match: re.Match[str]) -> str:
    size = translate("ReceivedDocument", "{size} kB of base64").format(size=f"{len(match[2]) / 1000:.1f}")
    return f'"{match[1] or ""}… {size}"'
