import type { Balances } from '@tollbridge/balances';
import type { Logger } from '@tollbridge/observability';
import type { ChainNodes } from '../../chains/chain-nodes';
import type { PayLink } from '../paylink';

// The client that reports or lists payments waits for the balances.
const timeoutMs = 3_000;

type Place = Pick<PayLink, 'chain' | 'receiveAddress' | 'tokenAddress' | 'token'>;

/**
 * Balances of receivers on chains without a node, read from an indexer. They help the merchant to decide. They prove
 * nothing, because other transfers change them too.
 */
export class ReceiverBalances {
  constructor(
    private readonly chains: Pick<ChainNodes, 'find'>,
    private readonly balances: Pick<Balances, 'isServed' | 'read'>,
    private readonly logger: Logger,
  ) {}

  /** The balance in the smallest unit of the link's token; null when it is not read in time. Never rejects. */
  async of({ chain: id, receiveAddress, tokenAddress, token }: Place): Promise<bigint | null> {
    const chain = this.chains.find(id);
    if (!chain || !this.balances.isServed(chain)) return null;
    const { found, skipped } = await this.balances.read([{ chain, address: receiveAddress }], { timeoutMs });
    for (const { reason } of skipped)
      this.logger.warn({ chain: chain.id, reason }, 'receiver balance read failed');
    const holding = found[0]?.holdings.find(
      (it) => it.token.address === tokenAddress && it.token.symbol === token,
    );
    return holding?.amountAtomic ?? null;
  }
}
