import type { CheckoutOption } from '@tollbridge/contracts';
import type { Holding } from '@tollbridge/balances';
import type { Chain } from '@tollbridge/chains';
import { decimalNumber, formatUnits } from '@tollbridge/money';
import type { QuoteOutcome } from '../quotes/quotes';

export interface OptionParts {
  chain: Chain;
  holding: Holding;
  outcome: QuoteOutcome;
  /** The amount that must stay in the wallet; undefined when it is unknown. */
  reserve: bigint | undefined;
  balanceUsd: string | null;
  isDirect: boolean;
}

/** One token of one wallet as a payment option. */
export function optionOf({
  chain,
  holding,
  outcome,
  reserve,
  balanceUsd,
  isDirect,
}: OptionParts): CheckoutOption {
  const { token, amountAtomic, lockedAtomic } = holding;
  const quote = 'quote' in outcome ? outcome.quote : undefined;
  const failure = 'error' in outcome ? outcome : undefined;
  return {
    blockchain: chain.id,
    token: token.symbol,
    chain_name: chain.name,
    is_direct: isDirect,
    balance: formatUnits(amountAtomic, token.decimals),
    balance_usd: balanceUsd,
    pay_amount: quote?.pay_amount ?? null,
    pay_amount_formatted: quote?.pay_amount_formatted ?? null,
    pay_amount_usd: quote?.pay_amount_usd ?? null,
    // An unknown reserve counts as the locked amount, because the wallet itself will reject an impossible payment.
    sufficient: quote !== undefined && amountAtomic >= BigInt(quote.pay_amount) + (reserve ?? lockedAtomic),
    estimated_time: quote?.estimated_time ?? null,
    method: quote?.method ?? (isDirect ? 'Direct' : 'CrossChain'),
    logo: token.logo,
    chain_logo: chain.logo,
    error: failure?.error ?? null,
    min_amount_usd: failure && failure.minUsd !== null ? decimalNumber(failure.minUsd) : null,
  };
}

/** Sufficient options first, then direct ones, then the fastest. Otherwise the order of the wallets stays. */
export function sortOptions(options: readonly CheckoutOption[]): CheckoutOption[] {
  const secondsOf = ({ estimated_time }: CheckoutOption) => estimated_time ?? Number.MAX_SAFE_INTEGER;
  return [...options].sort(
    (a, b) =>
      Number(b.sufficient) - Number(a.sufficient) ||
      Number(b.is_direct) - Number(a.is_direct) ||
      secondsOf(a) - secondsOf(b),
  );
}
