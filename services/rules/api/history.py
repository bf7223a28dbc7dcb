"""The history of a match: replay, export, verification, import."""

from __future__ import annotations

from collections.abc import AsyncIterator

from foldtable.matches.v1 import history_pb2
from foldtable.matches.v1 import match_service_pb2 as pb
from services.identity.callers import Context
from services.movelog.export.signature import ExportSigner
from services.rules.api.heavy_reads import HeavyReads, turn_of
from services.rules.api.shown_matches import ShownMatches
from services.rules.history import exporting, replaying
from services.rules.history.importing import Importer
from services.rules.match.access import MatchAccess, Purpose, audience_at, seat_of
from services.rules.match.match_cache import MatchCache
from services.rules.match.notes import read_notes
from services.rules.match.permissions import tenant_only
from services.rules.wire.uploads import ADMITTED, UploadRoom, read_upload


class History:
    """Replays, exports, verifies and imports whole matches."""

    def __init__(
        self,
        cache: MatchCache,
        access: MatchAccess,
        shown: ShownMatches,
        heavy: HeavyReads,
        exports: ExportSigner | None,
    ) -> None:
        self._cache = cache
        self._access = access
        self._shown = shown
        self._heavy = heavy
        self._exports = exports
        self._importer = Importer(cache.log, exports)
        self._uploads = UploadRoom()
        self._verifier = exporting.Verifier(cache)

    async def replay(
        self, request: history_pb2.ReplayMatchRequest, authorization: str | None
    ) -> AsyncIterator[history_pb2.ReplayMatchResponse]:
        """Yield what an audience saw at every version."""
        who = turn_of(await self._access.caller(authorization, Purpose.REPLAY))
        seat = seat_of(request.audience)
        async with (
            self._heavy.turn(who),
            self._access.open(authorization, request.match_id, seat=seat, purpose=Purpose.REPLAY) as (
                caller,
                loaded,
            ),
        ):
            await self._cache.catch_up(loaded)
            seen_by = audience_at(caller, loaded, request.audience)
            prepared = await replaying.prepare(self._cache, loaded, seen_by, request)
        async for part in replaying.send(self._cache, prepared, lambda: self._heavy.turn(who, begun=True)):
            yield part

    async def export(
        self, request: pb.ExportMatchRequest, authorization: str | None
    ) -> pb.ExportMatchResponse:
        """Return a match as a document."""
        async with self._heavy.turn(turn_of(await self._access.caller(authorization))):
            seat = seat_of(request.audience)
            async with self._access.open(authorization, request.match_id, seat=seat) as (caller, loaded):
                await self._cache.catch_up(loaded)
                seen_by = audience_at(caller, loaded, request.audience)
            document = await exporting.export(self._cache, loaded, seen_by, self._exports)
            return pb.ExportMatchResponse(document=document)

    async def verify(
        self, request: pb.VerifyMatchRequest, authorization: str | None
    ) -> pb.VerifyMatchResponse:
        """Check everything the log holds of a match."""
        async with self._heavy.turn(turn_of(await self._access.caller(authorization))):
            async with self._access.open(authorization, request.match_id) as (_, loaded):
                pass  # whoever may look may verify; the lock is not held meanwhile
            found = await self._verifier.verify(loaded)
        draws, more = exporting.listed_draws(
            loaded.match, found, request.draws_page_size, request.draws_page_token
        )
        return pb.VerifyMatchResponse(
            ok=found.ok,
            moves=found.moves,
            draws=len(found.draws),
            decided_again=found.decided_again,
            difference=found.difference,
            difference_version=found.difference_version,
            forked=found.forked,
            difference_event=found.difference_event,
            difference_pointer=found.difference_pointer,
            expected=found.expected,
            found=found.found,
            unchecked=found.unchecked,
            listed_draws=draws,
            next_draws_page_token=more,
            signing_key_id=exporting.signing_key_id(loaded.match, self._exports),
        )

    async def import_match(
        self,
        requests: AsyncIterator[history_pb2.ImportMatchRequest],
        authorization: str | None,
        context: Context,
    ) -> history_pb2.ImportMatchResponse:
        """Import a match that was played elsewhere. The caller is sent the initial metadata before the document is read."""
        caller = tenant_only(await self._access.caller(authorization))
        with self._uploads.taken(caller.tenant):
            await context.send_initial_metadata(ADMITTED)
            upload = await read_upload(requests)
            notes = read_notes(caller, upload.reference, upload.metadata)
            imported = await self._importer.import_match(caller.tenant, upload.document, notes)
        return history_pb2.ImportMatchResponse(
            match=await self._shown.message_now(imported.match.id, caller), replayed=imported.replayed
        )
