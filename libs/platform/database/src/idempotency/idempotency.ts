import {
  DomainError,
  replyRetentionMs,
  replyOf,
  type CallContext,
  type Claim,
  type Claimed,
  type ErrorCode,
  type KeyedCall,
  type ReplyStore,
  type StoredReply,
} from '@tollbridge/rpc';
import { secretValues } from '@tollbridge/config';
import { createHash, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Clock } from '../clock';
import { commitActionsOf, type TransactionClient } from '../database';
import { ReplySeal } from './sealed-reply';

/** Table of idempotency keys and the replies to their calls. */
export const idempotencyTable = `
  CREATE TABLE idempotency_keys (
    -- SHA-256 of the operation and of what the gateway makes of caller and key; neither stands here.
    key bytea PRIMARY KEY CHECK (octet_length(key) = 32),
    -- HMAC of the input under what is not stored: inputs can be compared, not guessed.
    input bytea NOT NULL CHECK (octet_length(input) = 32),
    -- The process that serves the call, and until when.
    claim uuid NOT NULL,
    lease_until timestamptz NOT NULL,
    -- As it travels on the bus, which takes no more than this. Sealed where it holds a secret.
    reply bytea CONSTRAINT idempotency_reply_fits CHECK (octet_length(reply) <= 1000000),
    is_sealed boolean NOT NULL DEFAULT false,
    -- The code, where the reply is a failure.
    failure text,
    answered_at timestamptz,
    created_at timestamptz NOT NULL,
    CONSTRAINT idempotency_answered CHECK ((reply IS NULL) = (answered_at IS NULL))
  );
  CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
`;

export const dropIdempotencyTable = 'DROP TABLE idempotency_keys;';

interface Row {
  claim: string;
  input: Buffer;
  reply: Buffer | null;
  is_sealed: boolean;
  failure: ErrorCode | null;
  answered_at: Date | null;
}

const isOver = 'k.created_at <= $6 AND (k.answered_at IS NOT NULL OR k.lease_until <= $5)';
const isAbandoned = 'k.answered_at IS NULL AND k.lease_until <= $5 AND k.input = excluded.input';
const whenFree = (column: string, whenAbandoned: string): string =>
  `${column} = CASE WHEN ${isOver} THEN excluded.${column} WHEN ${isAbandoned} THEN ${whenAbandoned} ELSE k.${column} END`;

/**
 * Claims the key and returns its row in one statement. The row is new, taken over, or owned by another claim. The
 * statement waits for a transaction that is storing the reply, because that transaction has locked the row.
 */
const claimStatement = `
  INSERT INTO idempotency_keys AS k (key, input, claim, lease_until, created_at) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (key) DO UPDATE SET
    ${whenFree('claim', 'excluded.claim')}, ${whenFree('lease_until', 'excluded.lease_until')},
    ${['input', 'reply', 'is_sealed', 'failure', 'answered_at', 'created_at'].map((it) => whenFree(it, `k.${it}`)).join(', ')}
  RETURNING k.claim, k.input, k.reply, k.is_sealed, k.failure, k.answered_at`;

/**
 * Stores replies in the service's own schema, so that a reply is written in the transaction of the change that it
 * reports. SQL: conditional upserts on that transaction's connection, prepared for every call with a key.
 */
export class DatabaseReplies implements ReplyStore {
  readonly #secrets: readonly string[];

  /**
   * @param secret encrypts replies; required in services with operations that return secrets. Two secrets
   * during a rotation, the new one first
   */
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    secret = '',
  ) {
    this.#secrets = secretValues(secret);
  }

  async claim(call: KeyedCall): Promise<Claimed> {
    const { subject, requestId, idempotencyKey, input, leaseMs, hasSecretReply } = call;
    const row = createHash('sha256').update(`${subject} ${idempotencyKey}`).digest();
    const isSealing = this.#secrets.length > 0;
    const seal = isSealing ? new ReplySeal(this.#secrets, idempotencyKey, row) : undefined;
    if (hasSecretReply && !seal)
      throw new Error(`${subject} needs a secret that its replies are sealed under`);
    const id = randomUUID();
    const nowMs = this.clock.now();
    const times = [nowMs + leaseMs, nowMs, nowMs - replyRetentionMs].map((ms) => new Date(ms));
    const values = [row, input, id, ...times];
    const { rows } = await this.pool.query<Row>({ name: 'idempotency-claim', text: claimStatement, values });
    const found = rows[0]!;
    if (found.claim === id) {
      const sealing = hasSecretReply ? seal : undefined;
      return {
        state: 'claimed',
        claim: new DatabaseClaim(this.pool, this.clock, { id, row, sealing, requestId }, idempotencyKey),
      };
    }
    if (!found.input.equals(input)) return { state: 'otherInput' };
    const reply = storedReply(found, seal);
    return reply ? { state: 'answered', reply } : { state: 'running' };
  }

  /** Deletes at most `limit` expired keys. @returns the number of deleted keys */
  async deleteOld(limit: number): Promise<number> {
    const nowMs = this.clock.now();
    const { rowCount } = await this.pool.query({
      name: 'idempotency-delete',
      text: `DELETE FROM idempotency_keys WHERE key = ANY(ARRAY(
               SELECT key FROM idempotency_keys WHERE created_at <= $1 AND (answered_at IS NOT NULL OR lease_until <= $2)
               ORDER BY created_at LIMIT $3 FOR UPDATE SKIP LOCKED))`,
      values: [new Date(nowMs - replyRetentionMs), new Date(nowMs), limit],
    });
    return rowCount ?? 0;
  }
}

interface ClaimParts {
  id: string;
  row: Buffer;
  sealing: ReplySeal | undefined;
  requestId: string;
}

class DatabaseClaim implements Claim {
  committed: StoredReply | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly parts: ClaimParts,
    readonly idempotencyKey: string,
  ) {}

  async store(result: unknown): Promise<StoredReply | undefined> {
    return (await this.write(this.pool, result)) ?? this.own();
  }

  async release(): Promise<StoredReply | undefined> {
    const { row, id } = this.parts;
    // This update also waits for a commit with an unknown outcome, which holds the row lock.
    const { rowCount } = await this.pool.query({
      name: 'idempotency-release',
      text: 'UPDATE idempotency_keys SET lease_until = $3 WHERE key = $1 AND claim = $2 AND answered_at IS NULL',
      values: [row, id, new Date(this.clock.now())],
    });
    return rowCount === 0 ? this.own() : undefined;
  }

  /**
   * Stores the reply in a transaction. @throws DomainError when the claim was taken over: the transaction
   * must roll back
   */
  async storeIn(client: TransactionClient, result: unknown): Promise<void> {
    // Called first, because it throws outside of a transaction, before anything is written.
    const actions = commitActionsOf(client);
    const reply = await this.write(client, result);
    if (!reply) throw new DomainError('IDEMPOTENCY_IN_PROGRESS');
    actions.push(() => (this.committed = reply));
  }

  private async write(client: TransactionClient | Pool, result: unknown): Promise<StoredReply | undefined> {
    const { row, id, sealing, requestId } = this.parts;
    const answeredAtMs = this.clock.now();
    const { bytes, failure } = replyOf(result, requestId);
    const { rowCount } = await client.query({
      name: 'idempotency-store',
      text: `UPDATE idempotency_keys SET reply = $3, is_sealed = $4, failure = $5, answered_at = $6
             WHERE key = $1 AND claim = $2 AND answered_at IS NULL`,
      values: [row, id, sealing ? sealing.seal(bytes) : bytes, !!sealing, failure, new Date(answeredAtMs)],
    });
    return rowCount === 0 ? undefined : { bytes, failure, answeredAtMs };
  }

  /** Returns the reply that this claim has already stored. */
  private async own(): Promise<StoredReply | undefined> {
    const { row, id, sealing } = this.parts;
    const { rows } = await this.pool.query<Row>({
      name: 'idempotency-own',
      text: `SELECT claim, input, reply, is_sealed, failure, answered_at FROM idempotency_keys
             WHERE key = $1 AND claim = $2`,
      values: [row, id],
    });
    return rows[0] && storedReply(rows[0], sealing);
  }
}

function storedReply(
  { reply, is_sealed, failure, answered_at }: Row,
  seal: ReplySeal | undefined,
): StoredReply | undefined {
  if (!reply || !answered_at) return undefined;
  if (is_sealed && !seal) throw new Error('a sealed reply cannot be opened: its secret is not configured');
  return { bytes: is_sealed ? seal!.open(reply) : reply, failure, answeredAtMs: answered_at.getTime() };
}

/**
 * Stores the reply to a call with an idempotency key in the transaction of its write. Both are committed or
 * neither. After the commit the caller gets this reply, regardless of the handler's result. For calls without
 * a key it does nothing.
 * @param client connection of a running `transaction`
 * @param result the output of the operation, or the `DomainError` that the handler throws
 * @throws DomainError when another process has taken over the call: the transaction must roll back
 */
export async function storeReply(
  client: TransactionClient,
  { claim }: Pick<CallContext, 'claim'>,
  result: unknown,
): Promise<void> {
  if (!claim) return;
  if (!(claim instanceof DatabaseClaim)) throw new Error('this call was claimed outside of the database');
  await claim.storeIn(client, result);
}
