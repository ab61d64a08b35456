import { type Chain } from '@tollbridge/chains';
import { EvmRpc } from '@tollbridge/evm';
import type { BalanceReader } from '../holding';
import { CoinFee } from './coin-fee';
import { decodeBalances, encodeBalances, multicall3Address } from './multicall.wire';

export interface EvmReaderOptions {
  urls: readonly string[];
  /** Time limit for all URLs together. */
  timeoutMs: number;
}

// One minute of blocks, and at least a few, because nodes behind one load balancer differ by one or two.
const maxLagBlocks = (blockTimeMs: number) => Math.max(5, Math.ceil(60_000 / blockTimeMs));
// The reply has one word for each token, and little more.
const maxReplyBytes = 1024 * 1024;
// The chain check before the first call, and the call itself.
const exchangesPerRead = 2;

/** Creates a reader for an EVM chain. It reads the coin and all tokens in one `eth_call`. */
export function evmReader(chain: Chain, { urls, timeoutMs }: EvmReaderOptions): BalanceReader {
  const chainId = chain.chainId!;
  const rpc = new EvmRpc({
    chainId,
    urls,
    timeoutMs: Math.floor(timeoutMs / urls.length / exchangesPerRead),
    maxLagBlocks: maxLagBlocks(chain.blockTimeMs),
    maxReplyBytes,
  });
  const fee = new CoinFee(chainId, () => rpc.call('eth_gasPrice'));
  return {
    async read(of, owner) {
      const data = encodeBalances(of, owner);
      const returned = await rpc.pinned((reads) => reads.ethCall({ to: multicall3Address, data }));
      const amounts = decodeBalances(of, returned);
      return of.tokens.flatMap((token) => {
        const amountAtomic = amounts.get(token);
        return amountAtomic === undefined ? [] : [{ token, amountAtomic, lockedAtomic: 0n }];
      });
    },
    coinFeeAtomic: (payment) => fee.feeAtomic(payment),
  };
}
