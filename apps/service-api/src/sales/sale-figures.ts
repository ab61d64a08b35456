import { Inject, Injectable } from '@nestjs/common';
import { scrapeFigures, ServiceLogger } from '@tollbridge/bootstrap';
import { Metrics, type Logger } from '@tollbridge/observability';
import { SalesRepository } from './sales.repository';

/** Sales that an operator must look at, read at scrapes. */
@Injectable()
export class SaleFigures {
  constructor(sales: SalesRepository, metrics: Metrics, @Inject(ServiceLogger) logger: Logger) {
    const stuck = metrics.gauge(
      'tollbridge_sale_refunds_stuck',
      'Refunds of sales that failed for good and wait for an operator; counted up to 20000',
    );
    scrapeFigures(metrics, {
      read: async () => stuck.set(await sales.countStuck()),
      clear: () => stuck.remove(),
      onError: (error) => logger.warn({ err: error }, 'sale figures not read'),
    });
  }
}
