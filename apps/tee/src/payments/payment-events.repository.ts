import { Injectable } from '@nestjs/common';
import { teeEvents, type PaymentsCommitted } from '@tollbridge/contracts';
import { Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { EventEnvelope } from '@tollbridge/rpc';

/** A captured payment is valid for minutes and held for at most a minute, so earlier partitions need no scan. */
const maxAgeS = 600;

const { subject } = teeEvents['payments-committed'];

/** No request causes these events, so they have neither a request id nor a trace. */
export type PaymentsEvent = Omit<EventEnvelope<PaymentsCommitted>, 'requestId' | 'traceparent'>;

/** The payments of one seller within the receipts of one event. */
export interface SellerShare {
  seller: Buffer;
  paymentCount: number;
  amountAtomic: bigint;
  firstSeq: bigint;
  lastSeq: bigint;
}

/** The receipts that follow the published ones. */
export interface ReceiptsToPublish {
  seq: bigint;
  /** Whether these are the last receipts. */
  isLast: boolean;
  shares: SellerShare[];
  /** Head of the receipt chain after the last payment of the shares. */
  head: Buffer;
}

interface PositionRow {
  published: string;
  at_ms: string;
  seq: string;
  head: Buffer;
}

interface ShareRow {
  seller: Buffer;
  payment_count: string;
  amount: string;
  first_seq: string;
  last_seq: string;
}

/** SQL: a locked position, and aggregates over a range of receipts (`bench:nanopay`, row `tollbridge: paid`). */
@Injectable()
export class PaymentEventsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Reads the next receipts, at most `limit`, and stores their event and the new position in one transaction.
   * @returns the published position, and whether receipts are left
   */
  publishNext(
    limit: number,
    nowMs: () => number,
    eventOf: (receipts: ReceiptsToPublish, nowMs: number) => PaymentsEvent,
  ): Promise<{ seq: bigint; isLast: boolean }> {
    return transaction(this.database.pool, async (client) => {
      const { rows } = await client.query<PositionRow>({
        name: 'published-read',
        text: 'SELECT last.seq AS published, at_ms, ledger.seq, head FROM told AS last, ledger FOR UPDATE OF last',
      });
      const position = rows[0]!;
      const [published, last] = [BigInt(position.published), BigInt(position.seq)];
      const isLast = last - published <= limit;
      const seq = isLast ? last : published + BigInt(limit);
      if (seq <= published) return { seq, isLast };
      const sinceS = Math.floor(Number(position.at_ms) / 1000) - maxAgeS;
      const shares = await readShares(client, [published, seq, sinceS]);
      const atMs = nowMs();
      if (shares.length > 0) {
        const lastPaid = shares.reduce((most, { lastSeq }) => (lastSeq > most ? lastSeq : most), 0n);
        // Receipts of refunds may follow the last payment.
        const head = lastPaid === last ? position.head : await readHead(client, lastPaid, sinceS);
        await insertEvent(client, eventOf({ seq, isLast, shares, head }, atMs));
      }
      await client.query({
        name: 'published-write',
        text: 'UPDATE told SET seq = $1, at_ms = $2',
        values: [seq, isLast ? atMs : position.at_ms],
      });
      return { seq, isLast };
    });
  }
}

/** Returns payments per seller with receipts after the first position, up to the second. */
async function readShares(client: TransactionClient, values: unknown[]): Promise<SellerShare[]> {
  const { rows } = await client.query<ShareRow>({
    name: 'published-shares',
    text: `SELECT seller, count(*) AS payment_count, sum(charged) AS amount, min(seq) AS first_seq, max(seq) AS last_seq
           FROM payments
           WHERE seq > 0 AND seq > $1 AND seq <= $2 AND valid_before >= $3 AND state = 'captured' GROUP BY seller`,
    values,
  });
  return rows.map(({ seller, payment_count, amount, first_seq, last_seq }) => ({
    seller,
    paymentCount: Number(payment_count),
    amountAtomic: BigInt(amount),
    firstSeq: BigInt(first_seq),
    lastSeq: BigInt(last_seq),
  }));
}

/** Returns the head after a receipt, which is the previous head of the next receipt. */
async function readHead(client: TransactionClient, seq: bigint, sinceS: number): Promise<Buffer> {
  const { rows } = await client.query<{ previous_head: Buffer }>({
    name: 'published-head',
    text: `SELECT previous_head FROM payments WHERE seq > 0 AND seq = $1 AND valid_before >= $2
           UNION ALL SELECT previous_head FROM refunds WHERE seq = $1`,
    values: [seq + 1n, sinceS],
  });
  if (!rows[0]) throw new Error(`receipt ${seq + 1n} is missing`);
  return rows[0].previous_head;
}

async function insertEvent(client: TransactionClient, event: PaymentsEvent): Promise<void> {
  await client.query({
    name: 'published-event',
    text: 'INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES ($1, $2, $3, $4)',
    values: [event.id, subject, event.aggregateId, JSON.stringify(event)],
  });
}
