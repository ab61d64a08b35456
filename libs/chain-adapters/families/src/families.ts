import type { NodePool } from '@tollbridge/chain-nodes';
import type { ChainAdapter, TransferReader } from '@tollbridge/chain-port';
import {
  directFamilies,
  loadChains,
  loadDirectChains,
  type ChainWithNodes,
  type DirectChain,
  type DirectFamily,
} from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';

type Family = Exclude<DirectFamily, 'evm'>;

/** A chain with configured nodes. */
export interface OpenChain {
  chain: { id: string };
  /** Nodes in the order of `CHAINS_FILE`. `health` is the input of `showNodes`. */
  rpc: Pick<NodePool<unknown>, 'health'>;
}

export interface PaymentChain extends OpenChain {
  adapter: ChainAdapter;
}

export interface ReadChain extends OpenChain {
  reader: TransferReader;
}

interface FamilyAdapter {
  openAdapter(chain: DirectChain, logger: Logger): PaymentChain;
  openReader(chain: ChainWithNodes, logger: Logger): ReadChain;
}

// Loaded on demand, because each family uses its own library for addresses and messages.
const families: Readonly<Record<Family, () => Promise<FamilyAdapter>>> = {
  ton: async () => {
    const { openTonAdapter, openTonReader } = await import('@tollbridge/ton/payments');
    return { openAdapter: openTonAdapter, openReader: openTonReader };
  },
  solana: async () => {
    const { openSolanaAdapter, openSolanaReader } = await import('@tollbridge/solana');
    return { openAdapter: openSolanaAdapter, openReader: openSolanaReader };
  },
  tron: async () => {
    const { openTronAdapter, openTronReader } = await import('@tollbridge/tron');
    return { openAdapter: openTronAdapter, openReader: openTronReader };
  },
  sui: async () => {
    const { openSuiAdapter, openSuiReader } = await import('@tollbridge/sui');
    return { openAdapter: openSuiAdapter, openReader: openSuiReader };
  },
};

/**
 * Opens the non-EVM chains of the file that accept direct payments.
 * @param path of `CHAINS_FILE`
 * @throws Error that lists every invalid field of the file
 */
export function openPaymentChains(path: string, logger: Logger): Promise<PaymentChain[]> {
  return openAll(
    (family) => loadDirectChains(path, family),
    (chain, { openAdapter }) => openAdapter(chain, logger),
  );
}

/** Opens the non-EVM chains of the file with readable transfers. @throws Error as `openPaymentChains` */
export function openReadChains(path: string, logger: Logger): Promise<ReadChain[]> {
  return openAll(
    (family) => loadChains(path, family),
    (chain, { openReader }) => openReader(chain, logger),
  );
}

/** Opens the adapter of one chain of these families. */
export async function openPaymentChain(chain: DirectChain, logger: Logger): Promise<PaymentChain> {
  const { openAdapter } = await families[chain.family as Family]();
  return openAdapter(chain, logger);
}

async function openAll<Described, Opened>(
  load: (family: Family) => readonly Described[],
  open: (chain: Described, family: FamilyAdapter) => Opened,
): Promise<Opened[]> {
  const opened = directFamilies.map(async (family): Promise<Opened[]> => {
    if (family === 'evm') return [];
    const chains = load(family);
    if (chains.length === 0) return [];
    const adapter = await families[family]();
    return chains.map((chain) => open(chain, adapter));
  });
  return (await Promise.all(opened)).flat();
}
