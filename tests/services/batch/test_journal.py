"""A file of results: continued after any cut, and only by the same run."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from services.batch.journal import Journal, JournalUnusable
from services.batch.processes import Processes
from services.batch.running import results
from services.batch.tasks import Task
from services.cli.simulate.tally import Tally
from tests.services.batch.slow_work import squared

SEED_1 = {"command": "test", "seed": 1}


def journal(file: Path, configuration: dict[str, object] = SEED_1) -> Journal[int]:
    return Journal(file, configuration, int)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with two results."""
    file = tmp_path / "results.ndjson"
    with journal(file) as begun:
        begun.add("a", 1)
        begun.add("b", 2)
    return file


def test_what_was_written_is_read_again(file: Path) -> None:
    with journal(file) as continued:
        assert continued.finished == {"a", "b"}
        assert list(continued.results()) == [("a", 1), ("b", 2)]


def test_a_second_result_of_a_task_does_not_count(file: Path) -> None:
    with journal(file) as continued:
        continued.add("a", 9)
        assert list(continued.results()) == [("a", 1), ("b", 2)]


def test_a_file_that_is_cut_anywhere_is_continued(file: Path) -> None:
    """What is left of the last line is gone, and its task is done again."""
    whole = file.read_bytes()
    for length in range(len(whole)):
        file.write_bytes(whole[:length])
        with journal(file) as continued:
            kept = dict(continued.results())
            assert continued.finished == kept.keys() <= {"a", "b"}
            for key, result in (("a", 1), ("b", 2)):
                continued.add(key, result)
        assert file.read_bytes() == whole


def test_another_configuration_is_refused_and_told(file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(JournalUnusable, match="begun with other options: seed 1, not 2"):
        journal(file, {"command": "test", "seed": 2})
    with pytest.raises(JournalUnusable, match='command "test", not "other"; games nothing, not 3'):
        journal(file, {"command": "other", "seed": 1, "games": 3})
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"my notes\n", b"my notes", b'{"format":"foldtable.match.v1"}\n', b'{"format":"foldtable.batch.v9","configuration":{}}\n'],
)  # fmt: skip
def test_another_file_is_left_alone(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(JournalUnusable, match="holds no results that could be continued"):
        journal(file)
    assert file.read_bytes() == content


def test_a_line_that_is_no_result_is_named(file: Path) -> None:
    file.write_bytes(file.read_bytes().replace(b'"result":2', b'"result":"two"'))
    with pytest.raises(JournalUnusable, match="line 3 is no result"):
        journal(file)


def test_two_runs_do_not_write_one_file(file: Path) -> None:
    with journal(file), pytest.raises(JournalUnusable, match="is being written by another run"):
        journal(file)


def test_counts_keep_their_kinds(tmp_path: Path) -> None:
    tally = Tally(matches=2, wins=Counter({0: 1, 3: 1}), actions=Counter({"pass": 4}))
    tally.lengths.add(17)
    with Journal(tmp_path / "file", {}, Tally) as begun:
        begun.add("0", tally)
        assert list(begun.results()) == [("0", tally)]


def test_a_run_that_was_cut_off_does_only_the_rest(tmp_path: Path) -> None:
    done: list[str] = []

    def tasks() -> list[Task[int]]:
        return [Task(str(number), number) for number in range(6)]

    class Counted(Processes):
        def results(self, tasks, do):  # type: ignore[no-untyped-def]
            for task, result in super().results(tasks, do):
                done.append(task.key)
                yield task, result

    place = tmp_path / "file"
    with journal(place) as first:
        begun = results(Counted(1), iter(tasks()), squared, first)
        assert [next(begun) for _ in range(2)] == [("0", 0), ("1", 1)]
        begun.close()
    with journal(place) as second:
        found = dict(results(Counted(1), iter(tasks()), squared, second))
    assert found == {str(number): number * number for number in range(6)}
    assert sorted(done) == ["0", "1", "2", "3", "4", "5"]
    assert place.read_bytes().count(b"\n") == 7
