"""A control group for each learner where a part of the tree is ours, on a tree of ordinary files; see also docs/grading.md."""

import fcntl
import os
from pathlib import Path

import pytest

from transformer_course.grading.sandbox.cgroups import PREFIX, Cgroups

INTERFACE = ("cgroup.procs", "cgroup.subtree_control", "memory.max", "memory.oom.group", "pids.max", "cpu.weight",
             "memory.events", "cgroup.type")  # fmt: skip


class Kernel:
    """Makes a group's files with it, and removes them with it, but not while a process is in it."""

    def __init__(self, folder: Path, monkeypatch):
        self.mkdir, self.rmdir = os.mkdir, os.rmdir
        monkeypatch.setattr(os, "mkdir", self.make)
        monkeypatch.setattr(os, "rmdir", self.remove)
        self.root, self.membership = folder / "tree", folder / "membership"
        self.own = self.root / "graders.scope"
        self.root.mkdir()
        self.own.mkdir()
        self.membership.write_text("1:cpu:/elsewhere\n0::/graders.scope\n")
        (self.own / "cgroup.controllers").write_text("cpuset cpu io memory pids\n")
        (self.own / "cgroup.procs").write_text(f"{os.getpid()}\n")

    def make(self, path, *mode) -> None:
        self.mkdir(path, *mode)
        for name in INTERFACE:
            Path(path, name).write_text("")

    def remove(self, path, **_) -> None:
        if Path(path, "cgroup.procs").read_text() not in ("", str(os.getpid())):
            raise OSError(16, "Device or resource busy")
        for name in INTERFACE:
            Path(path, name).unlink()
        self.rmdir(path)

    def groups(self) -> Cgroups:
        return Cgroups(self.root, self.membership)


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    return Kernel(tmp_path, monkeypatch)


def test_a_learner_has_a_group_with_limits_of_its_own(kernel):
    groups = kernel.groups()
    assert str(groups) == "Each learner's process has resource limits and a control group."
    (home,) = kernel.own.glob(f"{PREFIX}*")
    for group in (kernel.own, home):
        assert (group / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"
    assert (home / "graders" / "cgroup.procs").read_text() == str(os.getpid())
    for number in range(2):
        with groups.learner() as (enter, events):
            os.write(enter, b"0")
            os.pread(events, 100, 0)
        learner = home / f"learner-{number}"
        limits = {name: (learner / name).read_text() for name in ("memory.max", "memory.oom.group", "pids.max", "cpu.weight")}
        assert limits == {"memory.max": str(1280 * 2**20), "memory.oom.group": "1", "pids.max": "64", "cpu.weight": "100"}
        groups.require_member()
        assert groups.home
        (learner / "cgroup.procs").write_text("")  # the learner's process has ended
    groups.close()
    assert not home.exists()
    assert (kernel.own / "cgroup.subtree_control").read_text() == "-cpu -memory -pids"
    assert (kernel.own / "cgroup.procs").read_text() == str(os.getpid())


def test_what_a_killed_command_has_left_is_removed_and_what_a_running_one_uses_is_not(kernel):
    killed, running = kernel.own / f"{PREFIX}killed", kernel.own / f"{PREFIX}running"
    for group in (killed, killed / "learner-0", running, running / "learner-0"):
        os.mkdir(group)
    lock = os.open(running, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    kernel.groups().close()
    os.close(lock)
    assert not killed.exists()
    assert (running / "learner-0").exists()


@pytest.mark.parametrize(
    ("file", "content", "why"),
    [
        ("membership", "1:cpu:/\n", "this system has no control groups of version 2"),
        ("tree/graders.scope/cgroup.controllers", "cpu\n", "does not control memory and pids"),
        ("tree/graders.scope/cgroup.procs", "1\n", "is not delegated to this command alone"),
        ("membership", None, "this system does not allow them (No such file or directory)"),
    ],
)
def test_where_no_group_is_ours_the_reason_is_said(kernel, file, content, why):
    path = kernel.root.parent / file
    path.write_text(content) if content else path.unlink()
    groups = kernel.groups()
    assert why in str(groups)
    with groups.learner() as files:
        assert files == []
    assert not [*kernel.own.glob(f"{PREFIX}*")]


def test_a_group_that_no_process_can_enter_is_not_used(kernel):
    groups = kernel.groups()
    with groups.learner() as files:
        assert len(files) == 2
    groups.require_member()
    assert "this kernel lets no process enter one" in str(groups)
    with groups.learner() as files:
        assert files == []
    assert not [*kernel.own.glob(f"{PREFIX}*")]
