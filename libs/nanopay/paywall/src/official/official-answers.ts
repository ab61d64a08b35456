import { base64Json, paymentProblem } from '@tollbridge/nanopay-protocol';
import { plainAnswer, type Answer, type Headers } from '../answers';
import type { StoredResponse } from '../response-store';
import type { OfficialRequirements } from '../x402/official-types';
import type { Settled } from './facilitator-client';

export interface OfficialFailure {
  reason: string;
  message?: string | undefined;
  transaction?: string;
  network: string;
  payer?: string | undefined;
  /** The corrected offer, with the state that the buyer lacks. */
  offer?: OfficialRequirements;
}

export const failedHeader = ({
  reason,
  message,
  transaction = '',
  network,
  payer,
}: OfficialFailure): string =>
  base64Json({
    success: false,
    errorReason: reason,
    ...(message === undefined ? {} : { errorMessage: message }),
    transaction,
    network,
    ...(payer === undefined ? {} : { payer }),
  });

export const settledHeader = (
  { transaction, amount, extra }: Settled,
  { network, amount: price }: OfficialRequirements,
  payer: string | undefined,
  extensions?: Record<string, unknown>,
): string =>
  base64Json({
    success: true,
    transaction,
    network,
    ...(payer === undefined ? {} : { payer }),
    amount: amount ?? price,
    ...(extra ? { extra } : {}),
    ...(extensions ? { extensions } : {}),
  });

/** The answer for an unknown outcome. It never contains a new price, because the buyer would pay twice. */
export function outcomeUnknown(paymentId: string, failure: OfficialFailure, cors: Headers): Answer {
  const { transaction = '' } = failure;
  const text = 'The outcome of the payment is unknown. Retry the same request with the same payment.';
  return plainAnswer(503, 'outcome_unknown', text, {
    body: { confirmationId: paymentId, ...(transaction === '' ? {} : { transaction }) },
    headers: { ...cors, 'Retry-After': '2', 'PAYMENT-RESPONSE': failedHeader(failure) },
  });
}

/** Converts the answer to a problem document of RFC 9457, with the types of the draft of the scheme `Payment`. */
export function asProblem(answer: Answer, { reason, message }: OfficialFailure): Answer {
  const body = JSON.stringify({
    ...paymentProblem(reason, message),
    ...(JSON.parse(answer.body.toString()) as object),
  });
  const headers = {
    ...answer.headers,
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body).toString(),
  };
  return { ...answer, headers, body };
}

/** The answer to the refund of a channel. `PAYMENT-RESPONSE` contains the amount. */
export const refunded = (headers: Headers): Answer =>
  plainAnswer(200, 'refunded', 'The rest of the channel was refunded.', { headers });

export const callInProgress = (cors: Headers): Answer =>
  plainAnswer(503, 'call_in_progress', 'The same payment is being served: ask again in a moment.', {
    headers: { ...cors, 'Retry-After': '1' },
  });

export const tooManyClaims = (cors: Headers): Answer =>
  plainAnswer(503, 'payments_unavailable', 'Too many payments are in progress; nothing was charged.', {
    headers: { ...cors, 'Retry-After': '1' },
  });

export const facilitatorUnavailable = (cors: Headers): Answer =>
  plainAnswer(503, 'payments_unavailable', 'Payments cannot be verified now; nothing was charged.', {
    headers: { ...cors, 'Retry-After': '1' },
  });

export const claimConflict = (cors: Headers): Answer =>
  plainAnswer(
    409,
    'payment_conflict',
    'This payment was sent for another request, or with another payment-identifier.',
    { headers: cors },
  );

export const identifierConflict = (cors: Headers): Answer =>
  plainAnswer(
    409,
    'payment_identifier_conflict',
    'This payment-identifier belongs to another payment; nothing was charged. Send that payment again, or take a new identifier.',
    { headers: cors },
  );

/** Returns the stored response, or 409 if it was too long to be stored. */
export function storedAnswer(response: StoredResponse | undefined, headers: Headers): Answer {
  if (response) {
    const stored = response.headers as Record<string, string>;
    return { ...response, headers: { ...stored, ...lowerCase(headers) }, code: 'repeated' };
  }
  const text = 'The payment has paid for a response, which was too long to be stored.';
  return plainAnswer(409, 'response_not_kept', text, { headers });
}

/** Converts header names to lower case, like those of stored headers, so that no header is sent twice. */
const lowerCase = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
