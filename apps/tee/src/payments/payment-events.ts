import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { teeEvents, type PaymentsCommitted } from '@tollbridge/contracts';
import { Clock, Database, transaction, type TransactionClient } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import {
  longestIdleMs,
  OutboxWorker,
  PollingLoop,
  ServiceLogger,
  type PollResult,
} from '@tollbridge/bootstrap';
import { v7 as uuid } from 'uuid';
import { LedgerWriter } from './ledger-writer';

const everyMs = 100;
/** As many payments in one event: its sellers must fit into a message. */
const maxPayments = 5_000;
/** What is charged is valid, or held for a minute at most: it is not searched for in days of long ago. */
const oldestS = 600;

const { subject, type, version } = teeEvents['payments-committed'];

interface Share {
  seller: Buffer;
  payment_count: string;
  amount: string;
  first_seq: string;
  last_seq: string;
}

/** From the first receipt to the last. */
interface SeqRange {
  first: bigint;
  last: bigint;
}

/**
 * Tells of payments that stand in the ledger, many at a time: an event for each commit would cost more than the commit.
 * How far was told stands in the record, and is raised together with the event, so that nothing is left out or told twice.
 */
@Injectable()
export class PaymentEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly telling: PollingLoop;
  /** Nothing has come since. */
  private toldSeq = -1n;

  constructor(
    private readonly database: Database,
    private readonly writer: LedgerWriter,
    private readonly outbox: OutboxWorker,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    this.telling = new PollingLoop(
      () => this.tell(),
      everyMs,
      (error) => logger.warn({ err: error }, 'payments could not be told of; trying again'),
    );
    writer.whenCommitted(() => this.telling.wake());
  }

  onApplicationBootstrap(): void {
    this.telling.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.telling.stop();
  }

  private async tell(): Promise<PollResult> {
    if (!this.writer.isReady) return 'done';
    if (this.writer.position.seq === this.toldSeq) return { idleMs: longestIdleMs };
    const { seq, isAll } = await transaction(this.database.pool, (client) => this.tellNext(client));
    this.toldSeq = seq;
    this.outbox.wake();
    return isAll ? 'done' : 'more';
  }

  private async tellNext(client: TransactionClient): Promise<{ seq: bigint; isAll: boolean }> {
    const { rows } = await client.query<{ told: string; at_ms: string; seq: string; head: Buffer }>({
      name: 'told-read',
      text: 'SELECT told.seq AS told, at_ms, ledger.seq, head FROM told, ledger FOR UPDATE OF told',
    });
    const { told, at_ms: toldMs, seq: last, head } = rows[0]!;
    const isAll = BigInt(last) - BigInt(told) <= maxPayments;
    const seq = isAll ? BigInt(last) : BigInt(told) + BigInt(maxPayments);
    if (seq <= BigInt(told)) return { seq, isAll };
    const since = Math.floor(Number(toldMs) / 1000) - oldestS;
    const shares = await sharesOf(client, [told, seq, since]);
    const nowMs = this.clock.now();
    if (shares.length > 0) {
      const range = rangeOf(shares);
      // Receipts of what was given back may follow on the last payment.
      const reached = range.last === BigInt(last) ? head : await headAfter(client, range.last, since);
      await insertEvent(client, eventOf(shares, range, seq, reached, new Date(nowMs).toISOString()));
    }
    const values = [seq, isAll ? nowMs : toldMs];
    await client.query({ name: 'told-write', text: 'UPDATE told SET seq = $1, at_ms = $2', values });
    return { seq, isAll };
  }
}

/** What each seller got by receipts after the first, up to the second. */
async function sharesOf(client: TransactionClient, values: unknown[]): Promise<Share[]> {
  const { rows } = await client.query<Share>({
    name: 'told-shares',
    text: `SELECT seller, count(*) AS payment_count, sum(charged) AS amount, min(seq) AS first_seq, max(seq) AS last_seq
           FROM payments
           WHERE seq > 0 AND seq > $1 AND seq <= $2 AND valid_before >= $3 AND state = 'captured' GROUP BY seller`,
    values,
  });
  return rows;
}

/** It is what the next receipt follows on. */
async function headAfter(client: TransactionClient, seq: bigint, since: number): Promise<Buffer> {
  const { rows } = await client.query<{ previous_head: Buffer }>({
    name: 'told-head',
    text: `SELECT previous_head FROM payments WHERE seq > 0 AND seq = $1 AND valid_before >= $2
           UNION ALL SELECT previous_head FROM refunds WHERE seq = $1`,
    values: [seq + 1n, since],
  });
  if (!rows[0]) throw new Error(`receipt ${seq + 1n} is missing`);
  return rows[0].previous_head;
}

function rangeOf(shares: readonly Share[]): SeqRange {
  const seqs = shares.flatMap(({ first_seq, last_seq }) => [BigInt(first_seq), BigInt(last_seq)]);
  return {
    first: seqs.reduce((least, each) => (each < least ? each : least)),
    last: seqs.reduce((most, each) => (each > most ? each : most)),
  };
}

function eventOf(
  shares: readonly Share[],
  { first, last }: SeqRange,
  seq: bigint,
  head: Buffer,
  occurredAt: string,
): object {
  const data: PaymentsCommitted = {
    first_seq: first.toString(),
    last_seq: last.toString(),
    head: head.toString('hex'),
    payment_count: shares.reduce((count, share) => count + Number(share.payment_count), 0),
    sellers: shares.map(({ seller, payment_count, amount }) => ({
      to: `0:${seller.toString('hex')}`,
      payment_count: Number(payment_count),
      amount,
    })),
    committed_at: occurredAt,
  };
  return {
    id: uuid(),
    type,
    version,
    aggregateId: 'ledger',
    aggregateVersion: Number(seq),
    occurredAt,
    data,
  };
}

async function insertEvent(client: TransactionClient, event: object): Promise<void> {
  await client.query({
    name: 'told-event',
    text: `INSERT INTO outbox (id, subject, aggregate_id, payload) VALUES (($1::json->>'id')::uuid, $2, 'ledger', $1)`,
    values: [JSON.stringify(event), subject],
  });
}
