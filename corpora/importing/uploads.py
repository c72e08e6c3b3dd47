"""How much may be uploaded in one request."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload


def most_bytes() -> int:
    """Return how many bytes a request may have."""
    return int(settings.UPLOAD_MEGABYTES) * 2**20


def too_large(size: int) -> str:
    """Return what is said of an upload that is too large."""
    return (
        f"The upload has {size / 2**20:,.0f} MB, and {settings.UPLOAD_MEGABYTES:,} MB at most are taken. Pack it as a "
        "zip or as Parquet, bring it in parts, or use manage.py import_corpus on the server."
    )


class BoundedUploads(FileUploadHandler):
    """Keeps no file of a request that is too large; what it says besides the files is read all the same."""

    _too_large = False

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803  Django calls it so
        content_length: int,
        boundary: bytes,
        encoding: str | None = None,
    ) -> None:
        self._too_large = content_length > most_bytes()

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self._too_large:
            raise StopUpload(connection_reset=False)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
