"""Whether a lease's holder is gone can be told on its own machine, and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hybridchat.chat import leases, tasks
from hybridchat.chat.holders import is_gone, new_holder
from hybridchat.chat.models import Turn


@pytest.fixture
def dead() -> str:
    """The name of a process of this machine that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return new_holder("worker").replace(f":{os.getpid()}:", f":{process.pid}:")


def test_a_process_that_runs_is_not_gone() -> None:
    assert not is_gone(new_holder("web"))
    assert not is_gone(new_holder("web").replace(f":{os.getpid()}:", ":1:"))


def test_a_process_that_ended_is_gone(dead: str) -> None:
    assert is_gone(dead)


@pytest.mark.parametrize("elsewhere", ["worker:another-machine:1:2:3", "me", "", "a:b", "worker:x:y:not a number:z"])
def test_of_others_nothing_is_known(elsewhere: str) -> None:
    assert not is_gone(elsewhere)


def test_a_container_of_the_same_name_is_another_machine(dead: str) -> None:
    role, host, namespace, pid, token = dead.split(":")
    assert not is_gone(":".join((role, host, namespace + "0", pid, token)))


def test_two_tries_of_one_process_are_told_apart() -> None:
    assert new_holder("web") != new_holder("web")


def test_the_sweeper_hands_out_what_a_dead_process_holds_before_its_lease_runs_out(turn: Turn, dead: str) -> None:
    leases.take(turn.pk, dead)
    assert tasks.sweep() == 1
    assert leases.take(turn.pk, "another") is not None


def test_the_sweeper_leaves_the_living_alone(turn: Turn) -> None:
    leases.take(turn.pk, new_holder("worker"))
    assert tasks.sweep() == 0
