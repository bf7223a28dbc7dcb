"""The public keys that verify the signatures of exports."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import APIRouter
from starlette.responses import Response

from gateway.access.admission import counted_for
from gateway.access.rate_limits import Bucket
from gateway.dependencies import GatewayParts
from gateway.http.entity_tags import not_modified
from gateway.http.header_parameters import sent_header
from gateway.openapi.operation import Operation, answer
from gateway.schemas.signing_keys import JwkSet

MEDIA_TYPE: Final = "application/jwk-set+json"


router = APIRouter(tags=["exports"], route_class=Operation, dependencies=[counted_for(Bucket.READS)])


@router.get(
    "/.well-known/jwks.json",
    operation_id="getSigningKeys",
    summary="List the public keys of export signatures",
    responses={
        200: answer("A JWK set.", JwkSet, media_type=MEDIA_TYPE, headers={"ETag": "Changes with the keys."}),
        304: answer("The caller has the current set.", headers={"ETag": "The current entity tag."}),
    },
)
async def get_signing_keys(
    gateway: GatewayParts,
    known: Annotated[str | None, sent_header("If-None-Match", "The entity tag of the set the caller has.")],
) -> Response:
    """Return the former, current and coming public keys of this server's export signatures (RFC 7517).

    A key is published before its first use and stays for as long as exports signed with it are to be accepted. The keys of
    match tokens are different keys and not included.
    """
    keys = gateway.published_keys
    headers = {"cache-control": "public, max-age=300", "etag": keys.etag}
    return not_modified(known, headers) or Response(keys.document, headers=headers, media_type=MEDIA_TYPE)
