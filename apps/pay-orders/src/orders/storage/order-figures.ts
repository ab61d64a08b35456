import { Inject, Injectable } from '@nestjs/common';
import { scrapeFigures, ServiceLogger } from '@tollbridge/bootstrap';
import { Clock, Database } from '@tollbridge/database';
import { Metrics, type Logger } from '@tollbridge/observability';
import type { Gauge } from 'prom-client';

// Counting stops here, because a larger number causes the same alert, and the statement must stay cheap.
const mostCounted = 20_000;

interface FiguresRow {
  figure: 'waiting_payment' | 'settling' | 'unmatched' | 'manual';
  count: string;
  since: Date | null;
}

/**
 * Metrics of orders and deposits that are not final, read at scrapes. Uses SQL because each branch reads a limited part
 * of one partial index.
 */
@Injectable()
export class OrderFigures {
  private readonly unsettled: Gauge<'state'>;
  private readonly oldest: Gauge<'state'>;
  private readonly unmatched: Gauge;
  private readonly manual: Gauge;

  constructor(
    private readonly database: Database,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceLogger) logger: Logger,
    metrics: Metrics,
  ) {
    this.unsettled = metrics.gauge(
      'tollbridge_orders_unsettled',
      `Orders in a state that is not final; counted up to ${mostCounted}`,
      ['state'],
    );
    this.oldest = metrics.gauge(
      'tollbridge_orders_unsettled_oldest_seconds',
      'settling: time since the oldest order entered the state; waiting_payment: time since the first one expired',
      ['state'],
    );
    this.unmatched = metrics.gauge(
      'tollbridge_deposits_unmatched',
      'Open cross-chain deposits with a reported delivery that does not settle their order',
    );
    this.manual = metrics.gauge('tollbridge_refunds_manual', 'Refunds that wait for an operator');
    scrapeFigures(metrics, {
      read: () => this.read(),
      clear: () => this.clear(),
      onError: (error) => logger.warn({ err: error }, 'order figures not read'),
    });
  }

  private async read(): Promise<void> {
    const { rows } = await this.database.pool.query<FiguresRow>({ name: 'order-figures', text: statement });
    const nowMs = this.clock.now();
    for (const { figure, count, since } of rows) {
      if (figure === 'unmatched') this.unmatched.set(Number(count));
      else if (figure === 'manual') this.manual.set(Number(count));
      else {
        this.unsettled.set({ state: figure }, Number(count));
        this.oldest.set({ state: figure }, since ? Math.max(0, nowMs - since.getTime()) / 1000 : 0);
      }
    }
  }

  private clear(): void {
    this.unsettled.reset();
    this.oldest.reset();
    this.unmatched.remove();
    this.manual.remove();
  }
}

const bounded = (figure: FiguresRow['figure'], since: string, from: string): string => `
  SELECT '${figure}' AS figure, count(*), min(since) AS since FROM (
    SELECT ${since} AS since FROM ${from} LIMIT ${mostCounted}) AS bounded`;

const statement = [
  bounded('waiting_payment', 'expires_at', `orders WHERE status = 'waiting_payment' ORDER BY expires_at`),
  bounded('settling', 'updated_at', `orders WHERE status = 'settling'`),
  bounded('unmatched', 'check_at', 'deposits WHERE closed_at IS NULL AND problem IS NOT NULL'),
  bounded('manual', 'created_at', `refunds WHERE state = 'manual'`),
].join(' UNION ALL ');
