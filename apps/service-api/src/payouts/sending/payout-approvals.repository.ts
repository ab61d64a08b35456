import { Inject, Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import { Clock, Database, storeReply, transaction } from '@tollbridge/database';
import type { Pool } from 'pg';
import { lockPayout, relayerContext, transitionPayout } from './payout-transitions.repository';

export interface Approval {
  payoutId: string;
  /** The approving key; null when the wallet itself approves. */
  keyId: string | null;
  signatures: readonly string[];
  /** The first block that may contain a transaction of the payout. */
  fromHeight: number;
}

/** Stores decisions about payouts that wait for approval. SQL: each change locks the row of its payout. */
@Injectable()
export class PayoutApprovalsRepository {
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
      if ((await lockPayout(client, payoutId)) !== 'awaiting_approval') return false;
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
      await transitionPayout(client, { payoutId, state: 'sending', at: this.now() }, context);
      await storeReply(client, context, reply);
      return true;
    });
  }

  /** Ends a payout that waits for approval. Returns false when it does not wait. */
  end(
    payoutId: string,
    state: 'rejected' | 'expired',
    { context = relayerContext(), reply }: { context?: CallContext; reply?: object } = {},
  ): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      if ((await lockPayout(client, payoutId)) !== 'awaiting_approval') return false;
      await client.query({
        name: 'payout-batches-end',
        text: "UPDATE payout_batches SET status = 'failed', reason = $2 WHERE payout_id = $1",
        values: [
          payoutId,
          state === 'rejected' ? 'the payout was rejected' : 'the payout was not approved in time',
        ],
      });
      await transitionPayout(client, { payoutId, state, at: this.now() }, context);
      if (reply) await storeReply(client, context, reply);
      return true;
    });
  }

  /** Returns the ids of payouts with an overdue approval. */
  async unapproved(limit: number): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>({
      name: 'payouts-unapproved',
      text: `SELECT id FROM payouts WHERE state = 'awaiting_approval' AND approve_until <= $1
             ORDER BY approve_until LIMIT $2`,
      values: [this.now(), limit],
    });
    return rows.map(({ id }) => id);
  }

  private now(): Date {
    return new Date(this.clock.now());
  }
}
