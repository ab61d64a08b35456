import type { ExecutionStrategy, PaymentOption, QuoteReply } from '@tollbridge/contracts';
import { chains, findChain, findToken, type Chain, type Token } from '@tollbridge/chains';

/** A token that a payer may pay with. */
export interface FromToken {
  chain: Chain;
  token: Token;
}

/** Finds a token of a chain. Both may be given by id, symbol, address or alias. */
export function fromTokenOf(
  chains: { find(name: string): Chain | undefined },
  chainName: string,
  tokenName: string,
): FromToken | undefined {
  const chain = chains.find(chainName);
  const token = chain && findToken(chain, tokenName);
  return token && { chain, token };
}

export const maxOptions = 20;

// The assets that most payers hold, in order of popularity.
const popular: readonly [chain: string, tokens: readonly string[]][] = [
  ['eip155:1', ['ETH', 'USDC', 'USDT']],
  ['eip155:8453', ['USDC', 'ETH']],
  ['tron', ['USDT']],
  ['solana', ['SOL', 'USDC']],
  ['btc', ['BTC']],
  ['eip155:56', ['BNB', 'USDT']],
  ['eip155:42161', ['USDC', 'ETH']],
  ['ton', ['TON', 'USDT']],
  ['eip155:137', ['USDC']],
  ['xrp', ['XRP']],
  ['ltc', ['LTC']],
  ['doge', ['DOGE']],
];

/**
 * The options to quote for a request: its token, other tokens of its chain, its token on other chains, and popular
 * assets. Their number is limited, because each option is quoted for each payer.
 */
export function candidatesFor(
  settle: FromToken,
  known: { find(name: string): Chain | undefined } = { find: findChain },
): FromToken[] {
  const { chain, token } = settle;
  const sameChain = chain.tokens.map((other) => ({ chain, token: other })).slice(0, 6);
  const sameToken = chains
    .filter((it) => it.isDirect && it.id !== chain.id)
    .map(({ id }) => known.find(id)!)
    .map((it) => ({ chain: it, token: findToken(it, token.symbol) }));
  const wanted = popular.flatMap(([id, symbols]) => {
    const it = known.find(id)!;
    return symbols.map((symbol) => ({ chain: it, token: findToken(it, symbol) }));
  });
  const all = [settle, ...sameChain, ...sameToken.slice(0, 4), ...wanted].filter(isFound);
  // Testnet coins never settle mainnet payments, and mainnet coins never settle testnet payments.
  const fitting = all.filter((it) => it.chain.isTestnet === chain.isTestnet);
  return [...new Map(fitting.map((it) => [keyOf(it), it])).values()].slice(0, maxOptions);
}

const isFound = (it: { chain: Chain; token: Token | undefined }): it is FromToken => it.token !== undefined;
const keyOf = ({ chain, token }: FromToken): string => `${chain.id} ${token.symbol}`;

export function strategyOf(from: FromToken, settle: FromToken): ExecutionStrategy {
  const [isSameChain, isSameToken] = [
    from.chain.id === settle.chain.id,
    from.token.symbol === settle.token.symbol,
  ];
  if (isSameChain) return isSameToken ? 'direct' : 'swap';
  return isSameToken ? 'bridge' : 'swap_and_bridge';
}

/** Whether an option needs the payer's address. Only deposits on chains without a refund account do. */
export const needsPayer = (from: FromToken, settle: FromToken, refundChains: ReadonlySet<string>): boolean =>
  strategyOf(from, settle) !== 'direct' && !refundChains.has(from.chain.id);

/** The options that need no payer address. */
export const optionsWithout = (options: readonly PaymentOption[]): PaymentOption[] =>
  options.filter(({ needs_payer_address: needsAddress }) => !needsAddress);

export function optionOf(
  from: FromToken,
  settle: FromToken,
  quote: QuoteReply,
  refundChains: ReadonlySet<string>,
): PaymentOption {
  const strategy = strategyOf(from, settle);
  return {
    from_token: from.token.symbol,
    from_chain: from.chain.id,
    from_amount: quote.pay_amount,
    from_amount_formatted: quote.pay_amount_formatted,
    from_amount_usd: quote.pay_amount_usd,
    from_chain_name: from.chain.name,
    execution_strategy: strategy,
    estimated_time: timeInWords(quote.estimated_time),
    estimated_seconds: quote.estimated_time,
    needs_payer_address: needsPayer(from, settle, refundChains),
    logo: from.token.logo,
  };
}

/** Sorts direct options first, then by estimated time. */
export function sorted(options: readonly PaymentOption[]): PaymentOption[] {
  const rank = ({ execution_strategy }: PaymentOption) => (execution_strategy === 'direct' ? 0 : 1);
  return [...options].sort((a, b) => rank(a) - rank(b) || a.estimated_seconds - b.estimated_seconds);
}

/** For example `30 seconds` or `2 minutes`, rounded up. */
export function timeInWords(seconds: number): string {
  const inUnit = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (seconds < 90) return inUnit(Math.max(1, Math.ceil(seconds)), 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? inUnit(minutes, 'minute') : inUnit(Math.ceil(minutes / 60), 'hour');
}
