"""Where the fuzzer begins: small bodies of a format, as its servers write them."""

from __future__ import annotations

from tests.contract.dialects.abstract import ANSWERS, Writer


def inputs(writer: Writer) -> list[bytes]:
    """Bodies of streams, documents and errors, each behind the byte that says what is done with it."""
    answers = [answer for answer in ANSWERS.values() if writer.refuses or not answer.is_refusal]
    streams = [writer.stream(answer).body for answer in answers]
    documents = [writer.document(answer) for answer in answers]
    failed = [streams[0][: len(streams[0]) // 2] + writer.overloaded(), writer.overloaded()]
    rejected = [b"\xff" + each.body for each in (*writer.rejections(), writer.overflow())]
    # explained, sent back, in reads of seven bytes
    return [b"\x1f" + body for body in (*streams, *documents, *failed)] + rejected
