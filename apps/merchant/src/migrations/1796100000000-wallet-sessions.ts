import type { MigrationInterface, QueryRunner } from 'typeorm';

export class WalletSessions1796100000000 implements MigrationInterface {
  readonly name = 'WalletSessions1796100000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(walletSessions);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sign_in_records, contract_wallets, spent_nonces, wallet_sessions');
  }
}

const walletSessions = `
  CREATE TABLE wallet_sessions (
    id uuid PRIMARY KEY,
    -- In its canonical form.
    wallet text NOT NULL CHECK (wallet <> ''),
    -- All that is kept of the token: an HMAC, worth nothing without the pepper, which is not in this database.
    token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    scheme text NOT NULL CHECK (scheme IN ('eip4361', 'ton_proof', 'solana')),
    -- EVM only.
    chain_id bigint CHECK (chain_id > 0),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz
  );
  CREATE INDEX wallet_sessions_wallet ON wallet_sessions (wallet, created_at DESC, id DESC) WHERE revoked_at IS NULL;
  CREATE INDEX wallet_sessions_expires ON wallet_sessions (expires_at);

  -- Nonces carry what they were issued for, so only those stand here that made a session, until they expire.
  CREATE TABLE spent_nonces (
    nonce bytea PRIMARY KEY CHECK (octet_length(nonce) = 32),
    expires_at timestamptz NOT NULL
  );
  CREATE INDEX spent_nonces_expires ON spent_nonces (expires_at);

  -- The chain on which a contract wallet has proven itself first: the contract at the same address of another chain may
  -- belong to somebody else.
  CREATE TABLE contract_wallets (
    wallet text PRIMARY KEY CHECK (wallet <> ''),
    chain_id bigint NOT NULL CHECK (chain_id > 0),
    proven_at timestamptz NOT NULL
  );
  CREATE INDEX contract_wallets_proven ON contract_wallets (proven_at);

  -- Who signed in, and who was refused; no signature and no token.
  CREATE TABLE sign_in_records (
    id uuid PRIMARY KEY,
    wallet text NOT NULL,
    scheme text NOT NULL,
    outcome text NOT NULL CHECK (outcome IN ('signed_in', 'refused')),
    -- Why it was refused; empty otherwise.
    reason text NOT NULL CHECK ((outcome = 'refused') = (reason <> '')),
    -- The network of the caller's address.
    caller text NOT NULL,
    day date NOT NULL,
    -- Refusals of one day that are alike are one row.
    count integer NOT NULL CHECK (count > 0),
    first_at timestamptz NOT NULL,
    last_at timestamptz NOT NULL
  );
  CREATE UNIQUE INDEX sign_in_records_refusals ON sign_in_records (wallet, reason, caller, day) WHERE outcome = 'refused';
  CREATE INDEX sign_in_records_last ON sign_in_records (last_at);
`;
