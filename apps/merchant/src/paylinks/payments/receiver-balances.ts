import type { Balances } from '@tollbridge/balances';
import type { Chain } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import type { PayLink } from '../paylink';

// A client that reports a payment, or lists payments, waits for it.
const timeoutMs = 3_000;

type Place = Pick<PayLink, 'receiveAddress' | 'tokenAddress' | 'token'>;

/**
 * Balances of receivers on chains without a node, read from an indexer. They help the merchant to decide, and prove
 * nothing: other transfers change them too.
 */
export class ReceiverBalances {
  constructor(
    private readonly balances: Pick<Balances, 'isServed' | 'read'>,
    private readonly logger: Logger,
  ) {}

  /** Smallest unit of the link's token; null when it is not read in time. Never rejects. */
  async of(chain: Chain | undefined, { receiveAddress, tokenAddress, token }: Place): Promise<bigint | null> {
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
