"""Texts as Markdown that nothing inside them can break out of."""

from __future__ import annotations


def fenced(text: str, language: str) -> str:
    """``text`` as a Markdown code fence that nothing inside it can close."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text}\n{fence}"
