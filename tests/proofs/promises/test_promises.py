"""Each promise has patches that break it, and tests that notice. One patch is tried here; `make prove P=promises` tries all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.tests_of_promises import PAGE, PART, promises
from tests.proofs.promises.broken_promises import BrokenPromise, applied, applies, every_patch, read
from tests.proofs.promises.checkout import ROOT, Outcome, copy_of_the_sources, run_test

PATCHES = every_patch()
LEAST = 30
TRIED = "draws-favour-low-numbers"
"""A patch whose test takes hardly longer than it takes pytest to start."""


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)
def test_a_patch_fits_the_sources_and_changes_nothing_but_the_product(patch: BrokenPromise) -> None:
    assert applies(patch, ROOT) == ""
    assert patch.files
    assert not [name for name in patch.files if name.startswith(("tests/", "docs/"))]


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.name)
def test_a_patch_names_a_promise_and_a_test(patch: BrokenPromise) -> None:
    assert patch.promise in promises()
    path, _, function = patch.test.partition("::")
    assert f"def {re.split(r'[:[]', function.split('::')[-1])[0]}(" in (ROOT / path).read_text()


def test_every_promise_is_broken_by_a_patch() -> None:
    assert {patch.promise for patch in PATCHES} == set(promises())
    assert len(PATCHES) >= LEAST


def test_the_table_is_that_of_the_patches() -> None:
    assert PART.renewed(PAGE.read_text()) == PAGE.read_text(), "run `make docs`"


@pytest.mark.slow
def test_a_test_is_green_without_its_patch_and_red_with_it() -> None:
    (patch,) = (one for one in PATCHES if one.name == TRIED)
    with copy_of_the_sources() as copy:
        assert run_test(patch.test, copy).is_green
        with applied(patch, copy):
            assert run_test(patch.test, copy).is_red
        assert applies(patch, copy) == ""


def test_what_could_not_run_is_not_taken_for_a_test_that_failed() -> None:
    assert Outcome(1, "1 failed, 3 passed in 0.2s", 0.2).is_red
    assert not Outcome(1, "2 passed, 1 error in 0.2s", 0.2).is_red
    assert not Outcome(4, "ERROR: not found", 0.2).is_red
    assert not Outcome(0, "1 passed in 0.2s", 0.2).is_red
    assert not Outcome(1, "", 0.2).is_red


def test_what_was_skipped_is_not_taken_for_a_test_that_passed() -> None:
    assert Outcome(0, "1 passed in 0.2s", 0.2).is_green
    assert not Outcome(0, "1 skipped in 0.2s", 0.2).is_green


def test_a_patch_without_its_headings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nameless.patch"
    path.write_text("Promise: none\n\ndiff --git a/x b/x\n")
    with pytest.raises(ValueError, match="has to begin with Promise, Fault, Test"):
        read(path)
