import type { Balances } from '@tollbridge/balances';
import type { Chain } from '@tollbridge/chains';
import type { Logger } from '@tollbridge/observability';
import type { PayLink } from './paylink';

// A payer who reports, and a merchant who opens a list, wait for it.
const timeoutMs = 3_000;

type Place = Pick<PayLink, 'receiveAddress' | 'tokenAddress' | 'token'>;

/**
 * What a receiver holds on a chain without a node, as an indexer says. It helps the merchant to decide, and proves
 * nothing: other transfers change the balance too.
 */
export class ReceiverBalances {
  constructor(
    private readonly balances: Pick<Balances, 'isServed' | 'read'>,
    private readonly logger: Logger,
  ) {}

  /** Smallest unit of the token of the link; null where it cannot be read in time. Never fails. */
  async of(chain: Chain | undefined, { receiveAddress, tokenAddress, token }: Place): Promise<bigint | null> {
    if (!chain || !this.balances.isServed(chain)) return null;
    const { found, skipped } = await this.balances.read([{ chain, address: receiveAddress }], { timeoutMs });
    for (const { reason } of skipped)
      this.logger.warn({ chain: chain.id, reason }, 'balance of a receiver was not read');
    const holding = found[0]?.holdings.find(
      (it) => it.token.address === tokenAddress && it.token.symbol === token,
    );
    return holding?.amountAtomic ?? null;
  }
}
