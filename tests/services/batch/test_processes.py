"""Tasks in processes of this machine: each result once, whoever is killed meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from services.batch.processes import Processes
from services.batch.tasks import MAX_KILLED, Task, WorkersKilled
from tests.services.batch.slow_work import failing, killed_always, killed_now_and_then, killed_once, squared


def tasks(*works: Any) -> Iterator[Task[Any]]:
    return (Task(str(number), work) for number, work in enumerate(works))


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_every_task_has_its_result_once(workers: int) -> None:
    found = [(task.key, result) for task, result in Processes(workers).results(tasks(*range(20)), squared)]
    assert sorted(found, key=lambda one: int(one[0])) == [(str(one), one * one) for one in range(20)]


def test_no_tasks_need_no_time() -> None:
    assert list(Processes(2).results(tasks(), squared)) == []


def test_a_task_whose_worker_is_killed_is_done_again_and_counted_once(tmp_path: Path) -> None:
    works = [(number, str(tmp_path)) for number in range(12)]
    found = [result for _, result in Processes(2).results(tasks(*works), killed_once)]
    assert (tmp_path / "killed").exists()
    assert sorted(found) == [number * number for number in range(12)]


def test_workers_may_be_killed_as_often_as_there_are_results_in_between(tmp_path: Path) -> None:
    works = [(number, str(tmp_path)) for number in range(20)]
    found = [result for _, result in Processes(2).results(tasks(*works), killed_now_and_then)]
    assert len([*tmp_path.glob("killed-*")]) == 5 > MAX_KILLED
    assert sorted(found) == [number * number for number in range(20)]


def test_workers_that_are_always_killed_end_the_work() -> None:
    with pytest.raises(WorkersKilled, match="fewer --workers need less memory"):
        list(Processes(2).results(tasks(1, 2, 3), killed_always))


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_of_the_work_ends_it(workers: int) -> None:
    with pytest.raises(ValueError, match="no 2"):
        list(Processes(workers).results(tasks(*range(5)), failing))


def test_work_that_goes_wrong_does_not_end_the_work_as_if_it_were_done() -> None:
    def stopping(number: int) -> int:
        return next(iter([number][number:]))

    with pytest.raises(RuntimeError, match="StopIteration"):
        list(Processes(1).results(tasks(0, 1), stopping))


def test_a_task_shows_its_key_and_nothing_of_its_work() -> None:
    assert repr(Task("7", {"secret": "x"})) == "Task(7)"
