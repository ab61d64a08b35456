import type { MigrationInterface, QueryRunner } from 'typeorm';

export class TonBlocks1799400000000 implements MigrationInterface {
  readonly name = 'TonBlocks1799400000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(places);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ton_places');
  }
}

// A table of its own, because indexes on the transactions of an existing chain would block it. Transactions of earlier
// versions have no row: they count as block 0 and belong to no trace.
const places = `
  CREATE TABLE ton_places (
    account text NOT NULL,
    lt numeric(20, 0) NOT NULL,
    hash text NOT NULL,
    seqno integer NOT NULL,
    trace text NOT NULL,
    message_hashes text[] NOT NULL,
    PRIMARY KEY (account, lt)
  );
  CREATE INDEX ton_places_hash ON ton_places (hash);
  CREATE INDEX ton_places_trace ON ton_places (trace);
  CREATE INDEX ton_places_message_hashes ON ton_places USING gin (message_hashes);
`;
