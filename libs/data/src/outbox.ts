/**
 * The outbox of one schema. A row is written in the transaction of the change that it tells, and a relay publishes it.
 *
 * `tx` is the writing transaction's id. The relay takes rows whose transactions are certainly over (below the oldest
 * running one), so no late committer is skipped, and no row is ever updated to mark it as published: the mark is one
 * position for the whole table. Rows stay as the record from which a lost stream is rebuilt.
 */
export const outboxTables = `
  CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
    tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
    id uuid NOT NULL,
    subject text NOT NULL,
    aggregate_id text NOT NULL,
    -- A NATS server takes messages of 1 MiB. What does not fit fails here, with the change that it tells, and not later,
    -- when nobody is left to hear of it and the events behind it wait.
    payload json NOT NULL CONSTRAINT outbox_payload_fits CHECK (octet_length(payload::text) <= 1000000),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX outbox_tx ON outbox (tx);
  CREATE INDEX outbox_aggregate ON outbox (aggregate_id, seq);

  -- Where the relay stands: rows of transactions in [from_tx, to_tx) are being published, up to last_seq.
  CREATE TABLE outbox_position (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    from_tx xid8 NOT NULL DEFAULT '0',
    to_tx xid8 NOT NULL DEFAULT '0',
    last_seq bigint NOT NULL DEFAULT 0,
    stream_created_at text
  );
  INSERT INTO outbox_position DEFAULT VALUES;

  -- Events of others that were handled here, so that a repeat does nothing.
  CREATE TABLE inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    handled_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
  );

  -- Events that could not be handled, for a person to look at and to put back.
  CREATE TABLE dead_letters (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    consumer text NOT NULL,
    event text NOT NULL,
    reason text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  );
`;

export const dropOutboxTables = 'DROP TABLE dead_letters, inbox, outbox_position, outbox;';
