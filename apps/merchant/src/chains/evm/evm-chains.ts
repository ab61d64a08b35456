import type { EvmChain } from '@tollbridge/chains';
import { evmRpcOf, EvmTransferReader, type EvmRpc } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';

/** The EVM chains of `CHAINS_FILE`, each with one pool of RPC nodes that all readers share. */
export class EvmChains {
  readonly all: readonly { chain: EvmChain; rpc: EvmRpc }[];

  constructor(chains: readonly EvmChain[], logger: Logger) {
    this.all = chains.map((chain) => ({ chain, rpc: evmRpcOf(chain, logger) }));
  }

  readers(): EvmTransferReader[] {
    return this.all.map(({ chain, rpc }) => new EvmTransferReader(chain, rpc));
  }

  /** The RPC pools by EVM chain id, to verify signatures of contract wallets. */
  rpcs(): ReadonlyMap<number, EvmRpc> {
    return new Map(this.all.map(({ chain, rpc }) => [chain.chainId, rpc]));
  }
}
