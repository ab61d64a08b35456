import type { DeployedChain } from '@tollbridge/chains';
import { EvmPaymentAdapter, evmRpcOf, type EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';

export interface EvmChainAccess {
  chain: DeployedChain;
  rpc: EvmRpc;
}

/** The EVM chains of `CHAINS_FILE`, each with one pool of RPC nodes that all readers share. */
export class EvmChains {
  readonly all: readonly EvmChainAccess[];

  constructor(chains: readonly DeployedChain[], logger: Logger) {
    this.all = chains.map((chain) => ({ chain, rpc: evmRpcOf(chain, logger) }));
  }

  find(chainId: string): EvmChainAccess | undefined {
    return this.all.find(({ chain }) => chain.id === chainId);
  }

  adapters(): EvmPaymentAdapter[] {
    return this.all.map(({ chain, rpc }) => new EvmPaymentAdapter(chain, rpc));
  }
}
