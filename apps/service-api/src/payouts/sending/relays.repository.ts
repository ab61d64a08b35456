import { Inject, Injectable } from '@nestjs/common';
import type { PayoutState } from '@tollbridge/contracts';
import { callContext, type CallContext } from '@tollbridge/rpc';
import type { SignedCall } from '@tollbridge/evm';
import { Clock, Database, keepReply, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { BatchOutcome } from './batch-outcome';
import { stateAfter, type BatchStatus } from './batch';
import { appendPayoutUpdated } from './payout-events.repository';

/** A batch that is due. */
export interface DueBatch {
  payoutId: string;
  index: number;
}

/** A signed transaction that relays a batch. */
export interface Relay extends SignedCall {
  /** The account of the nonce. */
  relayer: string;
  createdAtMs: number;
}

export interface Relayer {
  chain: string;
  address: string;
}

interface RelayRow {
  hash: string;
  relayer: string;
  nonce: string;
  raw: string;
  gas_limit: string;
  max_fee: string;
  tip: string;
  created_at: Date;
}

export interface Approval {
  payoutId: string;
  keyId: string;
  signatures: readonly string[];
  /** The first block that may hold a transaction of the payout. */
  fromHeight: number;
}

const relayerContext = () => callContext({ principal: 'relayer' });

/** Stores the sending of payouts. SQL: each change locks the row of its payout, nonces are serialized, and due rows are leased. */
@Injectable()
export class RelaysRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** Stores the signatures and starts sending. Returns false when the payout no longer waits for approval. */
  approve(approval: Approval, context: CallContext, reply: object): Promise<boolean> {
    const { payoutId, keyId, signatures, fromHeight } = approval;
    return transaction(this.pool, async (client) => {
      if ((await lock(client, payoutId)) !== 'awaiting_approval') return false;
      await client.query({
        name: 'payout-approve',
        text: 'UPDATE payouts SET approved_by = $2, from_height = $3 WHERE id = $1',
        values: [payoutId, keyId, fromHeight],
      });
      await client.query({
        name: 'payout-batches-sign',
        text: `UPDATE payout_batches SET status = 'ready', signature = ($2::text[])[place + 1], check_at = $3
               WHERE payout_id = $1`,
        values: [payoutId, signatures, this.now()],
      });
      await this.transition(client, payoutId, 'sending', context);
      await keepReply(client, context, reply);
      return true;
    });
  }

  /** Ends a payout that waits for approval. Returns false when it no longer waits. */
  end(
    payoutId: string,
    state: 'rejected' | 'expired',
    { context = relayerContext(), reply }: { context?: CallContext; reply?: object } = {},
  ): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      if ((await lock(client, payoutId)) !== 'awaiting_approval') return false;
      await client.query({
        name: 'payout-batches-end',
        text: "UPDATE payout_batches SET status = 'failed', reason = $2 WHERE payout_id = $1",
        values: [
          payoutId,
          state === 'rejected' ? 'the payout was rejected' : 'the payout was not approved in time',
        ],
      });
      await this.transition(client, payoutId, state, context);
      if (reply) await keepReply(client, context, reply);
      return true;
    });
  }

  /** Payouts with an overdue approval. */
  async unapproved(limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'payouts-unapproved',
      text: `SELECT id FROM payouts WHERE state = 'awaiting_approval' AND approve_until <= $1
             ORDER BY approve_until LIMIT $2`,
      values: [this.now(), limit],
    });
    return rows.map(({ id }) => id);
  }

  /** Leases due batches. */
  async takeDue(leaseMs: number, limit: number): Promise<DueBatch[]> {
    const { rows } = await this.pool.query<{ payout_id: string; place: number }>({
      name: 'payout-batches-due',
      text: `UPDATE payout_batches SET check_at = $2 WHERE (payout_id, place) IN (
               SELECT payout_id, place FROM payout_batches WHERE check_at <= $1
               ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED) RETURNING payout_id, place`,
      values: [this.now(), new Date(this.clock.now() + leaseMs), limit],
    });
    return rows.map(({ payout_id, place }) => ({ payoutId: payout_id, index: place }));
  }

  /** The time of the next due batch or overdue approval; null without one. */
  async nextDueMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'payouts-next-due',
      text: `SELECT least(
               (SELECT min(check_at) FROM payout_batches WHERE check_at IS NOT NULL),
               (SELECT min(approve_until) FROM payouts WHERE state = 'awaiting_approval')) AS at`,
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** The transactions of the batch's current nonce, oldest first. */
  async relaysOf({ payoutId, index }: DueBatch): Promise<Relay[]> {
    const { rows } = await this.pool.query<RelayRow>({
      name: 'payout-relays',
      text: `SELECT r.* FROM payout_relays r JOIN payout_batches b USING (payout_id, place)
             WHERE r.payout_id = $1 AND r.place = $2 AND r.nonce = b.relay_nonce ORDER BY r.created_at, r.max_fee`,
      values: [payoutId, index],
    });
    return rows.map(relayFromRow);
  }

  /** Number of nonces that the batch has used. All but the newest are consumed without paying it. */
  async noncesOf({ payoutId, index }: DueBatch): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>({
      name: 'payout-relay-nonces',
      text: `SELECT count(DISTINCT (relayer, nonce))::int AS count FROM payout_relays
             WHERE payout_id = $1 AND place = $2`,
      values: [payoutId, index],
    });
    return rows[0]!.count;
  }

  async fromHeight(payoutId: string): Promise<number> {
    const { rows } = await this.pool.query<{ from_height: string }>({
      name: 'payout-from-height',
      text: 'SELECT from_height FROM payouts WHERE id = $1',
      values: [payoutId],
    });
    return Number(rows[0]!.from_height);
  }

  /**
   * Assigns the next nonce of a relayer to a batch, and stores the signed transaction before it is broadcast.
   * @param minedCount number of mined transactions of the relayer: the lowest free nonce
   * @param sign signs with the nonce, without I/O
   * @returns undefined when the batch is no longer ready
   */
  add(
    { payoutId, index }: DueBatch,
    { chain, address }: Relayer,
    minedCount: number,
    sign: (nonce: number) => Promise<SignedCall>,
  ): Promise<SignedCall | undefined> {
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'payout-batch-lock-ready',
        text: `SELECT 1 FROM payout_batches WHERE payout_id = $1 AND place = $2 AND status = 'ready' FOR UPDATE`,
        values: [payoutId, index],
      });
      if (rowCount === 0) return undefined;
      // Serialized: a gap between nonces would block all later transactions.
      await client.query({
        name: 'payout-nonce-lock',
        text: "SELECT pg_advisory_xact_lock(hashtextextended('payout-nonce ' || $1, 0))",
        values: [`${chain} ${address}`],
      });
      const { rows } = await client.query<{ nonce: string }>({
        name: 'payout-nonce-take',
        text: `INSERT INTO payout_nonces (chain, relayer, nonce, payout_id, place)
               SELECT $1, $2, greatest($3, coalesce(max(nonce) + 1, 0)), $4, $5 FROM payout_nonces
               WHERE chain = $1 AND relayer = $2 RETURNING nonce`,
        values: [chain, address, minedCount, payoutId, index],
      });
      const relay = await sign(Number(rows[0]!.nonce));
      await this.insertRelay(client, { payoutId, index }, { chain, address }, relay);
      await client.query({
        name: 'payout-batch-send',
        text: `UPDATE payout_batches SET status = 'sending', relay_nonce = $3, tx_hash = $4, reason = NULL
               WHERE payout_id = $1 AND place = $2`,
        values: [payoutId, index, relay.nonce, relay.hash],
      });
      return relay;
    });
  }

  /** Stores a replacement of the same nonce. Returns false when the batch no longer has this nonce. */
  replace(batch: DueBatch, relayer: Relayer, relay: SignedCall): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const { rowCount } = await client.query({
        name: 'payout-batch-lock-sending',
        text: `SELECT 1 FROM payout_batches WHERE payout_id = $1 AND place = $2 AND status = 'sending'
               AND relay_nonce = $3 FOR UPDATE`,
        values: [batch.payoutId, batch.index, relay.nonce],
      });
      if (rowCount === 0) return false;
      await this.insertRelay(client, batch, relayer, relay);
      return true;
    });
  }

  /** Stores the next poll of a batch, and why it is not paid yet. */
  async postpone(
    { payoutId, index }: DueBatch,
    afterMs: number,
    reason: string | null = null,
  ): Promise<void> {
    await this.pool.query({
      name: 'payout-batch-postpone',
      text: `UPDATE payout_batches SET check_at = $3, reason = $4
             WHERE payout_id = $1 AND place = $2 AND status IN ('ready', 'sending')`,
      values: [payoutId, index, new Date(this.clock.now() + afterMs), reason],
    });
  }

  /** The nonce was consumed finally without paying the batch: it becomes ready for another nonce. */
  async releaseNonce(
    { payoutId, index }: DueBatch,
    nonce: number,
    afterMs: number,
    reason: string | null,
  ): Promise<void> {
    await this.pool.query({
      name: 'payout-batch-free',
      text: `UPDATE payout_batches SET status = 'ready', relay_nonce = NULL, tx_hash = NULL, check_at = $4, reason = $5
             WHERE payout_id = $1 AND place = $2 AND status = 'sending' AND relay_nonce = $3`,
      values: [payoutId, index, nonce, new Date(this.clock.now() + afterMs), reason],
    });
  }

  /** The batch was paid finally. @param firstPlace position of its first recipient in the payout */
  paid(batch: DueBatch, firstPlace: number, outcome: BatchOutcome): Promise<void> {
    const { txHash, paidAtomic, feePaidAtomic, rejected } = outcome;
    const places = rejected.map((place) => firstPlace + place);
    return this.endBatch(batch, {
      name: 'payout-batch-paid',
      text: `UPDATE payout_batches SET status = 'paid', tx_hash = $3, paid_atomic = $4, fee_paid_atomic = $5, refused = $6,
               check_at = NULL, relay_nonce = NULL, reason = NULL
             WHERE payout_id = $1 AND place = $2 AND status IN ('ready', 'sending')`,
      values: [txHash, String(paidAtomic), String(feePaidAtomic), places],
    });
  }

  /** The batch was not paid and can no longer be. */
  failed(batch: DueBatch, reason: string): Promise<void> {
    return this.endBatch(batch, {
      name: 'payout-batch-failed',
      text: `UPDATE payout_batches SET status = 'failed', reason = $3, check_at = NULL, relay_nonce = NULL, tx_hash = NULL
             WHERE payout_id = $1 AND place = $2 AND status IN ('ready', 'sending')`,
      values: [reason],
    });
  }

  private endBatch(
    { payoutId, index }: DueBatch,
    { name, text, values }: { name: string; text: string; values: unknown[] },
  ): Promise<void> {
    return transaction(this.pool, async (client) => {
      await lock(client, payoutId);
      const { rowCount } = await client.query({ name, text, values: [payoutId, index, ...values] });
      // Another replica stored the outcome first.
      if (rowCount === 0) return;
      const { rows } = await client.query<{ status: BatchStatus; count: number; refused: number[] }>({
        name: 'payout-batches-status',
        text: 'SELECT status, recipient_count AS count, refused FROM payout_batches WHERE payout_id = $1',
        values: [payoutId],
      });
      const batches = rows.map(({ status, count, refused }) => ({
        status,
        count,
        rejectedCount: refused.length,
      }));
      await this.transition(client, payoutId, stateAfter(batches), relayerContext());
    });
  }

  private async insertRelay(
    client: TransactionClient,
    { payoutId, index }: DueBatch,
    { chain, address }: Relayer,
    { hash, nonce, raw, gasLimit, fees }: SignedCall,
  ): Promise<void> {
    const { maxFeePerGas, maxPriorityFeePerGas } = fees;
    await client.query({
      name: 'payout-relay-insert',
      text: `INSERT INTO payout_relays (hash, chain, relayer, nonce, payout_id, place, raw, gas_limit, max_fee, tip, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
      values: [
        hash,
        chain,
        address,
        nonce,
        payoutId,
        index,
        raw,
        String(gasLimit),
        String(maxFeePerGas),
        String(maxPriorityFeePerGas),
        this.now(),
      ],
    });
  }

  /** Transitions a payout of a locked row, and appends its event. */
  private async transition(
    client: TransactionClient,
    payoutId: string,
    state: PayoutState,
    context: CallContext,
  ): Promise<void> {
    await client.query({
      name: 'payout-transition',
      text: 'UPDATE payouts SET state = $2, version = version + 1, updated_at = $3 WHERE id = $1',
      values: [payoutId, state, this.now()],
    });
    await appendPayoutUpdated(client, payoutId, context);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}

async function lock(client: TransactionClient, payoutId: string): Promise<PayoutState | null> {
  const { rows } = await client.query<{ state: PayoutState | null }>({
    name: 'payout-lock',
    text: 'SELECT state FROM payouts WHERE id = $1 FOR UPDATE',
    values: [payoutId],
  });
  return rows[0]?.state ?? null;
}

function relayFromRow(row: RelayRow): Relay {
  return {
    hash: row.hash,
    relayer: row.relayer,
    nonce: Number(row.nonce),
    raw: row.raw,
    gasLimit: BigInt(row.gas_limit),
    fees: { maxFeePerGas: BigInt(row.max_fee), maxPriorityFeePerGas: BigInt(row.tip) },
    createdAtMs: row.created_at.getTime(),
  };
}
