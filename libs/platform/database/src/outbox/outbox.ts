/**
 * The outbox tables of one schema. A row is written in the transaction of the change that it describes, and a
 * relay publishes it.
 *
 * `outbox_queue` contains the unpublished rows. A trigger inserts them, so that no writer can omit it. Rows
 * of the outbox itself are kept for a period (retention.ts), to rebuild a lost stream. Only an erasure
 * changes them (erasure.ts).
 */
export const outboxTables = `
  CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY,
    id uuid NOT NULL,
    subject text NOT NULL,
    aggregate_id text NOT NULL,
    -- A NATS server takes messages of 1 MiB. A larger event fails here, with the change that it describes, and not later,
    -- when no caller gets the error and the events behind it wait.
    payload json NOT NULL CONSTRAINT outbox_payload_fits CHECK (octet_length(payload::text) <= 1000000),
    created_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE INDEX outbox_aggregate ON outbox (aggregate_id, seq);

  -- Narrow and short-lived rows: they are vacuumed early, since the relay reads from their beginning each time.
  CREATE TABLE outbox_queue (seq bigint PRIMARY KEY)
    WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
  CREATE FUNCTION outbox_enqueue() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO outbox_queue SELECT seq FROM added;
      RETURN NULL;
    END $$;
  CREATE TRIGGER outbox_enqueue AFTER INSERT ON outbox REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION outbox_enqueue();

  -- The stream that holds what was published, and how far it was filled again after it had been lost.
  CREATE TABLE outbox_stream (
    singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
    created_at text,
    rebuilt_seq bigint
  );
  INSERT INTO outbox_stream DEFAULT VALUES;

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

export const dropOutboxTables =
  'DROP TABLE dead_letters, inbox, outbox_stream, outbox_queue, outbox; DROP FUNCTION outbox_enqueue;';
