import { SuiGraphQLClient } from '@mysten/sui/graphql';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { Database, type Clock } from '@tollbridge/database';
import { freshDatabase } from '@tollbridge/testing';
import { genesisAccounts, type GenesisAccount } from '../genesis';
import { startSuiSimulator, type RunningSuiSimulator } from '../start-sui-simulator';
import { SuiWallet } from './sui-wallet';
import { migrateSandbox } from '../../simulators/open-simulators';

export interface SuiHarness extends RunningSuiSimulator {
  /** The official client. */
  client: SuiGraphQLClient;
  wallet(role: GenesisAccount['role']): SuiWallet;
  /** Errors of the simulator itself. */
  problems: unknown[];
  /** Restarts the network on the same database. */
  restart(): Promise<void>;
}

/** Opens a separate Sui network for a test. */
export async function openSuiHarness(clock: Clock): Promise<SuiHarness> {
  const fresh = await freshDatabase('sandbox', migrateSandbox);
  const problems: unknown[] = [];
  let database: Database;
  const begin = async () => {
    database = await Database.open({
      app: 'sandbox',
      url: fresh.runtimeUrl,
      entities: [],
      maxConnections: 4,
    });
    const running = await startSuiSimulator({ database, clock, onError: (error) => problems.push(error) });
    const client = new SuiGraphQLClient({ url: running.rpcUrl });
    const wallet = (role: GenesisAccount['role']) => {
      const { privateKey } = genesisAccounts.find((it) => it.role === role)!;
      return new SuiWallet(client, Ed25519Keypair.fromSecretKey(privateKey));
    };
    return { ...running, client, wallet };
  };
  const end = async (): Promise<void> => {
    await running.close();
    await database.close();
  };
  let running = await begin();
  const harness: SuiHarness = {
    ...running,
    problems,
    async restart() {
      await end();
      running = await begin();
      Object.assign(harness, running, { close: harness.close });
    },
    async close() {
      await end();
      await fresh.drop();
    },
  };
  return harness;
}
