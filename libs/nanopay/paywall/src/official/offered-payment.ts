import { isObject } from '@tollbridge/nanopay-protocol';
import type { OfficialRequirements } from '../x402/official-types';
import { differenceOf } from './offers';
import { readSignedPayment, type SignedPayment } from './signed-payment';

/** A payment for an offer of this resource, with an unverified signature. */
export interface OfferedPayment {
  offer: OfficialRequirements;
  payload: Record<string, unknown>;
  extensions: Record<string, unknown> | undefined;
  signed: SignedPayment;
}

export interface Rejected {
  reason: string;
  message: string;
}

/**
 * Returns the payment with the accepted offer. Also compares the URL and the whole offer, although they are unsigned.
 */
export function readOfferedPayment(
  json: Record<string, unknown>,
  offers: readonly OfficialRequirements[],
  url: string,
): OfferedPayment | Rejected {
  const { x402Version, accepted, payload, resource, extensions } = json;
  if (x402Version !== 2) return { reason: 'invalid_x402_version', message: 'Send x402 version 2.' };
  if (!isObject(accepted) || !isObject(payload))
    return { reason: 'invalid_payload', message: 'The payment has no `accepted` or no `payload`.' };
  const offer = offers.find((one) => differenceOf(one, accepted) === undefined);
  if (!offer) return mismatch(accepted, offers);
  if (isObject(resource) && resource.url !== undefined && resource.url !== url)
    return { reason: 'resource_mismatch', message: 'The payment is for another resource.' };
  const signed = readSignedPayment(offer, payload);
  if (typeof signed === 'string')
    return { reason: 'invalid_payload', message: `${signed} is malformed, or differs from the price.` };
  return { offer, payload, extensions: isObject(extensions) ? extensions : undefined, signed };
}

function mismatch(accepted: Record<string, unknown>, offers: readonly OfficialRequirements[]): Rejected {
  const ofScheme = offers.filter(({ scheme }) => scheme === accepted.scheme);
  if (ofScheme.length === 0)
    return { reason: 'unsupported_scheme', message: 'Pay with a scheme in accepts.' };
  const onNetwork = ofScheme.filter(({ network }) => network === accepted.network);
  if (onNetwork.length === 0) return { reason: 'invalid_network', message: 'Pay on a network in accepts.' };
  const field = onNetwork.map((offer) => differenceOf(offer, accepted)).at(-1)!;
  return {
    reason: 'invalid_payment_requirements',
    message: `The accepted offer differs from the price in ${field}. Sign an offer in accepts.`,
  };
}
