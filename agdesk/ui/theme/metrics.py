"""Sizes: spaces, radii, hit areas and type, in device-independent pixels, scaled by the user's factor."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Metrics:
    """Every size of the window for one size factor.

    Args:
        scale: the user's factor, 1.0 is normal.
    """

    scale: float = 1.0

    def px(self, size: float) -> int:
        """A size in pixels at normal scale, scaled; never below 1."""
        return max(1, round(size * self.scale))

    # spaces
    @property
    def space_4(self) -> int:
        return self.px(4)

    @property
    def space_8(self) -> int:
        return self.px(8)

    @property
    def space_12(self) -> int:
        return self.px(12)

    @property
    def space_16(self) -> int:
        return self.px(16)

    @property
    def space_24(self) -> int:
        return self.px(24)

    @property
    def space_32(self) -> int:
        return self.px(32)

    # shapes
    @property
    def radius(self) -> int:
        return self.px(6)

    @property
    def card_radius(self) -> int:
        return self.px(8)

    @property
    def focus_ring(self) -> int:
        return self.px(2)

    @property
    def hit_area(self) -> int:
        return self.px(28)

    @property
    def icon(self) -> int:
        return self.px(16)

    @property
    def text_column(self) -> int:
        """The widest a line of the transcript gets."""
        return self.px(760)

    # type
    @property
    def caption(self) -> int:
        return self.px(11)

    @property
    def body(self) -> int:
        return self.px(13)

    @property
    def code(self) -> int:
        return self.px(13)

    @property
    def transcript(self) -> int:
        return self.px(15)

    @property
    def title(self) -> int:
        return self.px(18)

    @property
    def empty_state(self) -> int:
        return self.px(22)

    @property
    def line_height(self) -> float:
        """Height of a line of the transcript: 1.5 times its type size."""
        return self.transcript * 1.5
