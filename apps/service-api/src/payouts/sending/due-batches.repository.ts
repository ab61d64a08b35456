import { Inject, Injectable } from '@nestjs/common';
import { Clock, Database, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import type { BatchOutcome } from './batch-outcome';
import { stateAfter, type BatchStatus } from './batch';
import { lockPayout, relayerContext, transitionPayout } from './payout-transitions.repository';

/** A batch that is due. */
export interface DueBatch {
  payoutId: string;
  index: number;
}

/**
 * Leases due batches and stores their outcome. SQL: due rows are leased, and storing an outcome locks the payout's row.
 */
@Injectable()
export class DueBatchesRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** Leases due batches. */
  async takeDue(leaseMs: number, limit: number): Promise<DueBatch[]> {
    const { rows } = await this.pool.query<{ payout_id: string; place: number }>({
      name: 'payout-batches-due',
      text: `WITH due AS MATERIALIZED (
               SELECT payout_id, place FROM payout_batches WHERE check_at <= $1
               ORDER BY check_at LIMIT $3 FOR UPDATE SKIP LOCKED)
             UPDATE payout_batches b SET check_at = $2 FROM due
             WHERE b.payout_id = due.payout_id AND b.place = due.place RETURNING b.payout_id, b.place`,
      values: [this.now(), new Date(this.clock.now() + leaseMs), limit],
    });
    return rows.map(({ payout_id, place }) => ({ payoutId: payout_id, index: place }));
  }

  /** Returns the time of the next due batch or overdue approval; null when there is neither. */
  async nextDueMs(): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'payouts-next-due',
      text: `SELECT least(
               (SELECT min(check_at) FROM payout_batches WHERE check_at IS NOT NULL),
               (SELECT min(approve_until) FROM payouts WHERE state = 'awaiting_approval')) AS at`,
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  async fromHeight(payoutId: string): Promise<number> {
    const { rows } = await this.pool.query<{ from_height: string }>({
      name: 'payout-from-height',
      text: 'SELECT from_height FROM payouts WHERE id = $1',
      values: [payoutId],
    });
    return Number(rows[0]!.from_height);
  }

  /** Stores the time of a batch's next poll, and the reason why it is not paid yet. */
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

  /** Stores that the nonce was consumed finally without paying the batch. The batch becomes ready for another nonce. */
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

  /** Stores that the batch was paid finally. @param firstPlace position of its first recipient in the payout */
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

  /** Stores that the batch was not paid and can no longer be paid. */
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
      await lockPayout(client, payoutId);
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
      await transitionPayout(
        client,
        { payoutId, state: stateAfter(batches), at: this.now() },
        relayerContext(),
      );
    });
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
