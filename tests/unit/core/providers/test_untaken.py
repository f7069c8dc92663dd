"""What a model cannot take is known before anything is sent (CHAT7)."""

import dataclasses

import pytest

from agdesk.core.ir.blocks import Audio, BlobRef, File, Image, Text
from agdesk.core.providers.base import ModelInfo, ProviderFeatures
from agdesk.core.providers.presets import shipped_endpoints
from agdesk.core.providers.registry import wire_format
from agdesk.core.providers.untaken import Untaken, untaken

REFERENCE = BlobRef("0" * 64, 3)
IMAGE = Image(REFERENCE, "image/png", "a.png")
HEIC = Image(REFERENCE, "image/heic", "a.heic")
AUDIO = Audio(REFERENCE, "audio/wav", "a.wav")
PDF = File(REFERENCE, "application/pdf", "a.pdf")
TEXT = File(REFERENCE, "text/plain", "a.txt")
ALL = (IMAGE, HEIC, AUDIO, PDF, TEXT)


def refused(row, *blocks, **features):
    endpoint = shipped_endpoints()[row]
    model = ModelInfo("m", "m", ProviderFeatures(**features))
    return untaken(blocks, wire=wire_format(endpoint.wire), endpoint=endpoint, model=model)


@pytest.mark.parametrize(
    ("row", "missing"),
    [
        ("openai", {HEIC}),
        ("anthropic", {HEIC, AUDIO}),
        ("gemini", set()),
        ("ollama", {AUDIO, PDF}),
    ],
)
def test_every_format_says_what_it_leaves_out(row, missing):
    assert {ALL[item.index] for item in refused(row, *ALL)} == missing
    assert not any(item.is_of_model for item in refused(row, *ALL))


def test_what_a_model_is_known_not_to_take_comes_before_its_format():
    assert refused("gemini", Text("a"), IMAGE, AUDIO, vision=False, audio_input=False) == (
        Untaken(1, is_of_model=True),
        Untaken(2, is_of_model=True),
    )
    assert refused("gemini", IMAGE, AUDIO, vision=None) == ()


def test_every_shipped_row_takes_a_text_file():
    for row in shipped_endpoints():
        assert refused(row, TEXT) == (), row


def test_each_of_the_same_kind_is_named():
    pdfs = tuple(dataclasses.replace(PDF, name=f"{number}.pdf") for number in range(3))
    assert [item.index for item in refused("ollama", *pdfs)] == [0, 1, 2]
