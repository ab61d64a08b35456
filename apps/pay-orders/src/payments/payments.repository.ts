import { Injectable } from '@nestjs/common';
import type { CallContext } from '@tollbridge/rpc';
import type { BlockRef, Payment } from '@tollbridge/chain-port';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Pool } from 'pg';
import { transitionOrders, publishSettling } from '../orders/storage/order-transitions.repository';
import type { OrderRow } from '../orders/storage/orders.entity';
import { fromRow } from '../orders/storage/order-rows';
import type { ValueOf } from '../prices/token-prices';
import { displaceReports } from './displaced-reports.repository';
import { recordPaidTwice } from './paid-twice.repository';
import { differences, type ReportedOrder } from './payment';
import { areAwaited, receiveTransfers, type TransferFacts } from './plain-transfers.repository';

/** The changes of orders by one update of a chain, for logs and metrics. */
export interface Applied {
  seen: string[];
  settled: string[];
  reorged: string[];
  mismatched: { orderId: string; txHash: string; reason: string }[];
  /** The orders that another transaction had settled before. */
  paidTwice: string[];
  /** The number of events that match no direct order on this chain. */
  foreign: number;
}

/** The last block of a chain that was read. */
export interface ChainPosition {
  height: number;
  /** The time of that block, by the chain's own clock. */
  timeMs: number;
}

/** Another replica changed the stored position of the chain, so this replica may have read blocks of a lost fork. */
export class PositionChanged extends Error {
  constructor(chain: string) {
    super(`another replica changed the stored position of ${chain}`);
    this.name = 'PositionChanged';
  }
}

interface Write {
  chain: string;
  confirmations: number;
  nowMs: number;
  context: CallContext;
  /** The newest block that was read before; undefined at the first start. */
  after: BlockRef | undefined;
}

interface Advance {
  blocks: readonly BlockRef[];
  payments: readonly Payment[];
  /** The number of blocks to retain. */
  window: number;
  valueOf: ValueOf;
}

/**
 * Reads and writes payments and the positions of chains. Every update is one transaction. Uses SQL for row locks and
 * set-based writes (benchmark "payment mined to settled").
 */
@Injectable()
export class PaymentsRepository {
  private readonly pool: Pool;

  constructor(database: Database) {
    this.pool = database.pool;
  }

  /** The newest blocks that were read, oldest first. */
  async knownBlocks(chain: string): Promise<BlockRef[]> {
    const { rows } = await this.pool.query<{
      height: string;
      hash: string;
      parent_hash: string;
      timestamp: string;
    }>({
      name: 'chain-blocks',
      text: 'SELECT height, hash, parent_hash, timestamp FROM chain_blocks WHERE chain = $1 ORDER BY height',
      values: [chain],
    });
    return rows.map((row) => ({
      height: Number(row.height),
      hash: row.hash,
      parentHash: row.parent_hash,
      timeMs: Number(row.timestamp) * 1_000,
    }));
  }

  /** Stores new blocks with their payments. Settles orders with a newly confirmed payment, at their current value. */
  async advance(write: Write, { blocks, payments, window, valueOf }: Advance): Promise<Applied> {
    const position = blocks.at(-1)!;
    return transaction(this.pool, async (client) => {
      await lockPosition(client, write);
      await insertBlocks(client, write.chain, blocks, position.height - window);
      await savePosition(client, write.chain, position);
      const { found, ...taken } = await takePayments(client, write, payments);
      const settled = new Set(await settleDeep(client, write, position.height, valueOf));
      // `order-settled` implies that the payment was found, so `order-settling` is not published for the same orders.
      const waiting = found.filter((id) => !settled.has(id));
      await publishSettling(client, waiting, write.nowMs, write.context);
      const depth = write.confirmations - 1;
      const confirmed = { above: (write.after?.height ?? -1) - depth, upTo: position.height - depth };
      const paidTwice = await recordPaidTwice(client, { ...write, ...confirmed });
      return { ...taken, settled: [...settled], reorged: [], paidTwice };
    });
  }

  /** Deletes blocks that the chain dropped, and reverts the payments and settlements in them. */
  async rollback(write: Write, to: BlockRef): Promise<Applied> {
    return transaction(this.pool, async (client) => {
      await lockPosition(client, write);
      const values = [write.chain, to.height];
      await client.query('DELETE FROM chain_blocks WHERE chain = $1 AND height >= $2', values);
      await insertBlocks(client, write.chain, [to], -1);
      await savePosition(client, write.chain, to);
      await client.query(
        'UPDATE payments SET removed = true WHERE chain = $1 AND height > $2 AND NOT removed',
        values,
      );
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM orders WHERE pay_chain = $1 AND paid_height > $2 ORDER BY id FOR UPDATE`,
        values,
      );
      const ids = rows.map(({ id }) => id);
      const reorged = await transitionOrders(
        client,
        'paymentReorged',
        ids.map((orderId) => ({ orderId })),
        write.nowMs,
        write.context,
      );
      // Orders that were not settled yet wait for their payment again.
      const { rows: waiting } = await client.query<{ id: string }>(
        `UPDATE orders SET paid_height = NULL, pay_tx_since = $2, judge_at = $2, updated_at = $2
         WHERE id = ANY($1::uuid[]) AND status = 'settling' AND paid_height IS NOT NULL RETURNING id`,
        [ids, new Date(write.nowMs)],
      );
      const waitingIds = waiting.map(({ id }) => id);
      await publishSettling(client, waitingIds, write.nowMs, write.context);
      return { seen: [], settled: [], reorged, mismatched: [], paidTwice: [], foreign: 0 };
    });
  }

  /** Orders without a payment and with a report that is due for verification, the longest due first. */
  async unverifiedReports(chain: string, nowMs: number, limit: number): Promise<ReportedOrder[]> {
    const { rows } = await this.pool.query<OrderRow>({
      name: 'orders-reported',
      text: `SELECT * FROM orders
             WHERE pay_chain = $1 AND status = 'settling' AND paid_height IS NULL AND judge_at <= $2
               AND method = 'Direct' AND pay_tx IS NOT NULL
             ORDER BY judge_at LIMIT $3`,
      values: [chain, new Date(nowMs), limit],
    });
    return rows.map((row) => ({
      ...fromRow(row),
      payTx: row.pay_tx!,
      payTxSinceMs: (row.pay_tx_since ?? row.updated_at).getTime(),
    }));
  }

  /** When the next report is due for verification; null without one. */
  async nextVerificationMs(chain: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'reports-next-due',
      text: `SELECT min(judge_at) AS at FROM orders
             WHERE pay_chain = $1 AND status = 'settling' AND paid_height IS NULL AND method = 'Direct' AND pay_tx IS NOT NULL`,
      values: [chain],
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /**
   * Sets the next verification of these reports. The delay grows with the time that a transaction is missing, so
   * reports of invented transactions cost little.
   */
  async postponeVerification(ids: readonly string[], nowMs: number, atLeastMs: number): Promise<void> {
    await this.pool.query({
      name: 'reports-postpone',
      text: `WITH target AS (SELECT id FROM orders WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)
             UPDATE orders o
             SET judge_at = $2::timestamptz
               + greatest($3 * interval '1 millisecond', least(($2::timestamptz - o.pay_tx_since) / 2, interval '1 minute'))
             FROM target WHERE o.id = target.id`,
      values: [ids, new Date(nowMs), atLeastMs],
    });
  }

  /**
   * Returns an order to waiting when its reported transaction does not pay it. Another order may then claim the
   * transaction.
   */
  async reject(
    { id, payTx }: ReportedOrder,
    reason: string,
    nowMs: number,
    context: CallContext,
  ): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      if (!(await lockReported(client, id, payTx))) return false;
      await transitionOrders(client, 'reportRejected', [{ orderId: id, detail: reason }], nowMs, context);
      await displaceReports(client, [id], nowMs);
      return true;
    });
  }

  /**
   * Records plain transfers to the merchant for the order that they were reported for.
   * @returns false when the order changed meanwhile, or when the transfers belong or may belong to another order
   */
  async takeTransfers(
    { id, payTx }: ReportedOrder,
    facts: TransferFacts,
    context: CallContext,
  ): Promise<boolean> {
    return transaction(this.pool, async (client) => {
      const order = await lockReported(client, id, payTx);
      if (!order || (await areAwaited(client, order, facts))) return false;
      return receiveTransfers(client, order, payTx, facts, context);
    });
  }

  /** Whether an order waits for a payment on any chain, or for confirmations on this one. */
  async isAwaitedOn(chain: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ awaited: boolean }>({
      name: 'payments-awaited',
      text: `SELECT EXISTS (SELECT FROM orders WHERE status = 'waiting_payment')
                 OR EXISTS (SELECT FROM orders WHERE pay_chain = $1 AND status = 'settling') AS awaited`,
      values: [chain],
    });
    return rows[0]!.awaited;
  }

  async positionOf(chain: string): Promise<ChainPosition | undefined> {
    const { rows } = await this.pool.query<{ height: string; synced_at: Date }>({
      name: 'chain-position',
      text: 'SELECT height, synced_at FROM chain_positions WHERE chain = $1',
      values: [chain],
    });
    return rows[0] && { height: Number(rows[0].height), timeMs: rows[0].synced_at.getTime() };
  }
}

/**
 * Returns undefined when the order does not wait for this report any more: the payer reported another transaction, or
 * the watcher found a payment.
 */
async function lockReported(
  client: TransactionClient,
  id: string,
  payTx: string,
): Promise<OrderRow | undefined> {
  const { rows } = await client.query<OrderRow>({
    name: 'order-lock-reported',
    text: `SELECT * FROM orders WHERE id = $1 AND status = 'settling' AND paid_height IS NULL AND pay_tx = $2 FOR UPDATE`,
    values: [id, payTx],
  });
  return rows[0];
}

/**
 * Locks the position, so that one replica at a time writes, and only from the block where the last one stopped.
 * @throws PositionChanged
 */
async function lockPosition(client: TransactionClient, { chain, after }: Write): Promise<void> {
  await client.query({
    name: 'chain-position-lock',
    text: 'SELECT FROM chain_positions WHERE chain = $1 FOR UPDATE',
    values: [chain],
  });
  const { rows } = await client.query<{ hash: string }>({
    name: 'chain-newest-block',
    text: 'SELECT hash FROM chain_blocks WHERE chain = $1 ORDER BY height DESC LIMIT 1',
    values: [chain],
  });
  if (rows[0]?.hash !== after?.hash) throw new PositionChanged(chain);
}

async function insertBlocks(
  client: TransactionClient,
  chain: string,
  blocks: readonly BlockRef[],
  below: number,
): Promise<void> {
  await client.query({
    name: 'chain-blocks-insert',
    text: `INSERT INTO chain_blocks (chain, height, hash, parent_hash, timestamp)
           SELECT $1, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[])`,
    values: [
      chain,
      blocks.map(({ height }) => height),
      blocks.map(({ hash }) => hash),
      blocks.map(({ parentHash }) => parentHash),
      // Whole seconds even on a chain with several blocks per second, because contracts compare whole seconds.
      blocks.map(({ timeMs }) => Math.floor(timeMs / 1_000)),
    ],
  });
  await client.query({
    name: 'chain-blocks-prune',
    text: 'DELETE FROM chain_blocks WHERE chain = $1 AND height <= $2',
    values: [chain, below],
  });
}

async function savePosition(client: TransactionClient, chain: string, at: BlockRef): Promise<void> {
  await client.query({
    name: 'chain-position-save',
    text: `INSERT INTO chain_positions (chain, height, synced_at) VALUES ($1, $2, $3)
           ON CONFLICT (chain) DO UPDATE SET height = excluded.height, synced_at = excluded.synced_at`,
    values: [chain, at.height, new Date(at.timeMs)],
  });
}

async function takePayments(
  client: TransactionClient,
  write: Write,
  payments: readonly Payment[],
): Promise<Omit<Applied, 'settled' | 'reorged' | 'paidTwice'> & { found: string[] }> {
  if (payments.length === 0) return { seen: [], found: [], mismatched: [], foreign: 0 };
  const { rows } = await client.query<OrderRow>({
    name: 'orders-of-payments',
    text: `SELECT * FROM orders WHERE id = ANY($1::uuid[]) AND pay_chain = $2 AND method = 'Direct' ORDER BY id FOR UPDATE`,
    values: [payments.map(({ orderId }) => orderId), write.chain],
  });
  const orders = new Map(rows.map((row) => [row.id, fromRow(row)]));
  const checked = payments.flatMap((payment) => {
    const order = orders.get(payment.orderId);
    return order ? [{ payment, mismatch: differences(order, payment).join('; ') || null }] : [];
  });
  await insertPayments(client, write.chain, checked);
  const right = checked.filter(({ mismatch }) => mismatch === null).map(({ payment }) => payment);
  const seenOrders = right.map(({ orderId, txHash, height }) => ({ orderId, detail: txHash, height }));
  const seen = await transitionOrders(client, 'paymentSeen', seenOrders, write.nowMs, write.context);
  const found = await recordFoundPayments(client, right, write.nowMs);
  const mismatched = checked.flatMap(({ payment, mismatch }) =>
    mismatch === null ? [] : [{ orderId: payment.orderId, txHash: payment.txHash, reason: mismatch }],
  );
  return { seen, found, mismatched, foreign: payments.length - checked.length };
}

/**
 * Stores the paying transaction of orders that are settling because of a report.
 * @returns the ids of those orders
 */
async function recordFoundPayments(
  client: TransactionClient,
  payments: readonly Payment[],
  nowMs: number,
): Promise<string[]> {
  const ids = payments.map(({ orderId }) => orderId);
  const hashes = payments.map(({ txHash }) => txHash);
  const { rows } = await client.query<{ id: string }>({
    name: 'orders-payment-found',
    text: `UPDATE orders o SET pay_tx = t.tx, paid_height = t.height, pay_tx_since = NULL, updated_at = $4
           FROM unnest($1::uuid[], $2::text[], $3::bigint[]) AS t (id, tx, height)
           WHERE o.id = t.id AND o.status = 'settling' AND o.paid_height IS NULL RETURNING o.id`,
    values: [ids, hashes, payments.map(({ height }) => height), new Date(nowMs)],
  });
  await displaceReports(client, ids, nowMs);
  return rows.map(({ id }) => id);
}

async function insertPayments(
  client: TransactionClient,
  chain: string,
  checked: { payment: Payment; mismatch: string | null }[],
): Promise<void> {
  const column = <T>(value: (payment: Payment) => T): T[] => checked.map(({ payment }) => value(payment));
  await client.query({
    name: 'payments-insert',
    text: `INSERT INTO payments (chain, block_hash, log_index, tx_hash, height, order_id, order_hash, payer, fields, mismatch)
           SELECT $1, * FROM unnest($2::text[], $3::integer[], $4::text[], $5::bigint[], $6::uuid[], $7::text[], $8::text[], $9::json[], $10::text[])
           ON CONFLICT (chain, block_hash, log_index) DO UPDATE SET removed = false`,
    values: [
      chain,
      column((p) => p.blockHash),
      column((p) => p.logIndex),
      column((p) => p.txHash),
      column((p) => p.height),
      column((p) => p.orderId),
      column((p) => p.orderHash),
      column((p) => p.payer),
      column((p) => JSON.stringify(p.fields)),
      checked.map(({ mismatch }) => mismatch),
    ],
  });
}

async function settleDeep(
  client: TransactionClient,
  write: Write,
  height: number,
  valueOf: ValueOf,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string; settle_token: string; merchant_amount: string }>({
    name: 'orders-deep',
    text: `SELECT id, settle_token, merchant_amount FROM orders
           WHERE pay_chain = $1 AND status = 'settling' AND paid_height <= $2 ORDER BY id FOR UPDATE`,
    values: [write.chain, height - write.confirmations + 1],
  });
  return transitionOrders(
    client,
    'paymentConfirmed',
    rows.map(({ id: orderId, settle_token: token, merchant_amount: amount }) => {
      return { orderId, valueUsd: valueOf(token, BigInt(amount)) };
    }),
    write.nowMs,
    write.context,
  );
}
