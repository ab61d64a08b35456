import type { ManualReason } from '../refund';

/** The code and the transaction count of the account that sent a deposit. */
export interface SenderAccount {
  code: string;
  transactions: number;
}

// EIP-7702: the code of a key's account that delegates to a contract.
const delegation = /^0xef0100[0-9a-f]{40}$/;

/** @returns the reason that an operator must decide on the refund; undefined for an account that can be refunded */
export function reasonAgainstSender(
  { code, transactions }: SenderAccount,
  maxTransactions: number,
): ManualReason | undefined {
  if (code !== '0x' && !delegation.test(code)) return 'SENDER_HAS_CODE';
  return transactions > maxTransactions ? 'SENDER_IS_BUSY' : undefined;
}
