"""Where a growing text is cut, and what stays open."""

from agdesk.ui.widgets.markdown import CodeSegment, MarkdownSplitter, TextSegment
from agdesk.ui.widgets.markdown.segment_list import SEGMENT_WEIGHT
from agdesk.ui.widgets.markdown.splitter import OPEN_WEIGHT


def split(*pieces: str, is_finished: bool = True) -> MarkdownSplitter:
    splitter = MarkdownSplitter()
    for piece in pieces:
        splitter.feed(piece)
    if is_finished:
        splitter.finish()
    return splitter


def test_the_last_block_stays_open_until_the_next_one_begins():
    splitter = split("one\n\ntwo\nthr", is_finished=False)
    (segment,) = splitter.segments
    assert isinstance(segment, TextSegment)
    assert [chunk.source for chunk in segment.chunks] == ["one\n\n"]
    assert segment.tail is not None
    assert segment.tail.source == "two\nthr"
    assert not segment.is_closed


def test_the_last_item_of_a_list_stays_open():
    (segment,) = split("3. a\n4. b\n5. c", is_finished=False).segments
    assert isinstance(segment, TextSegment)
    assert [(chunk.source, chunk.number) for chunk in segment.chunks] == [("3. a\n", 3)]
    assert segment.tail is not None
    assert (segment.tail.source, segment.tail.number) == ("4. b\n5. c", 4)


def test_a_fence_is_a_segment_of_its_own():
    splitter = split("before\n\n```py title=x\ncode\n\nmore\n```\nafter")
    kinds = [type(segment).__name__ for segment in splitter.segments]
    assert kinds == ["TextSegment", "CodeSegment", "TextSegment"]
    code = splitter.segments[1]
    assert isinstance(code, CodeSegment)
    assert code.fence.language == "py"
    assert code.fence.text == "code\n\nmore"
    assert code.is_first and code.is_last and code.is_closed


def test_the_unfinished_line_of_code_is_kept_apart():
    splitter = split("```\none\ntw", is_finished=False)
    code = splitter.segments[-1]
    assert isinstance(code, CodeSegment)
    assert (code.text, code.partial) == ("one\n", "tw")
    splitter.feed("o\n")
    assert (code.text, code.partial) == ("one\ntwo\n", "")


def test_a_line_that_may_close_the_fence_is_not_shown_as_code():
    splitter = split("```\none\n``", is_finished=False)
    code = splitter.segments[-1]
    assert isinstance(code, CodeSegment)
    assert code.partial == ""
    splitter.feed("x\n")
    assert code.text == "one\n``x\n"


def test_a_line_that_may_open_a_fence_is_not_shown_as_text():
    (segment,) = split("para\n\n``", is_finished=False).segments
    assert isinstance(segment, TextSegment)
    assert segment.tail is None or "`" not in segment.tail.source


def test_an_unclosed_fence_ends_with_the_text():
    code = split("```py\nx = 1").segments[-1]
    assert isinstance(code, CodeSegment)
    assert code.fence.text == "x = 1"
    assert code.is_last and code.is_closed


def test_code_over_several_segments_is_one_fence():
    source = "".join(f"line {number}\n" for number in range(1000))
    splitter = split(f"```\n{source}```\n")
    codes = [segment for segment in splitter.segments if isinstance(segment, CodeSegment)]
    assert len(codes) > 3
    assert {id(segment.fence) for segment in codes} == {id(codes[0].fence)}
    assert codes[0].fence.text == source.removesuffix("\n")
    assert [segment.is_first for segment in codes] == [True] + [False] * (len(codes) - 1)
    assert [segment.is_last for segment in codes] == [False] * (len(codes) - 1) + [True]


def test_a_segment_is_closed_when_it_has_its_weight():
    splitter = split("word " * 20 + "\n\n", is_finished=False)
    while len(splitter.segments) == 1:
        splitter.feed("word " * 20 + "\n\n")
    closed = splitter.segments[0]
    assert closed.is_closed
    assert SEGMENT_WEIGHT <= closed.weight < SEGMENT_WEIGHT + 400


def test_the_open_text_never_outgrows_its_limit():
    splitter = split(is_finished=False)
    for _ in range(100):
        splitter.feed("endless " * 40)
        (*_, last) = splitter.segments
        assert isinstance(last, TextSegment)
        assert last.tail is None or len(last.tail.source) <= OPEN_WEIGHT


def test_definitions_count_for_text_after_them():
    splitter = split("[a]: https://e.example\n\nsee [a]\n")
    assert list(splitter.references) == ["A"]
    assert not splitter.has_late_references


def test_definitions_after_their_use_are_noticed():
    assert split("see [a]\n\nmore\n\n[a]: https://e.example\n").has_late_references


def test_half_a_definition_is_not_taken_for_a_whole_one():
    splitter = split("x\n\n[a]: https://e.ex", "ample/long\n", "\ny\n")
    assert splitter.references["A"]["href"] == "https://e.example/long"


def test_a_carriage_return_at_the_end_of_a_piece_may_be_half_a_line_end():
    assert split("a\r", "\n\r", "\nb").segments[0].source == split("a\r\n\r\nb").segments[0].source == "a\n\nb"


def test_the_source_of_a_segment_is_its_markdown():
    text = "# Title\n\n1. *one*\n2. two\n\n| a |\n|---|\n| 1 |\n\n| a |\n|---|\n| 2 |\n\nend"
    (segment,) = split(text).segments
    assert isinstance(segment, TextSegment)
    assert segment.source == text
    segment.compact()
    assert segment.source == text


def test_the_source_of_a_resumed_segment_leaves_out_what_was_repeated():
    text = "- top\n" + "  - nested item here\n" * 600
    sources = [segment.source for segment in split(text).segments if isinstance(segment, TextSegment)]
    assert len(sources) > 1
    assert "\n".join(sources) == text.rstrip("\n")


def test_a_text_without_content_has_no_segments():
    assert split("").segments == []
    assert split("\n \n").segments == []


def starts(text: str) -> list[str]:
    return [segment.start for segment in split(text).segments if isinstance(segment, TextSegment)]


def test_a_segment_knows_how_it_follows_the_one_before():
    assert starts("- item\n" * 400)[:3] == ["block", "item", "item"]
    assert starts("word " * 4000)[:3] == ["block", "line", "line"]
    assert starts("paragraph\n\n" * 400)[:3] == ["block", "block", "block"]
    assert starts("- item\n" * 400 + "\n```\nx\n```\nafter")[-1] == "block"
