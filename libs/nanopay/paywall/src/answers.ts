import {
  base64Json,
  paymentIdentifierExtension,
  rejectionMessage,
  withRecipient,
  type PaymentRequirements,
  type Receipt,
  type Rejection,
  type ResourceInfo,
} from '@tollbridge/nanopay-protocol';
import type { OfficialRequirements } from './x402/official-types';

export type Headers = Readonly<Record<string, string>>;

/** The complete response to a request that is not served. */
export interface Answer {
  status: number;
  headers: Headers;
  body: string | Buffer;
  /** Equal to `code` of the body if the body is JSON. */
  code: string;
}

/** The price of a resource, with its cached 402 response. A 402 that reports a failure is not cached. */
export interface Quote {
  accepts: readonly OfferedWay[];
  resource: ResourceInfo;
  /** By default only `payment-identifier`. */
  extensions?: Readonly<Record<string, unknown>>;
  required?: Answer;
}

export type OfferedWay = PaymentRequirements | OfficialRequirements;

/** The reason for the rejection of a payment. */
export interface Failure {
  code: string;
  message: string;
  /** Value of the header `PAYMENT-RESPONSE`. */
  response: string;
  /** Replaces the offer of the same scheme, network, asset and receiver. */
  offer?: OfficialRequirements;
}

const firstCode = 'payment_required';
const firstSentence =
  'Payment required. Pay one of the options in accepts, and send the request again with the payment.';
const json = 'application/json; charset=utf-8';

/** Returns the 402 response for a request without a payment, or with a rejected payment. */
export function requiredAnswer(quote: Quote, cors: Headers, failure?: Failure): Answer {
  if (failure) return makeRequired(quote, cors, failure);
  return (quote.required ??= makeRequired(quote, cors));
}

export const failureOf = (reason: Rejection, network: string): Failure => ({
  code: reason,
  message: rejectionMessage(reason),
  response: failureHeader(reason, network),
});

function makeRequired({ resource, ...quote }: Quote, cors: Headers, failure?: Failure): Answer {
  const { extensions = paymentIdentifierExtension } = quote;
  const accepts = withOffer(quote.accepts, failure?.offer).map(withRecipient);
  const code = failure?.code ?? firstCode;
  const document = {
    x402Version: 2,
    error: code,
    resource,
    accepts,
    extensions,
  };
  const error = failure?.message ?? firstSentence;
  const body = JSON.stringify({ x402Version: 2, code, error, resource, accepts });
  // Official clients do not read the offer again if the reply contains a settlement.
  const response: Headers = failure && !failure.offer ? { 'PAYMENT-RESPONSE': failure.response } : {};
  return answerOf(402, code, body, { 'PAYMENT-REQUIRED': base64Json(document), ...response, ...cors });
}

const withOffer = (
  ways: readonly OfferedWay[],
  offer: OfficialRequirements | undefined,
): readonly OfferedWay[] => (offer ? ways.map((way) => (isSameWay(way, offer) ? offer : way)) : ways);

const isSameWay = (way: OfferedWay, offer: OfficialRequirements): boolean =>
  way.scheme === offer.scheme &&
  way.network === offer.network &&
  way.asset === offer.asset &&
  way.payTo === offer.payTo;

/** Adds the details of the payment to the response. */
export function withDetails(
  answer: Answer,
  reason: Rejection,
  network: string,
  { retryAfterS, approvalId }: { retryAfterS: number; approvalId: Buffer | undefined },
): Answer {
  if (retryAfterS === 0 && !approvalId) return answer;
  const headers: Record<string, string> = { ...answer.headers };
  if (retryAfterS > 0) headers['Retry-After'] = retryAfterS.toString();
  if (!approvalId) return { ...answer, headers };
  const extra = { approvalId: approvalId.toString('hex') };
  headers['PAYMENT-RESPONSE'] = failureHeader(reason, network, extra);
  const body = JSON.stringify({ ...(JSON.parse(answer.body.toString()) as object), ...extra });
  return { ...answer, body, headers: { ...headers, 'Content-Length': Buffer.byteLength(body).toString() } };
}

const failureHeader = (errorReason: Rejection, network: string, extra?: { approvalId: string }): string =>
  base64Json({
    success: false,
    errorReason,
    errorMessage: rejectionMessage(errorReason),
    transaction: '',
    network,
    ...(extra ? { extra } : {}),
  });

export interface PaidWith {
  confirmationId: string;
  network: string;
  payer: string;
  /** The charged amount. */
  amount: string;
  receipt: Receipt;
}

/** A template instead of JSON.stringify, because this runs for each payment. No value needs escaping. */
export const paidHeader = ({ confirmationId, network, payer, amount, receipt }: PaidWith): string => {
  const { type, digest, seq, previousHead, timestampMs, signature } = receipt;
  return Buffer.from(
    `{"success":true,"transaction":"${confirmationId}","network":"${network}","payer":"${payer}","amount":"${amount}",` +
      `"extra":{"confirmationId":"${confirmationId}","chargedAmount":"${amount}","receipt":{` +
      `"confirmationId":"${receipt.confirmationId}","type":"${type}","digest":"${digest}","amount":"${receipt.amount}",` +
      `"seq":"${seq}","previousHead":"${previousHead}","timestampMs":"${timestampMs}","signature":"${signature}"}}}`,
    'latin1',
  ).toString('base64');
};

/** The header for a failed handler, which charges nothing. */
export const refundedHeader = (paid: PaidWith, refund: 'done' | 'pending', receipt?: Receipt): string =>
  base64Json({
    success: false,
    errorReason: 'refunded',
    transaction: '',
    network: paid.network,
    payer: paid.payer,
    errorMessage: 'The seller could not serve the request: the payment is refunded.',
    extra: {
      confirmationId: paid.confirmationId,
      chargedAmount: '0',
      refundedAmount: paid.amount,
      refund,
      ...(receipt ? { receipt } : {}),
    },
  });

/** A response that requests no payment. */
export function plainAnswer(
  status: number,
  code: string,
  error: string,
  more: { body?: Record<string, string>; headers?: Headers } = {},
): Answer {
  return answerOf(status, code, JSON.stringify({ code, error, ...more.body }), more.headers ?? {});
}

function answerOf(status: number, code: string, body: string, headers: Headers): Answer {
  return {
    status,
    code,
    body,
    headers: {
      ...headers,
      'Content-Type': json,
      'Content-Length': Buffer.byteLength(body).toString(),
      'Cache-Control': 'no-store',
      Vary: 'Payment-Signature',
    },
  };
}
