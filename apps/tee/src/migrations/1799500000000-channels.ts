import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Channels1799500000000 implements MigrationInterface {
  readonly name = 'Channels1799500000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(channels);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE channels');
  }
}

const channels = `
  CREATE TABLE channels (
    -- Of the held payment that opened the channel.
    confirmation_id uuid PRIMARY KEY,
    unit bigint NOT NULL,
    length integer NOT NULL,
    anchor bytea NOT NULL CHECK (octet_length(anchor) = 32),
    ends_ms bigint NOT NULL,
    -- The last settled link, at first the anchor.
    link_index integer NOT NULL,
    link bytea NOT NULL CHECK (octet_length(link) = 32),
    -- What was charged so far, in links.
    units integer NOT NULL,
    is_open boolean NOT NULL,
    CONSTRAINT channels_check CHECK (units >= 0 AND units <= link_index AND link_index <= length)
  );
  CREATE INDEX channels_open ON channels (ends_ms) WHERE is_open;
`;
