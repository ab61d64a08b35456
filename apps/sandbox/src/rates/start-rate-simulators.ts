import type { Clock } from '@tollbridge/database';
import fastify from 'fastify';
import { EcbSimulator } from './ecb.simulator';
import { OpenExchangeRatesSimulator } from './open-exchange-rates.simulator';
import { RateTable } from './rate-table';

export interface RunningRateSimulators {
  /** The URLs that replace the base URLs of the providers. */
  ecbUrl: string;
  openExchangeRatesUrl: string;
  rates: RateTable;
  ecb: EcbSimulator;
  openExchangeRates: OpenExchangeRatesSimulator;
  close(): Promise<void>;
}

/** Starts the simulators of exchange rates in the process of a test. They need no chain and no database. */
export async function startRateSimulators(clock: Clock): Promise<RunningRateSimulators> {
  const rates = new RateTable(clock);
  const ecb = new EcbSimulator(rates, clock);
  const openExchangeRates = new OpenExchangeRatesSimulator(rates, clock);
  const server = fastify({ forceCloseConnections: true });
  for (const simulator of [ecb, openExchangeRates])
    void server.register(async (routes) => simulator.register(routes), { prefix: simulator.prefix });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    ecbUrl: url + ecb.prefix,
    openExchangeRatesUrl: url + openExchangeRates.prefix,
    rates,
    ecb,
    openExchangeRates,
    close: () => server.close(),
  };
}
