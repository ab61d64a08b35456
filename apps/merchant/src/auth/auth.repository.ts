import { Injectable } from '@nestjs/common';
import { sessionEvents } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import { Database, lockRows, transaction, type TransactionClient } from '@tollbridge/database';
import type { ProofRejection, SignInScheme, Wallet } from '@tollbridge/wallet-proof';
import { timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { appendEvents } from '../events/events.repository';
import type { SecretHashes } from '../keys/secret-hash';
import { Peppers } from '../peppers/peppers';

export interface WalletSession {
  id: string;
  wallet: string;
  scheme: SignInScheme;
  /** The EIP-155 chain id; null for other schemes than EVM. */
  chainId: number | null;
  createdAtMs: number;
  expiresAtMs: number;
}

/** `outdated` is the stored hash when it was made with the former pepper or has no pepper id. */
export type FoundSession = WalletSession & { isRevoked: boolean; outdated?: Buffer };

export type NewSession = WalletSession & { tokenHash: Buffer };

export interface AcceptedProof {
  nonce: string;
  nonceExpiresAtMs: number;
  isContract: boolean;
}

interface SessionRow {
  id: string;
  wallet: string;
  token_hash: Buffer;
  pepper_id: Buffer | null;
  scheme: SignInScheme;
  chain_id: string | null;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

/** The maximum number of valid sessions of a wallet; a further sign-in revokes the oldest. */
export const mostSessions = 100;

/**
 * The only file that reads and writes sessions, spent nonces and sign-in records. Uses SQL because a sign-in is one
 * transaction under a lock, and the other writes are conditional or set-based. The reads share their row type.
 */
@Injectable()
export class AuthRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    private readonly peppers: Peppers,
  ) {
    this.pool = pool;
  }

  /**
   * Opens a session for a proof.
   * @param also makes further writes in the same transaction
   * @returns the reason of a rejection; of concurrent sign-ins with the same nonce, only one succeeds
   */
  open(
    session: NewSession,
    proof: AcceptedProof,
    context: CallContext,
    also: (client: TransactionClient) => Promise<void>,
  ): Promise<ProofRejection | undefined> {
    return transaction(this.pool, async (client) => {
      // Serialises the sign-ins of a wallet, so that each sees all of its sessions.
      await lockRows(client, 'sessions', [session.wallet]);
      if (proof.isContract && !(await isOnItsChain(client, session))) return 'other_chain';
      if (!(await spendNonce(client, proof))) return 'nonce_used';
      const values = [...valuesOf(session), this.peppers.currentId];
      await client.query({ name: 'session-insert', text: insertSession, values });
      const excess = { wallet: session.wallet, nowMs: session.createdAtMs, context };
      await revokeSessions(client, revokeExcess, excess);
      await client.query({ name: 'sign-in-record', text: recordSignIn, values: recordOf(session, context) });
      await also(client);
      return undefined;
    });
  }

  /** Finds a session by the HMACs of its token, expired and revoked ones included. */
  async find(hashes: SecretHashes): Promise<FoundSession | undefined> {
    const { rows } = await this.pool.query<SessionRow>(
      hashes.length === 1 ? { ...findByToken, values: [hashes[0]] } : { ...findByTokens, values: [hashes] },
    );
    for (const row of rows) {
      // Compares every hash, even after a match, so that the time does not reveal which hash matched.
      const matches = hashes.map((hash) => timingSafeEqual(row.token_hash, hash!));
      if (!matches.includes(true)) continue;
      const session = { ...fromRow(row), isRevoked: row.revoked_at !== null };
      const isNamed = row.pepper_id !== null && row.pepper_id.equals(this.peppers.currentId);
      const isCurrent = hashes.length === 1 || (matches[0] && isNamed);
      return isCurrent ? session : { ...session, outdated: row.token_hash };
    }
    return undefined;
  }

  /** Replaces the hash of a verified token by its hash under the current pepper. */
  async rehash({ id }: WalletSession, stored: Buffer, [current]: SecretHashes): Promise<void> {
    await this.pool.query({
      name: 'session-rehash',
      text: 'UPDATE wallet_sessions SET token_hash = $3, pepper_id = $4 WHERE id = $1 AND token_hash = $2',
      values: [id, stored, current, this.peppers.currentId],
    });
  }

  /** The valid sessions of a wallet, newest first. */
  async list(wallet: string, nowMs: number): Promise<WalletSession[]> {
    const { rows } = await this.pool.query<SessionRow>({
      name: 'sessions-of-wallet',
      text: `SELECT * FROM wallet_sessions WHERE wallet = $1 AND revoked_at IS NULL AND expires_at > $2
             ORDER BY created_at DESC, id DESC LIMIT ${mostSessions}`,
      values: [wallet, new Date(nowMs)],
    });
    return rows.map(fromRow);
  }

  /** @returns false when the wallet has no valid session with this id */
  async revoke(wallet: string, id: string, nowMs: number, context: CallContext): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const revoked = await revokeSessions(client, revokeOne, { wallet, nowMs, context }, [id]);
      return revoked === 1;
    });
  }

  async revokeAll(wallet: string, nowMs: number, context: CallContext): Promise<void> {
    await transaction(this.pool, (client) => revokeSessions(client, revokeAll, { wallet, nowMs, context }));
  }

  /**
   * Counts a rejected sign-in. Wallets without a session share one row, because a client can invent any number of
   * addresses.
   */
  async recordRejection(
    { address, scheme }: Wallet,
    reason: ProofRejection,
    nowMs: number,
    context: CallContext,
  ): Promise<void> {
    await this.pool.query({
      name: 'sign-in-rejection',
      text: `INSERT INTO sign_in_records AS r (id, wallet, scheme, outcome, reason, caller, day, count, first_at, last_at)
             SELECT $1, CASE WHEN EXISTS (SELECT FROM wallet_sessions WHERE wallet = $2 AND revoked_at IS NULL) THEN $2 ELSE '' END,
               $3, 'refused', $4, $5, ($6::timestamptz AT TIME ZONE 'UTC')::date, 1, $6, $6
             ON CONFLICT (wallet, reason, caller, day) WHERE outcome = 'refused'
             DO UPDATE SET count = least(r.count + 1, 2147483646), last_at = greatest(r.last_at, excluded.last_at)`,
      values: [uuid(), address, scheme, reason, context.caller ?? '', new Date(nowMs)],
    });
  }

  /** Deletes at most `limit` expired rows of each table. @returns whether more expired rows may remain */
  async sweep(nowMs: number, limit: number): Promise<boolean> {
    const counts: number[] = [];
    for (const { name, table, key, column, retentionMs, unless = 'false' } of swept) {
      const { rowCount } = await this.pool.query({
        name: `sweep-${name}`,
        text: `DELETE FROM ${table} WHERE ${key} = ANY(ARRAY(
                 SELECT ${key} FROM ${table} WHERE ${column} <= $1 AND NOT (${unless}) ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
        values: [new Date(nowMs - retentionMs), limit],
      });
      counts.push(rowCount ?? 0);
    }
    return counts.some((count) => count === limit);
  }
}

const dayMs = 24 * 60 * 60_000;
const swept: {
  name: string;
  table: string;
  key: string;
  column: string;
  retentionMs: number;
  unless?: string;
}[] = [
  // Nonces are retained for an hour after their expiry, in case the database's clock is set back.
  { name: 'nonces', table: 'spent_nonces', key: 'nonce', column: 'expires_at', retentionMs: dayMs / 24 },
  // Expired sessions are retained for a while, so that a client learns why its token is rejected.
  { name: 'sessions', table: 'wallet_sessions', key: 'id', column: 'expires_at', retentionMs: 30 * dayMs },
  { name: 'records', table: 'sign_in_records', key: 'id', column: 'last_at', retentionMs: 90 * dayMs },
  {
    name: 'contracts',
    table: 'contract_wallets',
    key: 'wallet',
    column: 'proven_at',
    retentionMs: 365 * dayMs,
    // The row binds the wallet to its chain for as long as the wallet has API keys or PayLinks.
    unless: `EXISTS (SELECT FROM api_keys WHERE owner = wallet AND deleted_at IS NULL)
      OR EXISTS (SELECT FROM paylinks l WHERE l.wallet = contract_wallets.wallet AND l.deleted_at IS NULL)`,
  },
];

const validSessions = 'wallet = $1 AND revoked_at IS NULL AND expires_at > $2';

/** A statement that revokes, at time $2, the valid sessions of wallet $1 that match the condition `selection`. */
const revokeStatement = (name: string, selection: string): { name: string; text: string } => ({
  name,
  text: `UPDATE wallet_sessions SET revoked_at = $2
         WHERE id IN (SELECT id FROM wallet_sessions WHERE ${validSessions} ${selection} FOR UPDATE) RETURNING id`,
});

const revokeOne = revokeStatement('session-revoke', 'AND id = $3');
const revokeAll = revokeStatement('sessions-revoke-all', 'ORDER BY id');
const revokeExcess = revokeStatement(
  'sessions-revoke-excess',
  `ORDER BY created_at DESC, id DESC OFFSET ${mostSessions}`,
);

/** Revokes sessions and appends their events to the outbox. @returns the number of revoked sessions */
async function revokeSessions(
  client: TransactionClient,
  statement: { name: string; text: string },
  { wallet, nowMs, context }: { wallet: string; nowMs: number; context: CallContext },
  more: unknown[] = [],
): Promise<number> {
  const values = [wallet, new Date(nowMs), ...more];
  const { rows } = await client.query<{ id: string }>({ ...statement, values });
  const updatedAt = new Date(nowMs).toISOString();
  const events = rows.map(({ id }) => ({
    aggregateId: id,
    aggregateVersion: 1,
    occurredAtMs: nowMs,
    data: { id, wallet, version: 1, updated_at: updatedAt },
  }));
  await appendEvents(client, sessionEvents['session-revoked'], events, context);
  return rows.length;
}

const insertSession = `
  INSERT INTO wallet_sessions (id, wallet, token_hash, scheme, chain_id, created_at, expires_at, pepper_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

const findByToken = {
  name: 'session-by-token',
  text: 'SELECT * FROM wallet_sessions WHERE token_hash = $1',
};
const findByTokens = {
  name: 'session-by-tokens',
  text: 'SELECT * FROM wallet_sessions WHERE token_hash = ANY ($1::bytea[])',
};

const recordSignIn = `
  INSERT INTO sign_in_records (id, wallet, scheme, outcome, reason, caller, day, count, first_at, last_at)
  VALUES ($1, $2, $3, 'signed_in', '', $4, ($5::timestamptz AT TIME ZONE 'UTC')::date, 1, $5, $5)`;

/** Whether the contract wallet has no earlier proof, or its first proof was on this chain. */
async function isOnItsChain(
  client: TransactionClient,
  { wallet, chainId, createdAtMs }: NewSession,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'contract-wallet-chain',
    text: `INSERT INTO contract_wallets AS c (wallet, chain_id, proven_at) VALUES ($1, $2, $3)
           ON CONFLICT (wallet) DO UPDATE SET proven_at = excluded.proven_at WHERE c.chain_id = excluded.chain_id`,
    values: [wallet, chainId, new Date(createdAtMs)],
  });
  return rowCount === 1;
}

/** Marks a nonce as used. @returns false when the nonce was used before */
export async function spendNonce(
  client: TransactionClient,
  { nonce, nonceExpiresAtMs }: Pick<AcceptedProof, 'nonce' | 'nonceExpiresAtMs'>,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'nonce-spend',
    text: 'INSERT INTO spent_nonces (nonce, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [Buffer.from(nonce, 'hex'), new Date(nonceExpiresAtMs)],
  });
  return rowCount === 1;
}

function valuesOf({ id, wallet, tokenHash, scheme, chainId, createdAtMs, expiresAtMs }: NewSession) {
  return [id, wallet, tokenHash, scheme, chainId, new Date(createdAtMs), new Date(expiresAtMs)];
}

function recordOf({ id, wallet, scheme, createdAtMs }: NewSession, { caller = '' }: CallContext) {
  return [id, wallet, scheme, caller, new Date(createdAtMs)];
}

function fromRow(row: SessionRow): WalletSession {
  return {
    id: row.id,
    wallet: row.wallet,
    scheme: row.scheme,
    chainId: row.chain_id === null ? null : Number(row.chain_id),
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
  };
}
