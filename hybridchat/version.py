"""The release this checkout is, in one place: `pyproject.toml` and the site read it from here."""

__version__ = "0.2.0.dev0"
