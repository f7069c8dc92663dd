"""What must not load before the first paint (PERF5)."""

import subprocess
import sys

CHECK = """
import sys
from PySide6.QtWidgets import QApplication
app = QApplication([])
from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.composer import Composer
from agdesk.ui.widgets.empty_state import EmptyState
from agdesk.ui.widgets.markdown import warm_up
from agdesk.ui.widgets.transcript import BlockView, MessageView, VirtualTranscript
apply_theme(app, "light")
widgets = [VirtualTranscript(), Composer(), EmptyState("a", "b")]
for widget in widgets:
    widget.show()
widgets[0].append_message(MessageView("u", "user", "You"))
widgets[0].replace_message("u", (BlockView("text", "hello"),))
app.processEvents()
heavy = {"markdown_it", "pygments"}
assert not heavy & set(sys.modules), "loaded too early"
assert not any(name.startswith("agdesk.core") for name in sys.modules), "widgets know nothing of the core"
warm_up()
assert heavy <= set(sys.modules)
"""


def test_widgets_load_neither_markdown_nor_pygments_nor_the_core_before_they_are_needed():
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
