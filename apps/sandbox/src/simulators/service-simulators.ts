import fastify, { type FastifyInstance } from 'fastify';
import { mailSimulators } from '../mail/mail-simulators';
import type { NetworkTreasury } from '../networks/network-treasury';
import { Reloadly } from '../reloadly/reloadly';
import { FiveSimSimulator } from '../fivesim/fivesim';
import { EcbSimulator } from '../rates/ecb.simulator';
import { OpenExchangeRatesSimulator } from '../rates/open-exchange-rates.simulator';
import { RateTable } from '../rates/rate-table';
import { SmsActivateSimulator } from '../sms-activate/sms-activate';
import { TwilioSimulator } from '../twilio/twilio';
import { LasoSimulator } from '../laso/laso';
import { LithicSimulator } from '../lithic/lithic';
import { SolanaSimulator } from '../solana/solana.simulator';
import { SuiSimulator } from '../sui/sui.simulator';
import { TonSimulator } from '../ton/ton.simulator';
import { TronSimulator } from '../tron/tron.simulator';
import type { ServiceSimulator, ServiceSimulatorParts } from './service-simulator';

/** Simulators by the name that outages refer to. */
export type ServiceSimulators = Readonly<Record<string, ServiceSimulator>> & {
  readonly toncenter: TonSimulator;
  readonly solana: SolanaSimulator;
  readonly tron: TronSimulator;
  readonly sui: SuiSimulator;
};

export interface SimulatorParts extends ServiceSimulatorParts {
  /** The exchange rates that the simulators publish. The default is a table that only they have. */
  rates?: RateTable | undefined;
}

/** Creates all service simulators; each provider has its own folder. */
export function serviceSimulators({ rates, ...parts }: SimulatorParts): ServiceSimulators {
  const rateTable = rates ?? new RateTable(parts.clock);
  return {
    reloadly: new Reloadly(parts),
    ...mailSimulators(parts),
    'sms-activate': new SmsActivateSimulator(parts),
    fivesim: new FiveSimSimulator(parts),
    twilio: new TwilioSimulator(parts),
    lithic: new LithicSimulator(parts),
    laso: new LasoSimulator(parts),
    ecb: new EcbSimulator(rateTable, parts.clock),
    openexchangerates: new OpenExchangeRatesSimulator(rateTable, parts.clock),
    toncenter: new TonSimulator(parts),
    solana: new SolanaSimulator(parts),
    tron: new TronSimulator({ ...parts, rpcUrl: parts.tronNodeUrl }),
    sui: new SuiSimulator(parts),
  };
}

/** The treasuries of local networks, by registry id. @throws Error for a chain that is not simulated */
export function treasuriesOf(
  { toncenter: ton, solana, tron, sui }: ServiceSimulators,
  chains: readonly string[],
): Map<string, NetworkTreasury> {
  const networks: Readonly<Record<string, { treasury: NetworkTreasury }>> = { ton, solana, tron, sui };
  return new Map(
    chains.map((chain) => {
      const network = networks[chain];
      if (!network) throw new Error(`${chain} is not a local network`);
      return [chain, network.treasury];
    }),
  );
}

export interface RunningServiceSimulators {
  /** Base URL, which the prefix of a simulator follows. */
  url: string;
  simulators: ServiceSimulators;
  /** Number of received requests, for tests that count calls. */
  requests(): number;
  close(): Promise<void>;
}

/** Starts the service simulators in the process of a test. They need no chain. */
export async function startServiceSimulators(
  parts: Omit<SimulatorParts, 'publicUrl'>,
): Promise<RunningServiceSimulators> {
  let url = '';
  const simulators = serviceSimulators({ ...parts, publicUrl: () => url });
  const server = fastify({ forceCloseConnections: true, bodyLimit: 1024 * 1024 });
  let requests = 0;
  server.addHook('onRequest', async () => void requests++);
  registerServices(server, simulators);
  url = await server.listen({ host: '127.0.0.1', port: 0 });
  for (const simulator of Object.values(simulators)) await simulator.start?.();
  const close = async (): Promise<void> => {
    await server.close();
    for (const simulator of Object.values(simulators)) await simulator.stop?.();
  };
  return { url, simulators, requests: () => requests, close };
}

export function registerServices(
  server: FastifyInstance,
  simulators: Readonly<Record<string, ServiceSimulator>>,
): void {
  for (const simulator of Object.values(simulators))
    void server.register(async (routes) => simulator.register(routes), { prefix: simulator.prefix });
}
