"""How much of the context a conversation takes: reported, and estimated since (CHAT12, COMP8)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agdesk.core.cycle.context_ledger import ContextLedger
from agdesk.core.cycle.gauge import Parts
from agdesk.core.ir.blocks import Image, Text, Thinking, Url
from agdesk.core.ir.messages import Assistant, user
from agdesk.core.ir.request import ToolDefinition
from agdesk.core.ir.response import CompletionTokensDetails, EndCause, MessageResponse, StopReason, Usage
from agdesk.core.ir.tokens import estimate_text_tokens, estimate_tools_tokens
from agdesk.core.ir.tree import ConversationTree
from agdesk.core.trace.branches import follow
from agdesk.core.trace.events import BranchSelected, ResponseReceived, TraceRecord, TurnStarted

MODEL, OTHER = "p/m", "p/other"


class Talk:
    """Records of a conversation, taken in by its tree and its ledger."""

    def __init__(self):
        self.tree = ConversationTree()
        self.ledger = ContextLedger(self.tree)
        self.records = []
        self.turns = 0

    def note(self, payload, *, request_id=""):
        turn_id = f"t{self.turns}"
        record = TraceRecord(len(self.records) + 1, 0, "s", turn_id, request_id, payload)
        self.records.append(record)
        follow(self.tree, record, model_ref=MODEL)
        self.ledger.take(record)

    def ask(self, text, *, model_ref=MODEL):
        self.turns += 1
        self.note(TurnStarted(user(text), model_ref))

    def answer(self, *content, usage=None, sent=None, cause=EndCause.SERVER):
        blocks = tuple(Text(part) if isinstance(part, str) else part for part in content)
        response = MessageResponse("i", "m", Assistant(blocks), usage or Usage(), StopReason.END_TURN)
        self.note(ResponseReceived(response, cause, sent_estimate_tokens=sent), request_id=f"r{self.turns}")

    def read(self, model_ref=MODEL, **setup):
        return self.ledger.reading(model_ref=model_ref, **setup)


def estimate(*texts):
    return sum(estimate_text_tokens(text) for text in texts)


def test_an_empty_conversation_takes_nothing():
    reading = Talk().read(window_tokens=1000)
    assert (reading.total_tokens, reading.reported_tokens, reading.share) == (0, None, 0.0)


def test_without_a_report_all_of_it_is_estimated_at_a_quarter():
    talk = Talk()
    talk.ask("x" * 300)
    reading = talk.read(system_prompt="y" * 300, draft=(Text("z" * 300),))
    assert (reading.ratio, reading.is_ratio_measured) == (0.25, False)
    assert reading.added_estimate_tokens == 3 * estimate("x" * 300)
    assert reading.parts == Parts(system=100, text=100, draft=100)
    assert (reading.reported_tokens, reading.reported_by) == (None, "")


def test_the_last_report_and_the_unsent_tail_are_the_total():
    talk = Talk()
    talk.ask("question")
    talk.answer("answer", usage=Usage(1000, 200), sent=estimate("question"))
    assert talk.read().total_tokens == 1200
    assert talk.read().added_estimate_tokens == 0
    talk.ask("x" * 300)
    reading = talk.read(draft=(Text("z" * 150),))
    assert (reading.reported_tokens, reading.reported_by) == (1200, MODEL)
    assert reading.added_tokens == 150 and reading.total_tokens == 1350
    assert reading.added_estimate_tokens == estimate("x" * 300, "z" * 150)
    assert reading.parts.draft == 50


def test_thinking_that_is_not_given_away_is_not_sent_again():
    hidden, shown = Talk(), Talk()
    usage = Usage(100, 60, completion_tokens_details=CompletionTokensDetails(50))
    for talk, content in ((hidden, ("a",)), (shown, (Thinking("why"), "a"))):
        talk.ask("q")
        talk.answer(*content, usage=usage, sent=estimate("q"))
    assert (hidden.read().total_tokens, shown.read().total_tokens) == (110, 160)


def test_an_answer_whose_output_was_not_told_is_part_of_the_tail():
    talk = Talk()
    talk.ask("q")
    talk.answer("x" * 300, usage=Usage(100), sent=estimate("q"))
    reading = talk.read()
    assert (reading.reported_tokens, reading.added_tokens) == (100, 100)


@pytest.mark.parametrize(
    ("reported", "ratio"),
    [(200, 0.1), (1000, 0.5), (1600, 0.8), (9000, 1.0), (20, 0.1), (-50, 0.1)],
)
def test_the_ratio_is_reported_growth_over_estimated_growth_within_its_bounds(reported, ratio):
    talk = Talk()
    talk.ask("q")
    talk.answer("a", usage=Usage(5000, 5), sent=1000)
    assert not talk.read().is_ratio_measured
    talk.ask("q")
    talk.answer("a", usage=Usage(5000 + reported, 5), sent=3000)
    reading = talk.read()
    assert reading.ratio == pytest.approx(ratio)
    assert reading.is_ratio_measured


def test_a_ratio_is_of_one_model_and_the_report_of_the_last_one():
    talk = Talk()
    for model_ref, tokens, sent in ((MODEL, 100, 400), (OTHER, 500, 800), (MODEL, 500, 1200)):
        talk.ask("q", model_ref=model_ref)
        talk.answer("a", usage=Usage(tokens, 1), sent=sent)
    assert talk.read(MODEL).ratio == pytest.approx(0.5)
    other = talk.read(OTHER)
    assert (other.ratio, other.is_ratio_measured, other.reported_by) == (0.25, False, MODEL)


def test_nothing_grown_by_the_estimate_tells_no_ratio():
    talk = Talk()
    for tokens in (100, 900):
        talk.ask("q")
        talk.answer("a", usage=Usage(tokens, 1), sent=1000)
    assert talk.read().is_ratio_measured is False


def test_a_system_prompt_that_came_or_went_since_the_report_counts():
    talk = Talk()
    prompt = "y" * 300
    talk.ask("q")
    talk.answer("a", usage=Usage(1000, 1), sent=estimate("q", prompt))
    assert talk.read(system_prompt=prompt).total_tokens == 1001
    gone = talk.read()
    assert (gone.added_estimate_tokens, gone.added_tokens) == (-400, -100)
    assert talk.read(system_prompt=prompt * 2).added_tokens == 100
    tool = ToolDefinition("find", "Finds", {"type": "object"})
    with_tool = talk.read(system_prompt=prompt, tools=(tool,))
    assert with_tool.added_estimate_tokens == estimate_tools_tokens((tool,)) > 0
    assert with_tool.parts.tools > 0


def test_what_an_older_agdesk_stored_is_measured_by_its_messages():
    talk = Talk()
    talk.ask("x" * 300)
    talk.answer("a" * 300, usage=Usage(110, 100))
    talk.ask("x" * 300)
    talk.answer("a", usage=Usage(110 + 320, 5))
    assert talk.read(system_prompt="anything").ratio == pytest.approx(320 / 800)
    assert talk.read(system_prompt="anything").added_estimate_tokens == 0


def test_another_branch_has_its_own_report():
    talk = Talk()
    talk.ask("q")
    talk.answer("a", usage=Usage(100, 10), sent=estimate("q"))
    first = talk.tree.leaf_id
    talk.ask("more")
    talk.answer("b", usage=Usage(500, 50), sent=estimate("q", "a", "more"))
    second = talk.tree.leaf_id
    assert talk.read().reported_tokens == 550
    talk.note(BranchSelected(first))
    assert (talk.read().reported_tokens, talk.read().added_tokens) == (110, 0)
    talk.note(BranchSelected(second))
    assert talk.read().reported_tokens == 550


def test_an_answer_that_the_user_wrote_reports_nothing():
    talk = Talk()
    talk.ask("q")
    talk.answer("x" * 300, cause=EndCause.EDITED)
    assert talk.read().reported_tokens is None
    assert talk.read().parts.text == round(0.25 * estimate("q", "x" * 300))


def test_an_attachment_in_the_draft_is_no_text():
    image = Image(Url("https://example.org/x"), "image/png")
    parts = Talk().read(draft=(Text("x" * 300), image)).parts
    assert parts.draft == 100 and parts.attachments == 21


steps = st.tuples(
    st.text(max_size=40),
    st.text(max_size=40),
    st.none() | st.integers(0, 10**6),
    st.none() | st.integers(0, 10**5),
    st.none() | st.integers(0, 10**6),
    st.sampled_from([MODEL, OTHER]),
)


@given(st.lists(steps, max_size=5), st.text(max_size=60), st.text(max_size=60), st.none() | st.integers(1, 10**6))
def test_the_parts_sum_to_the_total_and_are_never_negative(turns, prompt, draft, window):
    talk = Talk()
    for question, answer, tokens_in, tokens_out, sent, model_ref in turns:
        talk.ask(question, model_ref=model_ref)
        talk.answer(answer, Thinking(answer), usage=Usage(tokens_in, tokens_out), sent=sent)
    reading = talk.read(system_prompt=prompt, draft=(Text(draft),), window_tokens=window)
    assert min(reading.parts) >= 0
    assert sum(reading.parts) == reading.total_tokens == (reading.reported_tokens or 0) + reading.added_tokens
    assert 0.1 <= reading.ratio <= 1
    again = Talk()
    again.tree, again.ledger = talk.tree, ContextLedger(talk.tree)
    for record in talk.records:
        again.ledger.take(record)
    assert again.read(system_prompt=prompt, draft=(Text(draft),), window_tokens=window) == reading
