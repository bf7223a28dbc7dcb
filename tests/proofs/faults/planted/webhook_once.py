"""A platform service that notes a webhook as delivered before it sends it: at most once, where at least once is promised."""

from __future__ import annotations

from datetime import UTC, datetime

from services.platform.__main__ import main
from services.webhooks.claiming import Lane
from services.webhooks.lanes import Attempt, Due
from services.webhooks.worker import Worker
from tests.proofs.faults.planted.planting import plant


async def deliver(worker: Worker, lane: Lane, due: Due) -> bool:
    """Note it, then try once, whatever comes of it."""
    noted = Attempt(at=datetime.now(UTC), milliseconds=0, status=204)
    is_ours = await worker._lanes.arrived(lane, due, noted)
    await worker._post(due)
    return is_ours


plant(Worker, "_deliver", deliver)

if __name__ == "__main__":
    main()
