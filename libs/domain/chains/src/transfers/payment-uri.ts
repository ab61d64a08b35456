import { formatUnits } from '@tollbridge/money';
import type { Chain, Token } from '../registry/chain';

/** A transfer that a wallet is asked to make. */
export interface TransferTerms {
  readonly chain: Chain;
  readonly token: Token;
  readonly address: string;
  readonly amountAtomic: bigint;
  readonly memo: string | null;
}

// BIP-21, and the schemes that wallets of its forks use.
const coinSchemes: Readonly<Record<string, string>> = { btc: 'bitcoin', ltc: 'litecoin', doge: 'dogecoin' };

/**
 * A link that opens a wallet with a transfer: ERC-681 on EVM chains, BIP-21 on Bitcoin and its forks. Null elsewhere, and
 * with a memo: wallets would lose the memo, and the transfer with it.
 */
export function paymentUri({ chain, token, address, amountAtomic, memo }: TransferTerms): string | null {
  if (memo !== null) return null;
  if (chain.family === 'evm')
    return token.address === null
      ? `ethereum:${address}@${chain.chainId}?value=${amountAtomic}`
      : `ethereum:${token.address}@${chain.chainId}/transfer?address=${address}&uint256=${amountAtomic}`;
  const scheme = coinSchemes[chain.id];
  return scheme ? `${scheme}:${address}?amount=${formatUnits(amountAtomic, token.decimals)}` : null;
}
