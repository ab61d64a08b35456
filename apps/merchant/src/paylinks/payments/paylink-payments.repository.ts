import { Injectable } from '@nestjs/common';
import type { PayLinkPaymentStatus } from '@tollbridge/contracts';
import type { Token } from '@tollbridge/chains';
import { Database, lockRows } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import type { Part, Payment } from './payment';

interface PaymentRow {
  id: string;
  paylink_id: string;
  chain: string;
  tx_hash: string;
  status: PayLinkPaymentStatus;
  is_verified: boolean;
  is_confirmed: boolean;
  reason: string | null;
  log_index: number | null;
  amount: string | null;
  payer: string | null;
  height: string | null;
  block_hash: string | null;
  paid_at: Date | null;
  value_usd: string | null;
  balance_at_report: string | null;
  parts_amount: string | null;
  part_of: string | null;
  order_id: string | null;
  settle_tx: string | null;
  is_told: boolean;
  pending_since: Date;
  next_look_at: Date | null;
  version: number;
  recorded_at: Date;
  decided_at: Date | null;
}

/** A payment that is due for a check, with the terms of its link. */
export interface DuePayment extends Payment {
  receiver: string;
  token: Pick<Token, 'address'>;
}

/** Identifies a transaction on a chain of the registry. */
export type TransferKey = Pick<Payment, 'chain' | 'txHash'>;

/** Claims of other links on the transfers of one transaction. */
export interface Rivals {
  /** Log indexes of the transfers that other payments have claimed. */
  taken: number[];
  /** Log indexes that payments with a lower priority than this link have claimed. */
  yielding: number[];
  /** Whether a payment with an unknown log index has claimed a transfer, which may then be any of them. */
  isTakenWhole: boolean;
  /** Ids of earlier, undecided reports for the same receiver. */
  undecided: string[];
}

/** The only file that reads and writes payments of links. Uses SQL for locks and leases, and for reads under a lock. */
@Injectable()
export class PayLinkPaymentsRepository {
  private readonly pool: Pool;

  constructor({ pool }: Database) {
    this.pool = pool;
  }

  async find(
    linkId: string,
    txHash: string,
    by: Pick<Pool, 'query'> = this.pool,
  ): Promise<Payment | undefined> {
    const { rows } = await by.query<PaymentRow>({
      name: 'paylink-payment-find',
      text: `SELECT * FROM paylink_payments WHERE paylink_id = $1 AND (tx_hash = $2 OR settle_tx = $2)
             ORDER BY order_id IS NULL LIMIT 1`,
      values: [linkId, txHash],
    });
    return rows.map(fromRow)[0];
  }

  /** A payment by checkout. Requires the lock of the link. */
  async findByOrder(client: PoolClient, linkId: string, orderId: string): Promise<Payment | undefined> {
    return this.find(linkId, orderKey(orderId), client);
  }

  /** Partial payments of a link that complete no payment, or complete the payment with this id. */
  async parts(client: PoolClient, linkId: string, of: string | null): Promise<Part[]> {
    const { rows } = await client.query<PaymentRow>({
      name: 'paylink-parts',
      text: `SELECT * FROM paylink_payments WHERE paylink_id = $1 AND status = 'partial'
               AND id IS DISTINCT FROM $2 AND (part_of IS NULL OR part_of = $2) ORDER BY seq`,
      values: [linkId, of],
    });
    return rows.map(fromRow).map(({ id, transfer }) => ({ id, ...transfer! }));
  }

  /** Assigns partial payments to the payment that they complete; null releases them. @returns the partial payments */
  async assignParts(client: PoolClient, ids: readonly string[], to: string | null): Promise<Payment[]> {
    const { rows } = await client.query<PaymentRow>({
      name: 'paylink-parts-assign',
      text: 'UPDATE paylink_payments SET part_of = $2 WHERE id = ANY($1::uuid[]) RETURNING *',
      values: [ids, to],
    });
    return rows.map(fromRow);
  }

  async partsOf(client: PoolClient, id: string, linkId: string): Promise<string[]> {
    const { rows } = await client.query<{ id: string }>({
      name: 'paylink-parts-of',
      text: "SELECT id FROM paylink_payments WHERE paylink_id = $2 AND status = 'partial' AND part_of = $1",
      values: [id, linkId],
    });
    return rows.map((row) => row.id);
  }

  async findById(
    linkId: string,
    id: string,
    by: Pick<Pool, 'query'> = this.pool,
  ): Promise<Payment | undefined> {
    const { rows } = await by.query<PaymentRow>({
      name: 'paylink-payment-find-by-id',
      text: 'SELECT * FROM paylink_payments WHERE id = $1 AND paylink_id = $2',
      values: [id, linkId],
    });
    return rows.map(fromRow)[0];
  }

  async list(linkId: string, { limit, before }: { limit: number; before?: string }): Promise<Payment[]> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'paylink-payments-list',
      text: `SELECT * FROM paylink_payments WHERE paylink_id = $1 AND ($2::uuid IS NULL OR seq <
          (SELECT seq FROM paylink_payments WHERE id = $2 AND paylink_id = $1))
        ORDER BY seq DESC LIMIT $3`,
      values: [linkId, before ?? null, limit],
    });
    return rows.map(fromRow);
  }

  /**
   * Serialises decisions about payments by these transactions until the commit. The locks are always taken in the same
   * order.
   */
  async lockTransactions(client: PoolClient, transfers: readonly TransferKey[]): Promise<void> {
    if (transfers.length === 0) return;
    const names = transfers.map(({ chain, txHash }) => `${chain}:${txHash}`);
    await lockRows(client, 'paylink transactions', names);
  }

  /** The given transactions that at least one link claims, in the given order. */
  async findClaimed(client: PoolClient, transfers: readonly TransferKey[]): Promise<TransferKey[]> {
    if (transfers.length === 0) return [];
    const { rows } = await client.query<TransferKey>({
      name: 'paylink-transactions-claimed',
      text: `SELECT t.chain, t.hash AS "txHash" FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t (chain, hash, at)
             WHERE EXISTS (SELECT FROM paylink_payments p WHERE p.chain = t.chain AND p.tx_hash = t.hash)
             ORDER BY t.at`,
      values: [transfers.map(({ chain }) => chain), transfers.map(({ txHash }) => txHash)],
    });
    return rows;
  }

  /**
   * Finds the claims of other links on a transaction.
   * @param owners the wallets that have proven the receiver. Their links have priority over links of other wallets. A
   * manually confirmed payment blocks only links of the same wallet, or all links when an owner confirmed it.
   */
  async rivals(
    client: PoolClient,
    { linkId, chain, txHash }: Pick<Payment, 'linkId' | 'chain' | 'txHash'>,
    owners: readonly string[],
  ): Promise<Rivals> {
    // A report that is not stored yet is the newest. One earlier undecided report suffices, because many links may wait
    // for an invented hash.
    const { rows } = await client.query<{
      id: string;
      log_index: number | null;
      yields: boolean | null;
      is_blind: boolean | null;
    }>(
      `SELECT p.id, p.log_index, p.status = 'counted' AND NOT p.is_verified AS is_blind, NOT (theirs.wallet = own.wallet
          OR (theirs.receive_address = own.receive_address AND theirs.wallet = ANY($4))
          OR ((p.is_verified OR p.status = 'pending')
            AND (theirs.receive_address <> own.receive_address OR own.wallet <> ALL($4)))) AS yields
        FROM paylink_payments p
        JOIN paylinks theirs ON theirs.id = p.paylink_id JOIN paylinks own ON own.id = $1
        WHERE p.chain = $2 AND p.tx_hash = $3 AND p.paylink_id <> $1 AND p.log_index IS NOT NULL
       UNION ALL
       (SELECT p.id, NULL, NULL, NULL FROM paylink_payments p
        JOIN paylinks theirs ON theirs.id = p.paylink_id JOIN paylinks own ON own.id = $1
        WHERE p.chain = $2 AND p.tx_hash = $3 AND p.paylink_id <> $1 AND p.log_index IS NULL
          AND p.status = 'pending' AND theirs.receive_address = own.receive_address
          AND (theirs.wallet = own.wallet OR theirs.wallet = ANY($4) OR own.wallet <> ALL($4))
          AND theirs.token_address IS NOT DISTINCT FROM own.token_address AND p.seq < coalesce(
            (SELECT seq FROM paylink_payments WHERE paylink_id = $1 AND tx_hash = $3), 9223372036854775807)
        ORDER BY p.seq LIMIT 1)`,
      [linkId, chain, txHash, owners],
    );
    const places = (isYielding: boolean) =>
      rows.flatMap(({ log_index: place, yields }) =>
        place !== null && yields === isYielding ? [place] : [],
      );
    return {
      taken: places(false),
      yielding: places(true),
      isTakenWhole: rows.some(({ is_blind, yields }) => is_blind === true && yields === false),
      undecided: rows.filter(({ log_index: place }) => place === null).map(({ id }) => id),
    };
  }

  /** Payments of other links that have claimed this transfer. */
  async holdersOf(
    client: PoolClient,
    { linkId, chain, txHash }: Pick<Payment, 'linkId' | 'chain' | 'txHash'>,
    logIndex: number,
  ): Promise<Payment[]> {
    const { rows } = await client.query<PaymentRow>(
      `SELECT * FROM paylink_payments WHERE chain = $2 AND tx_hash = $3 AND paylink_id <> $1 AND log_index = $4
       ORDER BY paylink_id`,
      [linkId, chain, txHash, logIndex],
    );
    return rows.map(fromRow);
  }

  /** Payments that claim this transaction, at most `limit`: counted payments first, then by link. */
  async claimsOf(client: PoolClient, chain: string, txHash: string, limit: number): Promise<Payment[]> {
    const { rows } = await client.query<PaymentRow>(
      `SELECT * FROM paylink_payments WHERE chain = $1 AND tx_hash = $2 AND status <> 'rejected'
       ORDER BY log_index IS NULL, paylink_id LIMIT $3`,
      [chain, txHash, limit],
    );
    return rows.map(fromRow);
  }

  async save(client: PoolClient, payment: Payment): Promise<void> {
    await client.query({ name: 'paylink-payment-save', text: saveStatement, values: valuesOf(payment) });
  }

  async scheduleCheck(ids: string[], atMs: number, by: Pick<Pool, 'query'> = this.pool): Promise<void> {
    await by.query('UPDATE paylink_payments SET next_look_at = $2 WHERE id = ANY($1)', [ids, new Date(atMs)]);
  }

  /** Schedules checks of the unverifiable payments of a chain after a node was configured. */
  async scheduleUnverifiable(chain: string, atMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE paylink_payments SET next_look_at = $2
       WHERE chain = $1 AND status = 'unverifiable' AND next_look_at IS NULL`,
      [chain, new Date(atMs)],
    );
  }

  /** The number of reports of a link that no node has seen on the chain, at most `most`. */
  async unseen(client: PoolClient, linkId: string, most: number): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM
        (SELECT FROM paylink_payments WHERE paylink_id = $1 AND status = 'pending' AND log_index IS NULL LIMIT $2) found`,
      [linkId, most],
    );
    return rows[0]!.count;
  }

  /** The number of payments of a link in a status that requires a decision of the merchant, at most `most`. */
  async waiting(
    client: PoolClient,
    linkId: string,
    status: 'unverifiable' | 'partial',
    most: number,
  ): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM
        (SELECT FROM paylink_payments WHERE paylink_id = $1 AND status = '${status}' AND part_of IS NULL LIMIT $2) found`,
      [linkId, most],
    );
    return rows[0]!.count;
  }

  /**
   * Leases payments of a chain that are due for a check. The result of the check replaces the lease. After a crash, the
   * payments are due again when the lease ends.
   */
  async takeDue(
    chain: string,
    { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
  ): Promise<DuePayment[]> {
    const { rows } = await this.pool.query<
      PaymentRow & { receive_address: string; token_address: string | null }
    >({
      name: 'paylink-payments-due',
      text: `WITH due AS (
          SELECT id FROM paylink_payments WHERE chain = $1 AND next_look_at <= $2
          ORDER BY next_look_at LIMIT $4 FOR UPDATE SKIP LOCKED
        )
        UPDATE paylink_payments p SET next_look_at = $3 FROM due, paylinks l
        WHERE p.id = due.id AND l.id = p.paylink_id RETURNING p.*, l.receive_address, l.token_address`,
      values: [chain, new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map((row) => ({
      ...fromRow(row),
      receiver: row.receive_address,
      token: { address: row.token_address },
    }));
  }

  /** Counted payments without a value, decided after a given time, for tokens with a price, oldest first. */
  async unvalued(
    afterMs: number,
    tokens: readonly { chain: string; address: string | null }[],
    limit: number,
  ): Promise<Pick<Payment, 'id' | 'linkId' | 'chain' | 'txHash'>[]> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'paylink-payments-unvalued',
      text: `SELECT p.* FROM paylink_payments p JOIN paylinks l ON l.id = p.paylink_id
             WHERE p.status = 'counted' AND p.value_usd IS NULL AND p.decided_at > $1 AND p.order_id IS NULL
               AND EXISTS (SELECT FROM unnest($2::text[], $3::text[]) AS t (chain, address)
                 WHERE t.chain = p.chain AND t.address IS NOT DISTINCT FROM l.token_address)
             ORDER BY p.decided_at LIMIT $4`,
      values: [
        new Date(afterMs),
        tokens.map(({ chain }) => chain),
        tokens.map(({ address }) => address),
        limit,
      ],
    });
    return rows.map(fromRow);
  }

  /** When the next payment of a chain is due for a check; null without one. */
  async nextCheckMs(chain: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'paylink-payments-next-check',
      text: 'SELECT min(next_look_at) AS at FROM paylink_payments WHERE chain = $1 AND next_look_at IS NOT NULL',
      values: [chain],
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Deletes rejected reports that were decided before a time, a thousand at a time. */
  async deleteRejected(beforeMs: number): Promise<void> {
    await this.pool.query(
      `DELETE FROM paylink_payments WHERE id IN (
        SELECT id FROM paylink_payments WHERE status = 'rejected' AND decided_at < $1 LIMIT 1000)`,
      [new Date(beforeMs)],
    );
  }
}

const columns = [
  'id',
  'paylink_id',
  'chain',
  'tx_hash',
  'status',
  'is_verified',
  'is_confirmed',
  'reason',
  'log_index',
  'amount',
  'payer',
  'height',
  'block_hash',
  'paid_at',
  'value_usd',
  'is_told',
  'pending_since',
  'next_look_at',
  'version',
  'recorded_at',
  'decided_at',
  'balance_at_report',
  'parts_amount',
  'part_of',
  'order_id',
  'settle_tx',
];

/** The key of a payment by checkout instead of the hash, because one transaction may settle several orders. */
const orderKey = (orderId: string): string => `order:${orderId}`;

const changed = columns.slice(columns.indexOf('status')).filter((column) => column !== 'recorded_at');
const saveStatement = `INSERT INTO paylink_payments (${columns.join(', ')})
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
  ON CONFLICT (paylink_id, tx_hash) DO UPDATE SET ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}`;

const date = (ms: number | null | undefined): Date | null => (typeof ms === 'number' ? new Date(ms) : null);

function valuesOf(payment: Payment): unknown[] {
  const { transfer, block } = payment;
  return [
    payment.id,
    payment.linkId,
    payment.chain,
    payment.orderId === null ? payment.txHash : orderKey(payment.orderId),
    payment.status,
    payment.isVerified,
    payment.isConfirmed,
    payment.reason,
    transfer?.logIndex ?? null,
    transfer && String(transfer.amount),
    transfer?.payer ?? null,
    block?.height ?? null,
    block?.hash ?? null,
    date(block?.paidAtMs),
    payment.valueUsd,
    payment.isNotified,
    date(payment.pendingSinceMs),
    date(payment.nextCheckAtMs),
    payment.version,
    date(payment.recordedAtMs),
    date(payment.decidedAtMs),
    payment.balanceAtReport === null ? null : String(payment.balanceAtReport),
    payment.partsAmount === null ? null : String(payment.partsAmount),
    payment.partOf,
    payment.orderId,
    payment.orderId === null ? null : payment.txHash,
  ];
}

function fromRow(row: PaymentRow): Payment {
  const { log_index: logIndex, amount, height, block_hash: hash, paid_at: paidAt } = row;
  const isSeen = height !== null && hash !== null && paidAt !== null;
  return {
    id: row.id,
    linkId: row.paylink_id,
    chain: row.chain,
    txHash: row.settle_tx ?? row.tx_hash,
    status: row.status,
    isVerified: row.is_verified,
    isConfirmed: row.is_confirmed,
    reason: row.reason,
    transfer:
      logIndex === null || amount === null ? null : { logIndex, amount: BigInt(amount), payer: row.payer },
    block: isSeen ? { height: Number(height), hash, paidAtMs: paidAt.getTime() } : null,
    valueUsd: row.value_usd,
    balanceAtReport: row.balance_at_report === null ? null : BigInt(row.balance_at_report),
    partsAmount: row.parts_amount === null ? null : BigInt(row.parts_amount),
    partOf: row.part_of,
    orderId: row.order_id,
    isNotified: row.is_told,
    pendingSinceMs: row.pending_since.getTime(),
    nextCheckAtMs: row.next_look_at?.getTime() ?? null,
    version: row.version,
    recordedAtMs: row.recorded_at.getTime(),
    decidedAtMs: row.decided_at?.getTime() ?? null,
  };
}
