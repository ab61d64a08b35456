import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProvenReceivers1797020000000 implements MigrationInterface {
  readonly name = 'ProvenReceivers1797020000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(receivers);
    await runner.query(confirmations);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(withoutConfirmations);
    await runner.query('DROP TABLE proven_receivers');
  }
}

const receivers = `
  -- Addresses that have signed that a merchant's wallet is paid there. The wallet's own address needs no row.
  CREATE TABLE proven_receivers (
    wallet text NOT NULL CHECK (wallet <> ''),
    address text NOT NULL CHECK (address <> ''),
    scheme text NOT NULL CHECK (scheme IN ('eip4361', 'ton_proof', 'solana')),
    -- The EVM chain of a contract that has signed; 0 where a key has signed, which holds on all chains of its family.
    chain_id bigint NOT NULL CHECK (chain_id >= 0),
    proven_at timestamptz NOT NULL,
    PRIMARY KEY (wallet, address, chain_id)
  );
  CREATE INDEX proven_receivers_address ON proven_receivers (address);
`;

const transferIndex = (condition: string): string => `
  DROP INDEX paylink_payments_transfer;
  CREATE UNIQUE INDEX paylink_payments_transfer ON paylink_payments (chain, tx_hash, log_index) WHERE ${condition};
`;

const confirmations = `
  ALTER TABLE paylink_payments
    -- The merchant confirmed it by hand; no node has verified it.
    ADD COLUMN is_confirmed boolean NOT NULL DEFAULT false,
    -- What the receiver held of the token when an unverifiable payment was reported; null where it was not read.
    ADD COLUMN balance_at_report numeric(78,0) CHECK (balance_at_report >= 0),
    ADD CONSTRAINT paylink_payments_confirmed CHECK (NOT is_confirmed OR (status = 'counted' AND NOT is_verified));

  -- A merchant's own confirmation proves nothing to others: it keeps a transfer from no other merchant's link.
  ${transferIndex(`log_index IS NOT NULL AND (is_verified OR status = 'pending')`)}

  ALTER TABLE dashboard_transactions ADD COLUMN is_confirmed boolean NOT NULL DEFAULT false;
  ALTER TABLE dashboard_sums ADD COLUMN confirmed bigint NOT NULL DEFAULT 0;
`;

const withoutConfirmations = `
  ALTER TABLE dashboard_sums DROP COLUMN confirmed;
  ALTER TABLE dashboard_transactions DROP COLUMN is_confirmed;
  -- The index that comes back has room for one payment of each transfer: the verified one, or else the first.
  UPDATE paylink_payments p SET status = 'rejected', is_confirmed = false, reason = 'The transfer counts for another PayLink.',
      log_index = NULL, amount = NULL, payer = NULL, height = NULL, block_hash = NULL, paid_at = NULL, value_usd = NULL
    FROM (SELECT id, row_number() OVER (PARTITION BY chain, tx_hash, log_index ORDER BY is_verified DESC, seq) AS place
      FROM paylink_payments WHERE log_index IS NOT NULL) ranked
    WHERE ranked.id = p.id AND ranked.place > 1;
  ${transferIndex('log_index IS NOT NULL')}
  ALTER TABLE paylink_payments DROP COLUMN balance_at_report, DROP COLUMN is_confirmed;
`;
