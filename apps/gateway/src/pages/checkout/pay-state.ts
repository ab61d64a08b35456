import type { OrderReply, PaymentStatusReply } from '@tollbridge/contracts';
import { findChain, findToken } from '@tollbridge/chains';
import { formatUnits } from '@tollbridge/money';
import type { Language } from '../texts/language';

/**
 * Whether a payment can be paid now, the same on all pages and devices:
 * - `open`: yes
 * - `again`: only after a warning, because an attempt failed or has no outcome
 * - `asking`: a wallet is open
 * - `sent`: a transaction is in flight
 * - `canceled`: the merchant has cancelled the request, or its PayLink accepts no more payments; nothing was sent
 * - `elsewhere`: another payment of the request is in progress, or has paid it
 * - `done`: no payment is expected
 */
export type PayState = 'open' | 'again' | 'asking' | 'sent' | 'canceled' | 'elsewhere' | 'done';

export function payStateOf(status: PaymentStatusReply, order: OrderReply | undefined): PayState {
  if (status.status !== 'executing') return 'done';
  const { status: requestStatus, attempt } = status.payment_request;
  const isSeen = isSeenOnChain(status);
  const isMissing = missingDeposit(order) !== null;
  if (isSeen && !isMissing) return 'done';
  if (requestStatus === 'completed' || (requestStatus === 'processing' && !isSeen && !isMissing))
    return 'elsewhere';
  // The route provider has seen a deposit that the chain has not confirmed.
  if (order?.cross_chain?.deposit_status === 'seen') return 'sent';
  if (attempt?.state === 'asking' || attempt?.state === 'sent') return attempt.state;
  // The rest of a deposit can still be paid, because the order belongs to the payer.
  if (requestStatus === 'canceled' && !isMissing) return 'canceled';
  switch (attempt?.state) {
    case 'failed':
    case 'unknown':
      return 'again';
    case undefined:
      return 'open';
  }
}

export const isPayable = (status: PaymentStatusReply, order: OrderReply | undefined): boolean =>
  ['open', 'again'].includes(payStateOf(status, order));

/** Instructions are returned until the chain shows the payment. */
const isSeenOnChain = ({ pay_tx, instructions }: PaymentStatusReply): boolean =>
  pay_tx !== null && instructions === null;

/** The received and the missing amount of a deposit; null unless it is incomplete. */
export function missingDeposit(
  order: OrderReply | undefined,
): { missingAtomic: bigint; arrivedAtomic: bigint } | null {
  const deposit = order?.cross_chain;
  if (!deposit || deposit.deposit_status !== 'incomplete' || deposit.deposited_amount === null) return null;
  const arrivedAtomic = BigInt(deposit.deposited_amount);
  const missingAtomic = BigInt(deposit.deposit_amount) - arrivedAtomic;
  return missingAtomic > 0n ? { missingAtomic, arrivedAtomic } : null;
}

const payTokenOf = ({ pay_blockchain, pay_token }: OrderReply) => {
  const chain = findChain(pay_blockchain);
  return chain && findToken(chain, pay_token);
};

/**
 * Formats an amount with a decimal point, as wallets expect it. Without a known token, the amount is in the smallest
 * unit.
 */
export function wholeTokens(atomic: bigint, order: OrderReply): string {
  const token = payTokenOf(order);
  return token ? formatUnits(atomic, token.decimals) : String(atomic);
}

/** Formats an amount for readers of the language. Without a known token, returns only the token's name. */
export function amountInTokens(atomic: bigint | string, order: OrderReply, language: Language): string {
  const token = payTokenOf(order);
  if (!token) return order.pay_token;
  return `${language.amount(wholeTokens(BigInt(atomic), order))} ${token.symbol}`;
}
