import { DomainError } from '@tollbridge/rpc';
import { amountError } from '@tollbridge/chains';
import type { FromToken } from '../payments/options/payment-options';
import type { PaymentRequest } from '../payments/payment';
import type { PayAmount } from '../payments/payments.repository';
import type { PayLink } from './paylink';

const lifetimeMs = 24 * 60 * 60_000;
// The maximum length of a payment request's description.
const maxDescription = 500;

/**
 * The amount of a payment request for a checkout of a link.
 * @param place the chain and token of the link; undefined when this deployment does not have them any more
 * @throws DomainError VALIDATION_ERROR for an amount that the link does not accept
 */
export function checkoutAmount(
  { amount, minAmount }: Pick<PayLink, 'amount' | 'minAmount'>,
  place: FromToken | undefined,
  given: string | undefined,
): bigint {
  const invalid = (message: string) => DomainError.invalid([{ field: 'amount', message }]);
  if (minAmount === null) {
    if (given !== undefined && BigInt(given) !== amount)
      throw invalid(`must be ${amount}, the amount of the PayLink, or left out`);
    return amount;
  }
  if (given === undefined) throw invalid('is required: the payer chooses the amount of this PayLink');
  const chosen = BigInt(given);
  if (chosen < minAmount)
    throw invalid(`must be at least ${minAmount}, the minimum of the PayLink in the smallest unit`);
  const tooMuch = place && amountError(place.chain, place.token, chosen);
  if (tooMuch) throw invalid(tooMuch);
  return chosen;
}

/** The payment request for one payment of a link. */
export function checkoutOf(
  link: PayLink,
  { id, amount, conversion, nowMs }: PayAmount & { id: string; nowMs: number },
): PaymentRequest {
  const described = `${link.name}: ${link.description}`;
  return {
    id,
    paylinkId: link.id,
    wallet: link.wallet,
    amount,
    conversion,
    currency: link.token,
    chain: link.chain,
    description: link.description === '' || described.length > maxDescription ? link.name : described,
    metadata: link.metadata,
    receiveAddress: link.receiveAddress,
    successUrl: link.successUrl,
    cancelUrl: link.cancelUrl,
    expiresAtMs: Math.min(nowMs + lifetimeMs, link.expiresAtMs ?? Infinity),
    canceledAtMs: null,
    seenPayments: 0,
    completedPayments: 0,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}
