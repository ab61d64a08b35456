// The 402 and its headers, as specified by x402 version 2.
import {
  base64Json,
  isPaymentAuthorization,
  paymentProblem,
  withRecipient,
} from '@tollbridge/nanopay-protocol';
import type { SaleQuote } from '@tollbridge/contracts';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import type { FastifyReply } from 'fastify';
import { jsonType } from '../http/replies';

/** The resource that a payment buys. */
export interface SoldResource {
  url: string;
  description: string;
  mimeType: 'application/json';
}

/** The reason to reject the payment of this request. */
export type Unpaid = Record<string, unknown>;

/** The parts of a 402 in addition to the offers. */
export interface PaymentRequiredParts {
  /** `WWW-Authenticate`: the offers as challenges of the scheme `Payment`. */
  challenges: string | undefined;
  /** The discovery extension, which describes how to call the resource. */
  bazaar: Record<string, unknown>;
  unpaid: Unpaid | undefined;
}

export function sendPaymentRequired(
  reply: FastifyReply,
  resource: SoldResource,
  { accepts: offers, priceUsd, isFrom, refundPolicy, problems }: SaleQuote,
  { challenges, bazaar, unpaid }: PaymentRequiredParts,
): FastifyReply {
  const code = typeof unpaid?.errorReason === 'string' ? unpaid.errorReason : 'payment_required';
  const accepts = offers.map(withRecipient);
  const document = {
    x402Version: 2,
    error: code,
    resource,
    accepts,
    extensions: { bazaar, ...refundPolicy },
  };
  reply.request.failureCode = code;
  reply.header('payment-required', base64Json(document));
  if (challenges !== undefined) reply.header('www-authenticate', challenges);
  if (unpaid) sendReceipt(reply, unpaid);
  const error =
    typeof unpaid?.errorMessage === 'string' ? unpaid.errorMessage : sentence(priceUsd, isFrom, problems);
  // The body contains more than the header, because headers are limited.
  const body = { ...document, code, error, priceUsd, isFrom, details: problems };
  const isProblem = unpaid !== undefined && isPaymentAuthorization(reply.request.headers.authorization);
  return reply
    .status(402)
    .header('content-type', isProblem ? 'application/problem+json' : jsonType)
    .header('vary', 'Payment-Signature, Authorization')
    .send(JSON.stringify(isProblem ? { ...paymentProblem(code, error), ...body } : body));
}

/** Strict clients accept CAIP-2 only. The entry in the form of the specification has another network name. */
export const hasCaip2Network = ({ network }: { network?: unknown }): boolean => String(network).includes(':');

function sentence(priceUsd: string, isFrom: boolean, problems: readonly FieldError[] | undefined): string {
  if (!isFrom)
    return `Payment required: $${priceUsd}. Pay one of the options in accepts, and send the same request again with the payment.`;
  const why = problems ? ` ${DomainError.invalid([...problems]).message}` : '';
  return `Payment required, from $${priceUsd}.${why} Send a valid body to get its price.`;
}

export const sendReceipt = (reply: FastifyReply, receipt: Record<string, unknown>): FastifyReply =>
  reply.header('payment-response', base64Json(receipt));
