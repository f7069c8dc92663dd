"""Any JSON value and any schema, for property tests."""

from hypothesis import strategies as st

TRAPS = (
    "",
    "a",
    "а",  # Cyrillic
    "\u202eevil",
    "zero\u200bwidth",
    "half \ud83d",
    "\udc00",
    "é",
    "e\u0301",
    "nul\0",
    "line\r\nfeed\u2028and\u2029and\x85",
    "no\u00a0break\u3000space",
    "\ufdd0\ufffc\ufeff",
    "tab\tand\nlines\n",
    "  blanks  ",
    '"quoted\\"',
    "‹U+202E›",
    "\U0001f600\ufe0f\U000e0041",
)
TEXTS = st.sampled_from(TRAPS) | st.text(max_size=12) | st.text(st.characters(codec=None, categories=None), max_size=8)
NUMBERS = (
    st.integers()
    | st.sampled_from([10**400, -(10**40), 2**63, 0, -0.0, 1e22, 1e-320, 1.0, 5e-324, 1.7976931348623157e308])
    | st.floats(allow_nan=False)  # infinity is what Python reads 1e400 as
)
SCALARS = st.none() | st.booleans() | NUMBERS | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
NAMES = st.sampled_from(["a", "path", "é", "", "odd key", "b"])
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object", "nonsense"])


def _schema(inner):
    return st.fixed_dictionaries(
        {},
        optional={
            "type": TYPES | st.lists(TYPES, max_size=2),
            "properties": st.dictionaries(NAMES, inner, max_size=3),
            "items": inner,
            "required": st.lists(NAMES, max_size=2),
            "enum": st.lists(SCALARS, max_size=3),
            "const": SCALARS,
            "anyOf": st.lists(inner, max_size=2),
            "default": SCALARS,
            "description": TEXTS,
            "$ref": st.sampled_from(["#/properties/a", "#", "#/nowhere", "elsewhere"]),
        },
    )


SCHEMAS = st.recursive(st.booleans() | st.none() | _schema(st.just({"type": "string"})), _schema, max_leaves=6)


def nested(depth):
    """Arrays and objects in each other."""
    value: object = "at the bottom"
    for level in range(depth):
        value = {"in": value} if level % 2 else [value]
    return value
