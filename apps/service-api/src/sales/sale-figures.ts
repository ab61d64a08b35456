import { Inject, Injectable } from '@nestjs/common';
import { scrapeFigures, ServiceLogger } from '@tollbridge/bootstrap';
import { Metrics, type Logger } from '@tollbridge/observability';
import { SalesRepository } from './sales.repository';
import { UnclaimedRepository } from './unclaimed/unclaimed.repository';

/** Metrics of sales that need an operator, read at each scrape. */
@Injectable()
export class SaleFigures {
  constructor(
    sales: SalesRepository,
    payments: UnclaimedRepository,
    metrics: Metrics,
    @Inject(ServiceLogger) logger: Logger,
  ) {
    const stuck = metrics.gauge(
      'tollbridge_sale_refunds_stuck',
      'Refunds of sales that failed for good and wait for an operator; counted up to 20000',
    );
    const unclaimed = metrics.gauge(
      'tollbridge_sale_payments_unclaimed',
      'Payments to the sales wallets that no sale has and that are not refunded by themselves; counted up to 20000',
    );
    scrapeFigures(metrics, {
      read: async () => {
        stuck.set(await sales.countStuck());
        unclaimed.set(await payments.count());
      },
      clear: () => {
        stuck.remove();
        unclaimed.remove();
      },
      onError: (error) => logger.warn({ err: error }, 'sale figures not read'),
    });
  }
}
