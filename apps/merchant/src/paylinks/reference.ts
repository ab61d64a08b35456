import type { EvmTransaction } from '@tollbridge/evm';
import type { PayLink } from './paylink';

// "tbpl": no other data that wallets append begins with it.
const mark = '7462706c';
const referenceForm = new RegExp(
  `${mark}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`,
);

// `transfer(address,uint256)`: the only call that moves the caller's own tokens.
const transferSelector = '0xa9059cbb';

/** The data that a payer appends to an EVM transaction, so that it pays this link only. */
export const referenceOf = (linkId: string): string => `0x${mark}${linkId.replaceAll('-', '').toLowerCase()}`;

/**
 * The id of the link that a transaction names at the end of its data. Only a `transfer` of the token, or of the coin to
 * the receiver, names one: the payer has signed its data, and no relayer or bundler has added to it. Calls of
 * `transferWithAuthorization` and `transferFrom` may come from any account.
 */
export function linkNamedBy(
  transaction: EvmTransaction,
  { tokenAddress, receiveAddress }: Pick<PayLink, 'tokenAddress' | 'receiveAddress'>,
): string | undefined {
  if (transaction.to !== (tokenAddress ?? receiveAddress).toLowerCase()) return undefined;
  if (tokenAddress !== null && !transaction.data.startsWith(transferSelector)) return undefined;
  return referenceForm.exec(transaction.data)?.slice(1).join('-');
}
