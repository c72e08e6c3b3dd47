"""Random specifications, as the formats and the linter may meet them."""

from __future__ import annotations

from hypothesis import strategies as st

from agent.worksheets.specification import (
    Basic,
    EnumValue,
    Field,
    FieldKind,
    FieldType,
    Specification,
    Worksheet,
    WorksheetKind,
)

_NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,11}", fullmatch=True)
_CHARACTERS = st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Cn", "Co"))
_TEXTS = st.one_of(
    st.just(""),
    st.text(_CHARACTERS, max_size=20).map(str.strip),
    st.lists(st.text(_CHARACTERS, min_size=1, max_size=10).map(str.strip), min_size=2, max_size=3).map(
        lambda lines: "\n".join(lines).strip()
    ),
    st.sampled_from(
        ['if self.confirm == False:\n    >say("no, or yes")\n    >exitws()', "=1+1", "TRUE", '"', "a;b,c\td"]
    ),
)
_FILLED = _TEXTS.filter(bool)


@st.composite
def _fields(draw: st.DrawFn) -> Field:
    name = draw(st.one_of(st.sampled_from([basic.value for basic in Basic]), _NAMES))
    known = {basic.value.lower(): basic.value for basic in Basic}
    aliases = ("string", "text", "integer", "number", "boolean")
    name = known.get(name.lower(), f"{name}_" if name.lower() in aliases else name)
    ask = draw(st.booleans())
    values = draw(st.lists(st.builds(EnumValue, value=_FILLED, description=_TEXTS), max_size=3))
    if name == "str":
        values = []  # a text with values to choose from is read as an Enum
    return Field(
        name=draw(_NAMES),
        type=FieldType(name=name, many=draw(st.booleans())),
        kind=draw(st.sampled_from(FieldKind)),
        primary=draw(st.booleans()),
        predicate=draw(_TEXTS),
        title=draw(_TEXTS),
        description=draw(_TEXTS),
        question=draw(_TEXTS),
        reason=draw(_TEXTS),
        enum_values=tuple(values),
        ask=ask,
        required=ask and draw(st.booleans()),
        confirm=draw(st.booleans()),
        validation=draw(_TEXTS),
        refusal=draw(_TEXTS),
        actions=draw(_TEXTS),
    )


_WORKSHEETS = st.builds(
    Worksheet,
    name=_NAMES,
    kind=st.sampled_from(WorksheetKind),
    predicate=_TEXTS,
    description=_TEXTS,
    title=_TEXTS,
    verb=_TEXTS,
    table=_TEXTS,
    backend=_TEXTS,
    actions=_TEXTS,
    fields=st.lists(_fields(), max_size=4).map(tuple),
)


def specifications() -> st.SearchStrategy[Specification]:
    """Specifications of any content: what they declare need make no sense."""
    return st.builds(
        Specification,
        name=st.just("anything"),
        title=_TEXTS,
        worksheets=st.lists(_WORKSHEETS, min_size=1, max_size=4).map(tuple),
    )


def without_rows(specification: Specification) -> Specification:
    """The specification without the rows it was read from."""
    worksheets = tuple(
        worksheet.model_copy(
            update={"row": 0, "fields": tuple(field.model_copy(update={"row": 0}) for field in worksheet.fields)}
        )
        for worksheet in specification.worksheets
    )
    return specification.model_copy(update={"worksheets": worksheets})
