"""What STAR's wizards call what the policy does: `development/star_labels.toml`, which researchers may edit."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

from agent.language import ChatKind
from agent.worksheets.acts import Act, Effect

TABLE = Path(__file__).parent / "development" / "star_labels.toml"
NOTHING = "NOTHING"  # the policy does nothing at all
_KEY = re.compile(r"^(?P<act>[^\[]+)(?:\[(?P<values>[^\]]*)\])?$")


@dataclass(frozen=True)
class Labels:
    """The table of one task. Acts are named as in its file ("ASK Main.full_name")."""

    acts: Mapping[str, Sequence[str]]
    alike: Sequence[Sequence[str]]
    silent: Sequence[str]
    waits: Mapping[str, str]

    @classmethod
    def of(cls, task: str) -> Labels:
        """Raises KeyError for a task that the file does not have."""
        return cls(**tomllib.loads(TABLE.read_text(encoding="utf-8"))[task])

    def meant(self, label: str) -> str:
        """The act that a wizard's label is; a label that is none stands for itself."""
        low = label.lower()
        fitting = (act for act, patterns in self.acts.items() if any(fnmatchcase(low, one) for one in patterns))
        return next(fitting, low)

    def done(self, acts: Sequence[Act], effects: Sequence[Effect], chat: ChatKind | None) -> list[str]:
        """What the policy does in one turn, in order. Courtesies come first. Asking again because something was not
        understood is one act."""
        found = [f"SAID_{chat.value}"] if chat else []
        found += [self._named(f"RUN {effect.worksheet}", effect.values) for effect in effects]
        results = {effect.worksheet: {**effect.values, **effect.result} for effect in effects}
        for act in acts:
            values = {**act.values, **results.get(act.worksheet, {})}
            kind = act.act.value
            place = f"{act.worksheet}.{act.field}" if act.field else act.worksheet
            found.append(self._named(f"{kind} {place}".strip(), values))
        silent = {*self.silent, *(("CLARIFY",) if any(one.startswith("ASK") for one in found) else ())}
        return [one for one in found if one.split(" ")[0] not in silent] or [NOTHING]

    def matches(self, done: str, meant: str) -> bool:
        """Strictly: the same act, or one whose labels are the same ("simple_step" of either worksheet)."""
        return done == meant or (meant in self.acts and self.acts.get(done) == self.acts[meant])

    def alikes(self, done: str, meant: str) -> bool:
        """Leniently: acts that say the same."""
        return self.matches(done, meant) or any(done in group and meant in group for group in self.alike)

    def place(self, meant: str) -> tuple[str, str] | None:
        """The (worksheet, field) that the user's next message answers."""
        kind, _, place = meant.partition(" ")
        worksheet, _, field = self.waits.get(meant, place if kind == "ASK" else "").partition(".")
        return (worksheet, field) if field else None

    @cached_property
    def _keys(self) -> list[tuple[str, str, dict[str, str]]]:
        """The acts of the table with their conditions; those with more conditions first."""
        return sorted(self._read(), key=lambda key: -len(key[2]))

    def _read(self) -> Iterator[tuple[str, str, dict[str, str]]]:
        for key in self.acts:
            match = _KEY.match(key)
            if match is None:
                raise ValueError(f"{TABLE.name}: {key!r} is not an act, optionally with values in brackets.")
            pairs = (pair.partition("=") for pair in (match["values"] or "").split(",") if pair)
            yield key, match["act"], {name.strip(): value.strip() for name, _, value in pairs}

    def _named(self, act: str, values: Mapping[str, Any]) -> str:
        """An act as the table names it: with its values, with its field, by its kind alone, or as it is."""
        for name in (act, act.partition(" ")[0]):
            for key, known, conditions in self._keys:
                if known == name and all(json.dumps(values.get(one)) == value for one, value in conditions.items()):
                    return key
        return act
