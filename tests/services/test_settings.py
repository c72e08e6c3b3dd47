"""Settings come from the environment, are documented, and are handed on by compose.yaml."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from hybridchat.services.folder import CHECKOUT

SOURCE = (CHECKOUT / "hybridchat" / "settings.py").read_text()
READ = set(re.findall(r'env\.\w+\(\s*"([A-Z_]+)"', SOURCE)) | {"HYBRIDCHAT_VAR"}
ONLY_ON_A_LAPTOP = {"DEBUG", "HYBRIDCHAT_VAR"}
COMPLETE = {
    "PRODUCTION": "1",
    "SECRET_KEY": "x" * 60,
    "ALLOWED_HOSTS": "chat.example.org",
    "DATABASE_URL": "postgresql://u:p@db:5432/chat",
    "REDIS_URL": "redis://redis:6379/0",
}


def load(tmp_path: Path, names: str, **variables: str) -> dict[str, object]:
    """The values of some settings in a process of its own with this environment and nothing else."""
    code = f"import json, hybridchat.settings as s; print(json.dumps({{n: getattr(s, n) for n in {names.split()!r}}}))"
    clean = {"PATH": os.environ["PATH"], "HYBRIDCHAT_VAR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", code], env=clean | variables, cwd=CHECKOUT, capture_output=True, text=True, check=False
    )
    if run.returncode:
        raise AssertionError(run.stderr.strip().splitlines()[-1])
    return json.loads(run.stdout)  # type: ignore[no-any-return]


def test_an_empty_environment_is_a_laptop_with_everything_embedded(tmp_path: Path) -> None:
    settings = load(tmp_path, "DEBUG PRODUCTION DATABASE_URL REDIS_URL LANGUAGE_BACKEND EMBEDDINGS_URL")
    assert settings["DEBUG"] is settings["PRODUCTION"] is False
    assert "host=" in str(settings["DATABASE_URL"])
    assert str(settings["REDIS_URL"]).startswith("unix://")
    assert settings["LANGUAGE_BACKEND"] == "builtin"
    assert settings["EMBEDDINGS_URL"] == ""


def test_the_secret_of_a_laptop_is_made_once_and_private(tmp_path: Path) -> None:
    first = load(tmp_path, "SECRET_KEY")["SECRET_KEY"]
    assert len(str(first)) >= 50
    assert load(tmp_path, "SECRET_KEY")["SECRET_KEY"] == first
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("missing", ["SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL"])
def test_production_names_what_is_missing(tmp_path: Path, missing: str) -> None:
    with pytest.raises(AssertionError, match=f"PRODUCTION=1 needs {missing} in the environment"):
        load(tmp_path, "DEBUG", **{**COMPLETE, missing: ""})


def test_production_names_everything_that_is_missing_at_once(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="SECRET_KEY, ALLOWED_HOSTS, DATABASE_URL, REDIS_URL"):
        load(tmp_path, "DEBUG", PRODUCTION="1")


def test_production_does_not_show_its_internals(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="exclude each other"):
        load(tmp_path, "DEBUG", **COMPLETE, DEBUG="1")
    assert load(tmp_path, "SESSION_COOKIE_SECURE", **COMPLETE)["SESSION_COOKIE_SECURE"] is True


def test_a_key_alone_chooses_the_hosted_model_and_a_server_needs_a_model(tmp_path: Path) -> None:
    chosen = load(tmp_path, "LANGUAGE_BACKEND LANGUAGE_MODEL", OPENAI_API_KEY="sk-1", OPENAI_MODELS="parse=big")
    assert chosen["LANGUAGE_BACKEND"] == "openai"
    assert chosen["LANGUAGE_MODEL"]["models"] == {"parse": "big"}  # type: ignore[index]
    with pytest.raises(AssertionError, match="OPENAI_MODEL"):
        load(tmp_path, "DEBUG", OPENAI_BASE_URL="http://localhost:11434/v1")
    with pytest.raises(AssertionError, match='"builtin" or "openai", not "oracle"'):
        load(tmp_path, "DEBUG", LANGUAGE_BACKEND="oracle")


def test_celery_never_hands_out_a_task_that_may_still_be_running(tmp_path: Path) -> None:
    names = "CELERY_TASK_SOFT_TIME_LIMIT CELERY_TASK_TIME_LIMIT CELERY_BROKER_TRANSPORT_OPTIONS"
    soft, hard, transport = load(tmp_path, names).values()
    assert soft < hard < transport["visibility_timeout"]  # type: ignore[index, operator]


@pytest.mark.parametrize("name", sorted(READ))
def test_each_setting_has_a_paragraph(name: str) -> None:
    rows = re.findall(rf"^\| `{name}` \|([^|]+)\|([^|]+)\|$", (CHECKOUT / "docs" / "operators.md").read_text(), re.M)
    assert len(rows) == 1, f"docs/operators.md has {len(rows)} rows for {name}"
    assert len(rows[0][1].split()) >= 5, f"what {name} means should be said in words"


def test_no_paragraph_is_about_a_setting_that_is_gone() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \|", (CHECKOUT / "docs" / "operators.md").read_text(), re.M))
    assert documented - {"POSTGRES_PASSWORD"} == READ


@pytest.fixture(scope="module")
def compose() -> dict[str, dict[str, dict[str, object]]]:
    return yaml.safe_load((CHECKOUT / "compose.yaml").read_text())  # type: ignore[no-any-return]


def test_compose_hands_on_every_setting_and_no_other(compose: dict) -> None:
    for name in ("setup", "web", "worker", "beat"):
        assert set(compose["services"][name]["environment"]) == READ - ONLY_ON_A_LAPTOP, name


def test_compose_names_the_parts_of_the_production_form(compose: dict) -> None:
    services = compose["services"]
    assert set(services) == {"setup", "web", "worker", "beat", "postgres", "redis"}
    assert services["postgres"]["image"].startswith("pgvector/pgvector:pg18")
    for name in ("web", "worker", "beat", "postgres", "redis"):
        assert services[name]["healthcheck"]["test"], name
    for name in ("web", "worker", "beat"):
        assert services[name]["depends_on"]["setup"] == {"condition": "service_completed_successfully"}
    mounted = {mount.split(":")[0] for service in services.values() for mount in service.get("volumes", [])}
    assert mounted == set(compose["volumes"])


def test_the_settings_accept_what_compose_hands_on(compose: dict, tmp_path: Path) -> None:
    given = {"SECRET_KEY": "x" * 60, "ALLOWED_HOSTS": "chat.example.org", "POSTGRES_PASSWORD": "p"}
    environment = {
        name: re.sub(r"\$\{(\w+):[-?]([^}]*)\}", lambda match: given.get(match[1]) or default(match), str(value))
        for name, value in compose["services"]["web"]["environment"].items()
    }
    settings = load(tmp_path, "DATABASES ALLOWED_HOSTS LANGUAGE_BACKEND", **environment)
    assert settings["DATABASES"]["default"]["HOST"] == "postgres"  # type: ignore[index]
    assert settings["LANGUAGE_BACKEND"] == "builtin"
    assert "chat.example.org" in settings["ALLOWED_HOSTS"]  # type: ignore[operator]


def default(match: re.Match[str]) -> str:
    """What compose puts where a variable is not given; one that it insists on must be."""
    assert ":-" in match[0], f"compose insists on {match[1]}"
    return match[2]


def test_compose_checks_the_health_page_that_exists(compose: dict, client: object) -> None:
    from django.urls import reverse

    assert f"localhost:8000{reverse('health')}" in compose["services"]["web"]["healthcheck"]["test"][-1]


def test_the_image_installs_what_the_project_requires() -> None:
    dockerfile = (CHECKOUT / "Dockerfile").read_text()
    assert "-r requirements.txt" in dockerfile
    assert "--no-deps -r requirements-nodeps.txt" in dockerfile
    assert "hybridchat.asgi:application" in dockerfile
