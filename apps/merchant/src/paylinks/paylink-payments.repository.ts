import { Injectable } from '@nestjs/common';
import type { PayLinkPaymentStatus } from '@tollbridge/contracts';
import { Database } from '@tollbridge/database';
import type { Pool, PoolClient } from 'pg';
import type { Payment } from './payment';

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
  is_told: boolean;
  pending_since: Date;
  next_look_at: Date | null;
  version: number;
  recorded_at: Date;
  decided_at: Date | null;
}

/** A transaction of a chain of the registry. */
export type TransferKey = Pick<Payment, 'chain' | 'txHash'>;

/** What others have of one transaction. */
export interface Rivals {
  /** Places of the transfers that are theirs. */
  taken: number[];
  /** Places that they have, and that give way to this link. */
  yielding: number[];
  /** Whether one of the places is not known: the merchant's word counts there, and any transfer may be the one. */
  isTakenWhole: boolean;
  /** Earlier reports for the same receiver, of which it is not known yet what they get. */
  undecided: string[];
}

/** The only file that reads and writes payments of links. */
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
      text: 'SELECT * FROM paylink_payments WHERE paylink_id = $1 AND tx_hash = $2',
      values: [linkId, txHash],
    });
    return rows.map(fromRow)[0];
  }

  async findById(linkId: string, id: string): Promise<Payment | undefined> {
    const { rows } = await this.pool.query<PaymentRow>({
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

  /** Until the end of the transaction nothing else decides over payments by these. Taken in one order, for all. */
  async lockTransactions(client: PoolClient, transfers: readonly TransferKey[]): Promise<void> {
    await client.query({
      name: 'paylink-transactions-lock',
      text: `SELECT pg_advisory_xact_lock(key) FROM
               (SELECT DISTINCT hashtextextended(t, 0) AS key FROM unnest($1::text[]) t ORDER BY key) keys`,
      values: [transfers.map(({ chain, txHash }) => `${chain}:${txHash}`)],
    });
  }

  /** Those of the transactions that some link claims. */
  async findClaimed(client: PoolClient, transfers: readonly TransferKey[]): Promise<TransferKey[]> {
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
   * @param owners the wallets that have proven the receiver: their links give way to no other wallet's link. A payment
   * that a merchant only confirmed is in the way of links of the same wallet; one of an owner, of all links.
   */
  async rivals(
    client: PoolClient,
    { linkId, chain, txHash }: Pick<Payment, 'linkId' | 'chain' | 'txHash'>,
    owners: readonly string[],
  ): Promise<Rivals> {
    // A report that is not stored yet will be the last one. Of those that are undecided the first is enough to know that
    // one was earlier: a thousand links may wait for one made-up hash.
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

  /** Payments of other links that have this transfer. */
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

  /** All that somebody may get by this transaction, at most `limit`; counted ones first, then in one order for all. */
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

  async lookSoon(ids: string[], atMs: number, by: Pick<Pool, 'query'> = this.pool): Promise<void> {
    await by.query('UPDATE paylink_payments SET next_look_at = $2 WHERE id = ANY($1)', [ids, new Date(atMs)]);
  }

  /** Lets unverifiable payments of a chain be looked for: a node of it is configured now. */
  async lookForUnverifiable(chain: string, atMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE paylink_payments SET next_look_at = $2
       WHERE chain = $1 AND status = 'unverifiable' AND next_look_at IS NULL`,
      [chain, new Date(atMs)],
    );
  }

  /** How many reports of a link nobody has seen on the chain; counts no further than `most`. */
  async unseen(client: PoolClient, linkId: string, most: number): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM
        (SELECT FROM paylink_payments WHERE paylink_id = $1 AND status = 'pending' AND log_index IS NULL LIMIT $2) found`,
      [linkId, most],
    );
    return rows[0]!.count;
  }

  /** How many payments of a link wait for the merchant's decision; counts no further than `most`. */
  async unverifiable(client: PoolClient, linkId: string, most: number): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM
        (SELECT FROM paylink_payments WHERE paylink_id = $1 AND status = 'unverifiable' LIMIT $2) found`,
      [linkId, most],
    );
    return rows[0]!.count;
  }

  /**
   * Takes payments of a chain whose time has come. Nobody else looks at them before the lease ends, which the result
   * of the look replaces; whoever dies in between only delays them.
   */
  async takeDue(
    chain: string,
    { nowMs, leaseMs, limit }: { nowMs: number; leaseMs: number; limit: number },
  ): Promise<Payment[]> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'paylink-payments-due',
      text: `WITH due AS (
          SELECT id FROM paylink_payments WHERE chain = $1 AND next_look_at <= $2
          ORDER BY next_look_at LIMIT $4 FOR UPDATE SKIP LOCKED
        )
        UPDATE paylink_payments p SET next_look_at = $3 FROM due WHERE p.id = due.id RETURNING p.*`,
      values: [chain, new Date(nowMs), new Date(nowMs + leaseMs), limit],
    });
    return rows.map(fromRow);
  }

  /** Counted payments without a value, decided after a time, of links whose tokens have a price; the oldest first. */
  async unvalued(
    afterMs: number,
    tokens: readonly { chain: string; address: string | null }[],
    limit: number,
  ): Promise<Pick<Payment, 'id' | 'linkId' | 'chain' | 'txHash'>[]> {
    const { rows } = await this.pool.query<PaymentRow>({
      name: 'paylink-payments-unvalued',
      text: `SELECT p.* FROM paylink_payments p JOIN paylinks l ON l.id = p.paylink_id
             WHERE p.status = 'counted' AND p.value_usd IS NULL AND p.decided_at > $1
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

  /** When the next payment of a chain is to be looked at; null without one. */
  async nextLookMs(chain: string): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: Date | null }>({
      name: 'paylink-payments-next-look',
      text: 'SELECT min(next_look_at) AS at FROM paylink_payments WHERE chain = $1 AND next_look_at IS NOT NULL',
      values: [chain],
    });
    return rows[0]!.at?.getTime() ?? null;
  }

  /** Forgets rejected reports of before, a thousand at a time. */
  async forgetRejected(beforeMs: number): Promise<void> {
    await this.pool.query(
      `DELETE FROM paylink_payments WHERE id IN (
        SELECT id FROM paylink_payments WHERE status = 'rejected' AND decided_at < $1 LIMIT 1000)`,
      [new Date(beforeMs)],
    );
  }

  async tell(
    client: PoolClient,
    event: { id: string; subject: string; aggregateId: string; payload: object },
  ): Promise<void> {
    await client.query('INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES ($1, $2, $3, $4)', [
      event.id,
      event.subject,
      event.aggregateId,
      JSON.stringify(event.payload),
    ]);
  }
}

const columns = [
  ...[
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
  ],
  ...['height', 'block_hash', 'paid_at', 'value_usd', 'is_told', 'pending_since', 'next_look_at', 'version'],
  ...['recorded_at', 'decided_at', 'balance_at_report'],
];
const changed = columns.slice(columns.indexOf('status')).filter((column) => column !== 'recorded_at');
const saveStatement = `INSERT INTO paylink_payments (${columns.join(', ')})
  VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})
  ON CONFLICT (paylink_id, tx_hash) DO UPDATE SET ${changed.map((column) => `${column} = excluded.${column}`).join(', ')}`;

const date = (ms: number | null | undefined): Date | null => (typeof ms === 'number' ? new Date(ms) : null);

function valuesOf(payment: Payment): unknown[] {
  const { transfer, block } = payment;
  return [
    ...[payment.id, payment.linkId, payment.chain, payment.txHash, payment.status, payment.isVerified],
    ...[
      payment.isConfirmed,
      payment.reason,
      transfer?.logIndex ?? null,
      transfer && String(transfer.amount),
      transfer?.payer ?? null,
    ],
    ...[block?.height ?? null, block?.hash ?? null, date(block?.paidAtMs), payment.valueUsd, payment.isTold],
    ...[date(payment.pendingSinceMs), date(payment.nextLookAtMs), payment.version],
    ...[date(payment.recordedAtMs), date(payment.decidedAtMs)],
    payment.balanceAtReport === null ? null : String(payment.balanceAtReport),
  ];
}

function fromRow(row: PaymentRow): Payment {
  const { log_index: logIndex, amount, height, block_hash: hash, paid_at: paidAt } = row;
  const isSeen = height !== null && hash !== null && paidAt !== null;
  return {
    id: row.id,
    linkId: row.paylink_id,
    chain: row.chain,
    txHash: row.tx_hash,
    status: row.status,
    isVerified: row.is_verified,
    isConfirmed: row.is_confirmed,
    reason: row.reason,
    transfer:
      logIndex === null || amount === null ? null : { logIndex, amount: BigInt(amount), payer: row.payer },
    block: isSeen ? { height: Number(height), hash, paidAtMs: paidAt.getTime() } : null,
    valueUsd: row.value_usd,
    balanceAtReport: row.balance_at_report === null ? null : BigInt(row.balance_at_report),
    isTold: row.is_told,
    pendingSinceMs: row.pending_since.getTime(),
    nextLookAtMs: row.next_look_at?.getTime() ?? null,
    version: row.version,
    recordedAtMs: row.recorded_at.getTime(),
    decidedAtMs: row.decided_at?.getTime() ?? null,
  };
}
