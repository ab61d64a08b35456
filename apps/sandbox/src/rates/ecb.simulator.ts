import type { Clock } from '@tollbridge/database';
import { Decimal } from '@tollbridge/money';
import type { FastifyInstance } from 'fastify';
import { Outage } from '../simulators/outage';
import { observeOutage } from '../simulators/provider-outage';
import type { ServiceSimulator } from '../simulators/service-simulator';
import { ecbCurrencies, type RateTable } from './rate-table';
import { lastTargetDay } from './target-days';

// The bank publishes five or six significant digits.
const significantDigits = 6;
const quotientDigits = 12;

/** Simulates the daily file of reference rates of the European Central Bank. */
export class EcbSimulator implements ServiceSimulator {
  readonly prefix = '/ecb';
  readonly outage = new Outage();

  constructor(
    private readonly rates: RateTable,
    private readonly clock: Clock,
  ) {}

  register(routes: FastifyInstance): void {
    observeOutage(routes, this.outage);
    routes.get('/stats/eurofxref/eurofxref-daily.xml', (_request, reply) =>
      reply.type('text/xml').send(this.file()),
    );
  }

  private file(): string {
    const day = lastTargetDay(this.rates.frozenAt('ecb')?.getTime() ?? this.clock.now());
    const perUsd = this.rates.perUsd('ecb');
    const euro = Decimal.of(perUsd.get('EUR')!);
    const cubes = ecbCurrencies.map((currency) => {
      const rate = Decimal.of(perUsd.get(currency)!).dividedDown(euro, quotientDigits);
      return `\t\t\t<Cube currency='${currency}' rate='${rate.significantDown(significantDigits).text}'/>\n`;
    });
    return `${header}\t\t<Cube time='${day}'>\n${cubes.join('')}\t\t</Cube>\n${footer}`;
  }
}

const header = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
`;
const footer = '\t</Cube>\n</gesmes:Envelope>\n';
