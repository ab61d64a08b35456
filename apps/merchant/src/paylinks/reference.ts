import type { EvmTransaction } from '@tollbridge/evm';
import type { PayLink } from './paylink';

// "tbpl": other data that wallets append does not begin so.
const mark = '7462706c';
const referenceForm = new RegExp(
  `${mark}([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$`,
);

// `transfer(address,uint256)`: the only call that moves tokens of its caller.
const transferSelector = '0xa9059cbb';

/** What a payer appends to the data of an EVM transaction, so that it pays this link and no other. */
export const referenceOf = (linkId: string): string => `0x${mark}${linkId.replaceAll('-', '').toLowerCase()}`;

/**
 * The id of the link that a transaction names at the end of its data. Only a `transfer` of the token, or a transfer of the
 * coin to the receiver, names one: there the payer has signed the data, and no relayer or bundler has added to it. What
 * calls `transferWithAuthorization` or `transferFrom` may be any account.
 */
export function linkNamedBy(
  transaction: EvmTransaction,
  { tokenAddress, receiveAddress }: Pick<PayLink, 'tokenAddress' | 'receiveAddress'>,
): string | undefined {
  if (transaction.to !== (tokenAddress ?? receiveAddress).toLowerCase()) return undefined;
  if (tokenAddress !== null && !transaction.data.startsWith(transferSelector)) return undefined;
  return referenceForm.exec(transaction.data)?.slice(1).join('-');
}
