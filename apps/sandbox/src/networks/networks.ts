import type { SandboxNetwork } from '@tollbridge/contracts';
import { openPaymentChain } from '@tollbridge/chain-families';
import type { ChainAdapter } from '@tollbridge/chain-port';
import { directChainOf, findChain, type DeploymentEntry } from '@tollbridge/chains';
import pino from 'pino';
import type { NetworkName } from '../config';
import type { LocalTokens } from '../oneclick/assets';
import type { LocalNetwork } from './local-network';

// Loaded only when a network runs, because each needs the library of its family.
const networks: Readonly<Record<NetworkName, () => Promise<LocalNetwork>>> = {
  ton: async () => (await import('../ton/local-ton')).localTon,
  solana: async () => (await import('../solana/local-solana')).localSolana,
  tron: async () => (await import('../tron/local-tron')).localTron,
  sui: async () => (await import('../sui/local-sui')).localSui,
};

const openAll = (names: readonly NetworkName[]): Promise<LocalNetwork[]> =>
  Promise.all(names.map((name) => networks[name]()));

/**
 * Returns the `CHAINS_FILE` entries of these networks. @param simulatorsUrl the URL of the simulators for the services
 */
export async function networkEntries(
  names: readonly NetworkName[],
  simulatorsUrl: string,
): Promise<DeploymentEntry[]> {
  const opened = await openAll(names);
  return Promise.all(opened.map((network) => network.entry(simulatorsUrl)));
}

/**
 * Returns adapters that read these networks from their own nodes. @param simulatorsUrl the URL that this process uses
 */
export async function networkAdapters(
  names: readonly NetworkName[],
  simulatorsUrl: string,
): Promise<ChainAdapter[]> {
  // The warnings would repeat the errors of each read.
  const logger = pino({ level: 'silent' });
  const entries = await networkEntries(names, simulatorsUrl);
  const opened = await Promise.all(entries.map((entry) => openPaymentChain(directChainOf(entry), logger)));
  return opened.map(({ adapter }) => adapter);
}

/** The tokens of these networks, for the simulated route provider. */
export async function networkTokens(
  names: readonly NetworkName[],
  simulatorsUrl: string,
): Promise<LocalTokens[]> {
  const entries = await networkEntries(names, simulatorsUrl);
  return entries.map((entry) => ({ chain: entry.chain, tokens: tokensOf(entry) }));
}

const tokensOf = ({ chain, tokens }: DeploymentEntry): LocalTokens['tokens'] =>
  tokens ?? findChain(chain)!.tokens;

/** Describes these networks for `GET /sandbox`. @param simulatorsUrl the URL of the simulators for clients */
export async function describeNetworks(
  names: readonly NetworkName[],
  simulatorsUrl: string,
): Promise<SandboxNetwork[]> {
  const opened = await openAll(names);
  return Promise.all(
    opened.map(async (network) => {
      const entry = await network.entry(simulatorsUrl);
      const { chain, rpcUrls, payContract } = entry;
      return {
        chain,
        family: findChain(chain)!.family,
        rpcUrl: rpcUrls[0]!,
        payContract: payContract!,
        tokens: tokensOf(entry).map(({ symbol, address, decimals }) => ({
          symbol,
          address,
          decimals,
        })),
        accounts: await network.accounts(),
      };
    }),
  );
}
