"""What each game calls its actions, events and views: al_rashid, river_dragons, river_of_gold."""

from __future__ import annotations
