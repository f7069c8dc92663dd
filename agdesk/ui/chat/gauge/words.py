"""The words and figures of the context gauge; estimated has ~, unknown is "unknown" (UI.md, Words)."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from agdesk.core.cycle.gauge import Level, Reading

translate = QCoreApplication.translate

THIN_SPACE = "\u2009"


def count(value: int) -> str:
    """A number with thin spaces between its thousands."""
    return f"{value:,}".replace(",", THIN_SPACE)


def percent(share: float) -> str:
    """A share of one: ``34 %``; what is more than nothing is not 0."""
    text = "<1" if 0 < share < 0.01 else f"{share * 100:.0f}"
    return f"{text}{THIN_SPACE}%"


def total_text(reading: Reading) -> str:
    """All of it: ``~8 120 tokens``."""
    mark = "~" if reading.added_estimate_tokens else ""
    return translate("GaugeWords", "{count} tokens").format(count=mark + count(reading.total_tokens))


def short_text(reading: Reading) -> str:
    """What stands in the header: ``34 %``, with a word where it is worth one; the count if the window is unknown."""
    if (share := reading.share) is None:
        return total_text(reading)
    word = level_word(reading)
    return f"{percent(share)} {word}" if word else percent(share)


def level_word(reading: Reading) -> str:
    """How full the window is, in a word or two; empty while there is room."""
    if reading.share is not None and reading.share > 1:
        return translate("GaugeWords", "too long")
    match reading.level:
        case Level.DANGER:
            return translate("GaugeWords", "nearly full")
        case Level.WARNING:
            return translate("GaugeWords", "filling up")
        case _:
            return ""


def level_sentence(reading: Reading) -> str:
    """What that means for the next message; empty while there is room."""
    if reading.share is not None and reading.share > 1:
        return translate("GaugeWords", "The next request is longer than the model takes: it is likely to be refused.")
    match reading.level:
        case Level.DANGER:
            return translate("GaugeWords", "The window is nearly full: there is hardly room for an answer.")
        case Level.WARNING:
            return translate("GaugeWords", "The window is filling up: long answers may be cut off.")
        case _:
            return ""


def whole_text(reading: Reading) -> str:
    """The total and the window in one line: ``~43 520 of 128 000 tokens · 34 %``."""
    if reading.window_tokens is None or reading.share is None:
        return translate("GaugeWords", "{total}, window unknown").format(total=total_text(reading))
    mark = "~" if reading.added_estimate_tokens else ""
    text = translate("GaugeWords", "{count} of {window} tokens").format(
        count=mark + count(reading.total_tokens), window=count(reading.window_tokens)
    )
    return f"{text} · {percent(reading.share)}"


def reported_text(reading: Reading) -> str:
    """The part that was reported, and by whom."""
    if reading.reported_tokens is None:
        return translate("GaugeWords", "Reported: nothing yet; no answer of this branch told its tokens.")
    return translate("GaugeWords", "Reported: {count}, the last input and answer of {model}.").format(
        count=count(reading.reported_tokens), model=reading.reported_by
    )


def estimated_text(reading: Reading) -> str:
    """The part that is estimated: both numbers, and where the ratio between them comes from."""
    source = (
        translate("GaugeWords", "measured on the model's last two answers")
        if reading.is_ratio_measured
        else translate("GaugeWords", "assumed until two answers of the model have told")
    )
    if reading.reported_tokens is None:
        text = translate("GaugeWords", "Estimated: ~{tokens}, by the table {estimate} × {ratio}, {source}.")
    else:
        text = translate("GaugeWords", "Since then, estimated: ~{tokens}, by the table {estimate} × {ratio}, {source}.")
    return text.format(
        tokens=signed(reading.added_tokens),
        estimate=signed(reading.added_estimate_tokens),
        ratio=f"{reading.ratio:.2f}",
        source=source,
    )


def window_text(reading: Reading, source: str) -> str:
    """The model's window and who says so."""
    if reading.window_tokens is None:
        return translate("GaugeWords", "Window: unknown. It can be entered in the table of models.")
    return translate("GaugeWords", "Window: {count} tokens ({source}).").format(
        count=count(reading.window_tokens), source=source
    )


def part_names() -> tuple[str, ...]:
    """The names of ``Parts``, in its order."""
    return (
        translate("GaugeWords", "System prompt"),
        translate("GaugeWords", "Tools"),
        translate("GaugeWords", "Text of the conversation"),
        translate("GaugeWords", "Thinking"),
        translate("GaugeWords", "Calls and results"),
        translate("GaugeWords", "Attachments"),
        translate("GaugeWords", "Draft"),
    )


def signed(value: int) -> str:
    """A number with its sign if it is negative."""
    return f"\u2212{count(-value)}" if value < 0 else count(value)
