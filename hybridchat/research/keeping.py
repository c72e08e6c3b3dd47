"""Keeping what evaluations and benchmarks found, where `--keep` asks for it."""

from __future__ import annotations

import getpass
import json
from pathlib import Path
from typing import Any

from django.conf import settings

from hybridchat.research.replay.services import keep


def keep_report(kind: str, options: dict[str, Any], report: Any) -> None:
    """Keep the report of a command under the name of its set, and of the file where another set was given."""
    if not options["keep"]:
        return
    source = f" {Path(options['source']).name}" if options.get("source") else ""
    limit = f" first {options['limit']}" if options.get("limit") and kind == "evaluate" else ""
    language = options["language"] or settings.LANGUAGE_BACKEND
    whole = json.loads(json.dumps(report, default=str))
    system = options.get("system") or "suql"
    keep(kind, f"{options['what']}{source}{limit}", f"{getpass.getuser()} (terminal)", language, whole, system)
