import { Inject, Injectable } from '@nestjs/common';
import { WorkHints } from '@tollbridge/bootstrap';
import { Clock, Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { v7 as uuid } from 'uuid';
import { settledElsewhere, unsoldOperation, type SaleState, type StoredPayment } from '../sale';
import { lockClaims } from '../sales.repository';
import type { Received } from './received';

/** `later`: a sale has claimed it, and the sale's settlement is still unknown. */
export type Recorded = 'known' | 'refunding' | 'listed' | 'later';

// The maximum of the metrics.
const mostCounted = 20_000;

/** Stores payments to the sales wallets that belong to no sale. */
@Injectable()
export class UnclaimedRepository {
  private readonly pool: Pool;

  constructor(
    { pool }: Database,
    private readonly hints: WorkHints,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.pool = pool;
  }

  /** Returns the position where the next scan of a token starts. */
  async position(network: string, asset: string): Promise<number | undefined> {
    const { rows } = await this.pool.query<{ next_position: string }>({
      name: 'sales-scan-position',
      text: 'SELECT next_position FROM sales_scans WHERE network = $1 AND asset = $2',
      values: [network, asset],
    });
    return rows[0] && Number(rows[0].next_position);
  }

  async moveTo(network: string, asset: string, position: number): Promise<void> {
    await this.pool.query({
      name: 'sales-scan-move',
      text: `INSERT INTO sales_scans AS s (network, asset, next_position) VALUES ($1, $2, $3)
             ON CONFLICT (network, asset) DO UPDATE SET next_position = greatest(s.next_position, $3)`,
      values: [network, asset, position],
    });
  }

  /** Counts the sales that each of these transactions has paid. */
  async claimedIn(network: string, transactions: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.pool.query<{ transaction: string; count: number }>({
      name: 'sales-of-transactions',
      text: `SELECT transaction, count(*)::int AS count FROM sales WHERE transaction = ANY($2) AND network = $1
             GROUP BY transaction`,
      values: [network, transactions],
    });
    return new Map(rows.map(({ transaction: hash, count }) => [hash, count]));
  }

  /**
   * Refunds an x402 payment without a sale, under the lock of claims, so that sale and refund exclude each other.
   * @param refund the payment as a sale stores it; undefined lists the payment for an operator
   */
  async record(received: Received, refund: StoredPayment | undefined): Promise<Recorded> {
    const recorded = await transaction(this.pool, async (client) => {
      await lockClaims(client);
      const state = await this.stateOf(client, received);
      if (state === 'claimed') return 'later';
      if (state !== undefined && state !== 'rejected') return 'known';
      if (!refund) return (await this.list(client, received, 'no sale has it')) ? 'listed' : 'known';
      await this.refund(client, received, refund);
      return 'refunding';
    });
    if (recorded === 'refunding') this.hints.written();
    return recorded;
  }

  /** @returns false when the payment is already listed */
  async listOne(received: Received, reason: string): Promise<boolean> {
    return transaction(this.pool, (client) => this.list(client, received, reason));
  }

  async count(): Promise<number> {
    const text = `SELECT count(*) AS count FROM (SELECT FROM unclaimed_payments LIMIT ${mostCounted}) AS listed`;
    const { rows } = await this.pool.query<{ count: string }>({ name: 'unclaimed-count', text });
    return Number(rows[0]!.count);
  }

  private async stateOf(
    client: TransactionClient,
    { network, asset, payer, nonce }: Received,
  ): Promise<SaleState | undefined> {
    if (nonce === null) return undefined;
    const { rows } = await client.query<{ state: SaleState }>({
      name: 'unclaimed-sale',
      text: `SELECT state FROM sales
             WHERE scheme = 'exact' AND network = $1 AND asset = $2 AND payer = $3 AND nonce = $4`,
      values: [network, asset, payer, nonce],
    });
    return rows[0]?.state;
  }

  private async list(client: TransactionClient, it: Received, reason: string): Promise<boolean> {
    const { rowCount } = await client.query({
      name: 'unclaimed-list',
      text: `INSERT INTO unclaimed_payments (network, transaction, log_index, asset, payer, amount, reason, created_at)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
      values: [
        it.network,
        it.transaction,
        it.logIndex,
        it.asset,
        it.payer,
        String(it.amountAtomic),
        reason,
        new Date(this.clock.now()),
      ],
    });
    return rowCount === 1;
  }

  /** Refunds the payment. A rejected sale keeps its request; any other payment gets a row without a request. */
  private async refund(client: TransactionClient, it: Received, payment: StoredPayment): Promise<void> {
    await client.query({
      name: 'unclaimed-refund',
      text: `INSERT INTO sales AS s (id, scheme, network, asset, payer, nonce, operation, input_hash, offer_hash,
               purchase_kind, state, amount, cost, cost_usd, price_usd, payment, transaction, failure, refund_amount,
               check_at, created_at, settled_at)
             VALUES ($1, 'exact', $2, $3, $4, $5, $6, '', '', $6, 'refunding', $7, $7, 0, 0, $8, $9, $10, $7, $11, $11, $11)
             ON CONFLICT (scheme, network, asset, payer, nonce) DO UPDATE SET
               state = 'refunding', amount = excluded.amount, cost = excluded.cost, payment = excluded.payment,
               transaction = excluded.transaction, failure = excluded.failure, refund_amount = excluded.refund_amount,
               check_at = excluded.check_at, settled_at = excluded.settled_at, lease_until = NULL, checks = 0,
               version = s.version + 1`,
      values: [
        uuid(),
        it.network,
        it.asset,
        it.payer,
        it.nonce,
        unsoldOperation,
        String(it.amountAtomic),
        JSON.stringify(payment),
        it.transaction,
        JSON.stringify(settledElsewhere),
        new Date(this.clock.now()),
      ],
    });
  }
}
