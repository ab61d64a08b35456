import type { RouteToken } from '@tollbridge/routing';
import { type EvmChain } from '@tollbridge/chains';
import { evmRpcOf, type EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';

/** The EVM chains of this deployment, each with its RPC client. */
export class EvmChains {
  private readonly byChainId: ReadonlyMap<number, { chain: EvmChain; rpc: EvmRpc }>;

  constructor(
    readonly all: readonly EvmChain[],
    logger: Logger,
  ) {
    this.byChainId = new Map(all.map((chain) => [chain.chainId, { chain, rpc: evmRpcOf(chain, logger) }]));
  }

  has(chainId: number): boolean {
    return this.byChainId.has(chainId);
  }

  /** @throws Error for a chain that is not configured */
  chain(chainId: number): EvmChain {
    return this.entry(chainId).chain;
  }

  rpc(chainId: number): EvmRpc {
    return this.entry(chainId).rpc;
  }

  ofToken({ chain }: Pick<RouteToken, 'chain'>): { chain: EvmChain; rpc: EvmRpc } {
    return this.entry(this.all.find(({ id }) => id === chain)?.chainId ?? -1);
  }

  /** The native coin, which pays for gas. */
  coin(chainId: number): RouteToken {
    const { id, nativeSymbol, tokens } = this.chain(chainId);
    const decimals = tokens.find(({ address }) => address === null)?.decimals ?? 18;
    return { chain: id, symbol: nativeSymbol, address: null, decimals };
  }

  private entry(chainId: number): { chain: EvmChain; rpc: EvmRpc } {
    const found = this.byChainId.get(chainId);
    if (!found) throw new Error(`chain ${chainId} is not configured`);
    return found;
  }
}
