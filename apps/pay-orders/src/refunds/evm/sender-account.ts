import type { ManualReason } from '../refund';

/** What the chain shows of a sender. */
export interface SenderAccount {
  code: string;
  transactions: number;
}

// EIP-7702: a key's account that delegates to a contract.
const delegation = /^0xef0100[0-9a-f]{40}$/;

/** Undefined for an account that can be refunded. */
export function reasonAgainstSender(
  { code, transactions }: SenderAccount,
  maxTransactions: number,
): ManualReason | undefined {
  if (code !== '0x' && !delegation.test(code)) return 'SENDER_HAS_CODE';
  return transactions > maxTransactions ? 'SENDER_IS_BUSY' : undefined;
}
