import { Injectable } from '@nestjs/common';
import { sessionEvents, type VerifyReply } from '@tollbridge/contracts';
import type { CallContext } from '@tollbridge/rpc';
import { Database, keepReply, transaction } from '@tollbridge/database';
import type { ProofRefusal, SignInScheme, Wallet } from '@tollbridge/wallet-proof';
import { timingSafeEqual } from 'node:crypto';
import type { ClientBase, Pool } from 'pg';
import { v7 as uuid } from 'uuid';

export interface WalletSession {
  id: string;
  wallet: string;
  scheme: SignInScheme;
  /** EVM only. */
  chainId: number | null;
  createdAtMs: number;
  expiresAtMs: number;
}

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
  scheme: SignInScheme;
  chain_id: string | null;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

/** Sessions of one wallet at a time; a further one ends the oldest. */
export const mostSessions = 100;

/** The only file that reads and writes sessions, spent nonces, and records of who signed in. */
@Injectable()
export class AuthRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  /** Makes a session of a proof, or says why not: of any number that use one nonce at the same time, one gets it. */
  open(
    session: NewSession,
    proof: AcceptedProof,
    context: CallContext,
    reply: VerifyReply,
  ): Promise<ProofRefusal | undefined> {
    return transaction(this.pool, async (client) => {
      // One after the other, so that each sees all sessions of the wallet.
      await client.query({ name: 'session-wallet', text: lockWallet, values: [session.wallet] });
      if (proof.isContract && !(await keepsToItsChain(client, session))) return 'other_chain';
      if (!(await spendNonce(client, proof))) return 'nonce_used';
      await client.query({ name: 'session-insert', text: insertSession, values: valuesOf(session) });
      await client.query({
        name: 'session-crowded',
        text: revokeStatement(
          `SELECT s.id FROM wallet_sessions s WHERE s.wallet = $1 AND s.revoked_at IS NULL AND s.expires_at > $2
           ORDER BY s.created_at DESC, s.id DESC OFFSET ${mostSessions} FOR UPDATE`,
        ),
        values: [session.wallet, new Date(session.createdAtMs), ...traceOf(context)],
      });
      await client.query({ name: 'sign-in-record', text: recordSignIn, values: recordOf(session, context) });
      await keepReply(client, context, reply);
      return undefined;
    });
  }

  /** By the HMAC of its token, as secrets of keys are found; also one that is over. */
  async find(tokenHash: Buffer): Promise<(WalletSession & { isRevoked: boolean }) | undefined> {
    const { rows } = await this.pool.query<SessionRow>({
      name: 'session-by-token',
      text: 'SELECT * FROM wallet_sessions WHERE token_hash = $1',
      values: [tokenHash],
    });
    const row = rows.find((found) => timingSafeEqual(found.token_hash, tokenHash));
    return row && { ...fromRow(row), isRevoked: row.revoked_at !== null };
  }

  /** Those that are taken, newest first. */
  async list(wallet: string, nowMs: number): Promise<WalletSession[]> {
    const { rows } = await this.pool.query<SessionRow>({
      name: 'sessions-of-wallet',
      text: `SELECT * FROM wallet_sessions WHERE wallet = $1 AND revoked_at IS NULL AND expires_at > $2
             ORDER BY created_at DESC, id DESC LIMIT ${mostSessions}`,
      values: [wallet, new Date(nowMs)],
    });
    return rows.map(fromRow);
  }

  /** Whether there was such a session of this wallet. */
  async revoke(wallet: string, id: string, nowMs: number, context: CallContext): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'session-revoke',
      text: revokeStatement(
        `SELECT s.id FROM wallet_sessions s WHERE s.wallet = $1 AND s.id = $5 AND s.revoked_at IS NULL AND s.expires_at > $2
         FOR UPDATE`,
      ),
      values: [wallet, new Date(nowMs), ...traceOf(context), id],
    });
    return rowCount === 1;
  }

  async revokeAll(wallet: string, nowMs: number, context: CallContext): Promise<void> {
    const statement = {
      name: 'sessions-revoke-all',
      text: revokeStatement(
        `SELECT s.id FROM wallet_sessions s WHERE s.wallet = $1 AND s.revoked_at IS NULL AND s.expires_at > $2
         ORDER BY s.id FOR UPDATE`,
      ),
      values: [wallet, new Date(nowMs), ...traceOf(context)],
    };
    await transaction(this.pool, (client) => client.query(statement));
  }

  /** Refusals of one day that are alike are one row; wallets without any session share theirs, as anybody can make up wallets. */
  async noteRefusal(
    { address, scheme }: Wallet,
    reason: ProofRefusal,
    nowMs: number,
    context: CallContext,
  ): Promise<void> {
    await this.pool.query({
      name: 'sign-in-refusal',
      text: `INSERT INTO sign_in_records AS r (id, wallet, scheme, outcome, reason, caller, day, count, first_at, last_at)
             SELECT $1, CASE WHEN EXISTS (SELECT FROM wallet_sessions WHERE wallet = $2 AND revoked_at IS NULL) THEN $2 ELSE '' END,
               $3, 'refused', $4, $5, ($6::timestamptz AT TIME ZONE 'UTC')::date, 1, $6, $6
             ON CONFLICT (wallet, reason, caller, day) WHERE outcome = 'refused'
             DO UPDATE SET count = least(r.count + 1, 2147483646), last_at = greatest(r.last_at, excluded.last_at)`,
      values: [uuid(), address, scheme, reason, context.caller ?? '', new Date(nowMs)],
    });
  }

  /** Deletes what nobody needs any more, at most `limit` rows of each kind, and answers whether there may be more. */
  async sweep(nowMs: number, limit: number): Promise<boolean> {
    const counts: number[] = [];
    for (const { name, table, key, column, keptForMs, unless = 'false' } of swept) {
      const { rowCount } = await this.pool.query({
        name: `sweep-${name}`,
        text: `DELETE FROM ${table} WHERE ${key} IN (
                 SELECT ${key} FROM ${table} WHERE ${column} <= $1 AND NOT (${unless}) ORDER BY ${column} LIMIT $2 FOR UPDATE SKIP LOCKED)`,
        values: [new Date(nowMs - keptForMs), limit],
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
  keptForMs: number;
  unless?: string;
}[] = [
  // An hour more than they need, in case that the database's clock is set back.
  { name: 'nonces', table: 'spent_nonces', key: 'nonce', column: 'expires_at', keptForMs: dayMs / 24 },
  // So that who goes on using one is told why it is not taken.
  { name: 'sessions', table: 'wallet_sessions', key: 'id', column: 'expires_at', keptForMs: 30 * dayMs },
  { name: 'records', table: 'sign_in_records', key: 'id', column: 'last_at', keptForMs: 90 * dayMs },
  {
    name: 'contracts',
    table: 'contract_wallets',
    key: 'wallet',
    column: 'proven_at',
    keptForMs: 365 * dayMs,
    // Without its row the wallet would own payments to the same address of every chain.
    unless: `EXISTS (SELECT FROM api_keys WHERE owner = wallet AND deleted_at IS NULL)
      OR EXISTS (SELECT FROM paylinks l WHERE l.wallet = contract_wallets.wallet AND l.deleted_at IS NULL)`,
  },
];

const { subject, type, version } = sessionEvents['session-revoked'];
const revokedAt = `to_char(r.revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Ends the sessions that `chosen` selects, at $2, and tells it; $3 and $4 are the request and its trace. */
const revokeStatement = (chosen: string): string => `
  WITH chosen AS (${chosen}), revoked AS (
    UPDATE wallet_sessions s SET revoked_at = $2 FROM chosen WHERE s.id = chosen.id RETURNING s.*
  ), told AS (
    INSERT INTO outbox (id, subject, aggregate_id, payload)
    SELECT r.event_id, '${subject}', r.id::text, json_build_object(
      'id', r.event_id, 'type', '${type}', 'version', ${version}, 'aggregateId', r.id, 'aggregateVersion', 1,
      'occurredAt', ${revokedAt}, 'requestId', $3::text, 'traceparent', $4::text,
      'data', json_build_object('id', r.id, 'wallet', r.wallet, 'version', 1, 'updated_at', ${revokedAt}))
    FROM (SELECT gen_random_uuid() AS event_id, revoked.* FROM revoked OFFSET 0) r
  )
  SELECT id FROM revoked`;

const lockWallet = `SELECT pg_advisory_xact_lock(hashtextextended('wallet_sessions ' || $1, 0))`;

const insertSession = `
  INSERT INTO wallet_sessions (id, wallet, token_hash, scheme, chain_id, created_at, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const recordSignIn = `
  INSERT INTO sign_in_records (id, wallet, scheme, outcome, reason, caller, day, count, first_at, last_at)
  VALUES ($1, $2, $3, 'signed_in', '', $4, ($5::timestamptz AT TIME ZONE 'UTC')::date, 1, $5, $5)`;

/** Whether the contract has proven itself on this chain before, or nowhere. */
async function keepsToItsChain(
  client: ClientBase,
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

/** Whether the nonce was unused until now. */
export async function spendNonce(
  client: ClientBase,
  { nonce, nonceExpiresAtMs }: Pick<AcceptedProof, 'nonce' | 'nonceExpiresAtMs'>,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'nonce-spend',
    text: 'INSERT INTO spent_nonces (nonce, expires_at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [Buffer.from(nonce, 'hex'), new Date(nonceExpiresAtMs)],
  });
  return rowCount === 1;
}

const traceOf = ({ requestId, traceparent }: CallContext): string[] => [requestId, traceparent];

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
