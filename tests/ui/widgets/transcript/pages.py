"""Messages to put into a transcript, and what can be seen of them."""

from collections.abc import Iterator

from PySide6.QtWidgets import QApplication

from agdesk.ui.widgets.transcript import BlockView, MessageView, Role, VirtualTranscript
from agdesk.ui.widgets.transcript.pane import TextPane
from agdesk.ui.widgets.transcript.row_widget import RowWidget

MARKDOWN = """Some **bold** text with `code` and a [link](https://e.example/x).

1. one
2. two
   - three

| a | b |
|---|--:|
| 1 | 2 |

> a quote

```python
def f(x):
    return x + 1
```

The end.
"""


def add(transcript: VirtualTranscript, key: str, text: str, *, role: Role = "assistant") -> None:
    """A stored message."""
    transcript.append_message(MessageView(key, role, "You" if role == "user" else "model"))
    transcript.replace_message(key, (BlockView("text", text),))


def add_many(transcript: VirtualTranscript, count: int) -> None:
    """Pairs of questions and answers; every line says where it belongs."""
    for number in range(count):
        if number % 2:
            add(transcript, f"m{number}", f"answer {number}\n\n" + f"text of {number} " * 40 + "\n\n- a\n- b\n")
        else:
            add(transcript, f"m{number}", f"question {number}", role="user")
    settle()


def begin(transcript: VirtualTranscript, key: str = "live") -> None:
    """A live message with one open text block."""
    transcript.append_message(MessageView(key, "assistant", "model"))
    transcript.begin_block(key, 0, "text")


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def widgets(transcript: VirtualTranscript) -> list[RowWidget]:
    """The rows on the screen, as the viewport has them among its children."""
    return [child for child in transcript.viewport().children() if isinstance(child, RowWidget) and child.isVisible()]


def panes(transcript: VirtualTranscript) -> Iterator[TextPane]:
    for widget in widgets(transcript):
        if widget.pane is not None:
            yield widget.pane


def shown_text(transcript: VirtualTranscript) -> str:
    """Everything that is on the screen in documents."""
    return "\n".join(pane.toPlainText() for pane in panes(transcript))


def top_of(transcript: VirtualTranscript, text: str) -> int:
    """Where a document that starts with a text begins, from the top of the viewport."""
    (widget,) = [
        widget
        for widget in widgets(transcript)
        if widget.pane is not None and widget.pane.toPlainText().startswith(text)
    ]
    return widget.y()
