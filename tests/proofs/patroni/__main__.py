"""`make prove P=patroni`: the run on a cluster, or a line that says which packages it misses."""

from __future__ import annotations

from tests.proofs.faults.program import judged
from tests.proofs.patroni.programs import missing_packages
from tests.proofs.patroni.run import arguments, harm_a_cluster


def main() -> None:
    given = arguments().parse_args()
    if missing := missing_packages():
        print(
            f"SKIPPED: there is no cluster without the packages {', '.join(missing)}: .ci/system-packages installs them"
        )
        raise SystemExit(0)
    raise SystemExit(judged(given.keep, lambda folder: harm_a_cluster(folder, given)))


if __name__ == "__main__":
    main()
