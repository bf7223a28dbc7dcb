"""Events for platforms, the feed from which they are pulled, and the webhook endpoints to which they are pushed.

The previous release runs on this schema, but records no events for the moves it writes. Create endpoints, and switch the feed
on, once it is gone.
"""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"

UPGRADE = (
    # Which events each tenant wants; a tenant without a row, and most have none, pays one look into this table
    # with each move. `types` are those of its feed and of its enabled endpoints together.
    """
    CREATE TABLE recorded_events (
        tenant text PRIMARY KEY,
        feed_types text[] NOT NULL DEFAULT '{}',
        types text[] NOT NULL DEFAULT '{}',
        pruned_transaction xid8 NOT NULL DEFAULT '0',
        pruned_number bigint NOT NULL DEFAULT 0
    )
    """,
    # `transaction` is what makes the feed safe: see services/movelog/postgres/events.py. Numbers are drawn while the
    # match is locked, so within a match they are in the order of its versions.
    """
    CREATE TABLE events (
        number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
        id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
        match_id uuid,
        recorded_at timestamptz NOT NULL,
        version integer NOT NULL DEFAULT 0,
        seat smallint,
        tenant text NOT NULL,
        type text NOT NULL,
        player text NOT NULL DEFAULT '',
        to_act smallint[] NOT NULL DEFAULT '{}',
        outcome bytea,
        endpoint_id uuid
    )
    """,
    "CREATE INDEX events_feed ON events (tenant, transaction, number)",
    # state: enabled, disabled (by the tenant) or failed (given up by us; `disabled_reason` says why).
    """
    CREATE TABLE webhook_endpoints (
        id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant text NOT NULL REFERENCES tenants,
        url text NOT NULL,
        description text NOT NULL DEFAULT '',
        types text[] NOT NULL,
        state text NOT NULL DEFAULT 'enabled',
        disabled_reason text NOT NULL DEFAULT '',
        disabled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        secret bytea NOT NULL,
        old_secret bytea,
        old_secret_until timestamptz,
        failing_since timestamptz,
        paused_until timestamptz
    )
    """,
    "CREATE INDEX webhook_endpoints_tenant ON webhook_endpoints (tenant, created_at, id)",
    # An event on its way to an endpoint. A lane is what has to stay in order: the events of one match.
    # state: pending, delivered or failed. No foreign keys: each move would lock the row of its endpoint.
    """
    CREATE TABLE webhook_deliveries (
        endpoint_id uuid NOT NULL,
        event bigint NOT NULL,
        lane uuid NOT NULL,
        state text NOT NULL DEFAULT 'pending',
        tries smallint NOT NULL DEFAULT 0,
        attempts jsonb NOT NULL DEFAULT '[]',
        PRIMARY KEY (endpoint_id, event)
    )
    """,
    "CREATE INDEX webhook_deliveries_event ON webhook_deliveries (event)",
    """
    CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (endpoint_id, lane, event) WHERE state = 'pending'
    """,
    # There is a row while a lane may have something to deliver. `due_at` is when its first delivery is to be tried;
    # while somebody tries, it is when that one is given up for dead.
    """
    CREATE TABLE webhook_lanes (
        endpoint_id uuid NOT NULL,
        lane uuid NOT NULL,
        due_at timestamptz NOT NULL DEFAULT now(),
        lease uuid,
        PRIMARY KEY (endpoint_id, lane)
    )
    """,
    "CREATE INDEX webhook_lanes_due ON webhook_lanes (endpoint_id, due_at)",
    # Addresses every new event to the endpoints that want it, in the same transaction. It runs once for each row of
    # `events`, so tenants of whom nothing is recorded never get here. Touching the lane's row makes a worker that is
    # about to remove it wait, or find the new delivery.
    """
    CREATE FUNCTION address_event() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        WITH wanted AS (
            SELECT id FROM webhook_endpoints
            WHERE tenant = NEW.tenant AND state = 'enabled' AND NEW.type = ANY (types)
        ), addressed AS (
            INSERT INTO webhook_deliveries (endpoint_id, event, lane)
            SELECT id, NEW.number, coalesce(NEW.match_id, NEW.endpoint_id, NEW.id) FROM wanted
        )
        INSERT INTO webhook_lanes (endpoint_id, lane)
        SELECT id, coalesce(NEW.match_id, NEW.endpoint_id, NEW.id) FROM wanted ORDER BY id
        ON CONFLICT (endpoint_id, lane) DO UPDATE SET due_at = webhook_lanes.due_at;
        RETURN NULL;
    END
    $$
    """,
    "CREATE TRIGGER events_addressed AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION address_event()",
)

DOWNGRADE = (
    "DROP TABLE webhook_lanes, webhook_deliveries, webhook_endpoints, events, recorded_events",
    "DROP FUNCTION address_event",
)


def upgrade() -> None:
    for statement in UPGRADE:
        op.execute(statement)


def downgrade() -> None:
    for statement in DOWNGRADE:
        op.execute(statement)
