import { formatUnits } from '@tollbridge/money';
import type { Chain, Token } from '../registry/chain';

/** A transfer that the payer's wallet should make. */
export interface TransferTerms {
  readonly chain: Chain;
  readonly token: Pick<Token, 'address' | 'decimals'>;
  readonly address: string;
  /** Amount in the smallest unit; null if the payer chooses the amount. */
  readonly amountAtomic: bigint | null;
  /** Memo that the receiving exchange or provider needs to credit the transfer. */
  readonly memo: string | null;
  /** Optional reference of the payer (`transferReference`), added to the link if its scheme supports one. */
  readonly reference?: string | null;
}

// BIP-21, and the schemes that wallets of its forks use.
const coinSchemes: Readonly<Record<string, string>> = { btc: 'bitcoin', ltc: 'litecoin', doge: 'dogecoin' };

/**
 * Returns a link that opens a wallet with a transfer: ERC-681 on EVM chains, BIP-21 on Bitcoin and its forks, Solana
 * Pay, and TON's `ton://transfer`. Null on other chains. Null with a memo too, because wallets would lose the memo, and
 * the transfer with it.
 */
export function paymentUri(terms: TransferTerms): string | null {
  const { chain, token, address, amountAtomic, memo, reference = null } = terms;
  if (memo !== null) return null;
  const atomic = amountAtomic === null ? null : String(amountAtomic);
  const amount = amountAtomic === null ? null : formatUnits(amountAtomic, token.decimals);
  if (chain.family === 'evm')
    return token.address === null
      ? `ethereum:${address}@${chain.chainId}${queryOf({ value: atomic })}`
      : `ethereum:${token.address}@${chain.chainId}/transfer${queryOf({ address, uint256: atomic })}`;
  if (chain.family === 'solana')
    return `solana:${address}${queryOf({ amount, 'spl-token': token.address, memo: reference })}`;
  if (chain.family === 'ton')
    return `ton://transfer/${address}${queryOf({ amount: atomic, jetton: token.address, text: reference })}`;
  const scheme = coinSchemes[chain.id];
  return scheme ? `${scheme}:${address}${queryOf({ amount })}` : null;
}

function queryOf(fields: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return given.length === 0 ? '' : `?${given.join('&')}`;
}
