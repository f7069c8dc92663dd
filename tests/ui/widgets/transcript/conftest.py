"""A transcript on the screen."""

import pytest
from PySide6.QtWidgets import QApplication

from agdesk.ui.theme import apply_theme
from agdesk.ui.widgets.transcript import VirtualTranscript


@pytest.fixture
def transcript(qapp, qtbot) -> VirtualTranscript:
    apply_theme(qapp, "light")
    transcript = VirtualTranscript()
    qtbot.addWidget(transcript)
    transcript.resize(700, 500)
    transcript.show()
    transcript.activateWindow()
    QApplication.processEvents()
    return transcript
