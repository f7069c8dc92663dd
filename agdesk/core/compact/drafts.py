"""One block on its way to a ``CompactItem``: what is decided, what that comes to, and a harder step if it must be."""

from __future__ import annotations

from agdesk.core.compact.markers import PRUNED_THINKING
from agdesk.core.compact.matrix import SMALL_CHARACTERS, TRUNCATED, decide_strategy, harder
from agdesk.core.compact.receipt import receipt
from agdesk.core.compact.skeleton import structured, truncated
from agdesk.core.compact.survey import Measured
from agdesk.core.compact.thoughts import is_sealed
from agdesk.core.errors import CompactError
from agdesk.core.ir.blocks import Thinking
from agdesk.core.ir.compaction import (
    CompactAction,
    CompactItem,
    Finding,
    Replace,
    Skip,
    SkipReason,
    Truncate,
    TruncateStructured,
)
from agdesk.core.ir.tokens import estimate_text_tokens


class Draft:
    """What becomes of one block, as far as it is decided.

    Args:
        measured: the block.
        is_pinned: whether the user holds it.
        choice: the user's action; None: what the table says.

    Raises:
        CompactError: a choice that keeps less than nothing.
    """

    def __init__(self, measured: Measured, *, is_pinned: bool, choice: CompactAction | None) -> None:
        if isinstance(choice, Truncate | TruncateStructured) and choice.keep < 0:
            raise CompactError(f"A block cannot be cut to {choice.keep} characters", "Keep 0 or more.")
        self.measured = measured
        self.stage = 1
        self.replacement: str | None = None
        self.skip_reason: SkipReason | None = None
        self.text_tokens = measured.text_tokens
        self.action: CompactAction = Skip()
        self.is_chosen = choice is not None and not is_pinned and measured.held is None
        if is_pinned:
            self.decided: CompactAction = Skip()
            self.skip_reason = SkipReason.PINNED
        elif measured.held is not None:
            self.decided = Skip()
            self.skip_reason = measured.held
        elif choice is not None:
            self.decided = choice
            self._carry_out(choice, SkipReason.CHOSEN)
        elif measured.left is not None:
            self.decided = Skip()
            self.skip_reason = measured.left
        else:
            size = len(measured.text)
            self.decided = _by_table(measured)
            self._carry_out(self.decided, SkipReason.SMALL if size <= SMALL_CHARACTERS else SkipReason.IMPORTANT)
        self._is_of_table = not is_pinned and choice is None and measured.held is None and measured.left is None

    @property
    def goes_with_others(self) -> bool:
        """Whether it is a thought that its maker signed: those of a message go together or stay together."""
        return isinstance(self.measured.block, Thinking) and is_sealed(self.measured.block)

    def keep(self, reason: SkipReason) -> None:
        """Takes back what was to be done."""
        self.action, self.replacement, self.skip_reason = Skip(), None, reason
        self.text_tokens = self.measured.text_tokens

    def step_down(self) -> int:
        """Stage 2: the next harder action that frees something; how many tokens of the estimate it frees, 0: none."""
        measured = self.measured
        if not self._is_of_table or measured.score is None:
            return 0
        before = (self.decided, self.action, self.replacement, self.skip_reason, self.text_tokens)
        action = harder(len(measured.text), measured.score, self.decided)
        while action is not None:
            self.decided = action
            self._carry_out(action, SkipReason.NOT_SHORTER)
            if (freed := before[-1] - self.text_tokens) > 0:
                self.stage = 2
                return freed
            action = harder(len(measured.text), measured.score, action)
        self.decided, self.action, self.replacement, self.skip_reason, self.text_tokens = before
        return 0

    def item(self) -> CompactItem:
        """The value."""
        measured, block = self.measured, self.measured.block
        is_thinking = isinstance(block, Thinking)
        return CompactItem(
            path=measured.path,
            tool="" if isinstance(block, Thinking) else block.name,
            tool_use_id="" if isinstance(block, Thinking) else block.tool_use_id,
            is_thinking=is_thinking,
            size=len(measured.text),
            score=measured.score,
            contributions=measured.contributions,
            decided=self.decided,
            action=self.action,
            stage=self.stage,
            is_chosen=self.is_chosen,
            replacement=self.replacement,
            skip_reason=self.skip_reason,
            estimate_before_tokens=measured.block_tokens,
            estimate_after_tokens=measured.block_tokens - measured.text_tokens + self.text_tokens,
        )

    def _carry_out(self, decided: CompactAction, reason: SkipReason) -> None:
        """Makes the replacement; ``reason``: why nothing is done if nothing was decided."""
        self.action, self.replacement, self.skip_reason = decided, None, None
        self.text_tokens = self.measured.text_tokens
        if isinstance(decided, Skip):
            self.skip_reason = reason
        elif self.goes_with_others:
            self._leave_out()
        else:
            self._write(self._text_for(decided))

    def _leave_out(self) -> None:
        if isinstance(self.action, Replace):
            self.replacement, self.text_tokens = "", 0
        else:
            self.keep(SkipReason.SIGNED)

    def _write(self, text: str) -> None:
        """Takes a replacement if it is shorter, in characters and not longer in tokens."""
        tokens = estimate_text_tokens(text)
        if len(text) < len(self.measured.text) and tokens <= self.measured.text_tokens:
            self.replacement, self.text_tokens = text, tokens
        else:
            self.keep(SkipReason.NOT_SHORTER)

    def _text_for(self, decided: CompactAction) -> str:
        measured = self.measured
        match decided:
            case Skip():
                return measured.text
            case Truncate(keep=keep):
                return truncated(measured.text, keep)
            case TruncateStructured(keep=keep):
                skeleton = structured(measured.document, size=len(measured.text), keep=keep)
                if skeleton is not None:
                    return skeleton
                self.action = TRUNCATED
                return truncated(measured.text, TRUNCATED.keep)
            case Replace():
                if isinstance(measured.block, Thinking):
                    return PRUNED_THINKING
                return receipt(
                    measured.text,
                    tool=measured.block.name,
                    call=measured.call,
                    is_error=any(one.finding is Finding.ERROR for one in measured.contributions),
                    document=measured.document,
                )


def _by_table(measured: Measured) -> CompactAction:
    """Thoughts have no score: long ones are replaced (docs/adr/0018)."""
    size = len(measured.text)
    if measured.score is None:
        return Skip() if size <= SMALL_CHARACTERS else Replace()
    return decide_strategy(size, measured.score)
