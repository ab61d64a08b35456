// The documentation of sold operations in the OpenAPI document.
import { paymentProblem } from '@tollbridge/nanopay-protocol';
import type { DocumentComponents, JsonSchema, Operation } from '@tollbridge/rpc';
import { requestIdHeader } from '../documents/reply-headers';
import type { PaymentOffer } from '../routes/gateway-route';

const base64Example = 'eyJ4NDAyVmVyc2lvbiI6Mn0';

const header = (description: string, example = base64Example): JsonSchema => ({
  description,
  schema: { type: 'string', examples: [example] },
});

const tokenExample = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d.MAC_OF_THE_PURCHASE';

const paymentParameter: JsonSchema = {
  name: 'Payment-Signature',
  in: 'header',
  required: false,
  description: 'Instead of a key: a payment of the `402`, base64 of JSON, as x402 version 2 says',
  schema: { type: 'string', minLength: 1, maxLength: 15_020, examples: [base64Example] },
};

const tokenParameter: JsonSchema = {
  name: 'Purchase-Token',
  in: 'header',
  required: false,
  description: 'Instead of a key: the header `purchase-token` of the reply that the payment bought',
  schema: { type: 'string', minLength: 1, maxLength: 128, examples: [tokenExample] },
};

export function saleParametersOf({ sale }: Operation, components: DocumentComponents): JsonSchema[] {
  if (sale === undefined) return [];
  const isBought = sale === 'buys';
  return [
    isBought
      ? components.parameter('PaymentSignature', paymentParameter)
      : components.parameter('PurchaseToken', tokenParameter),
  ];
}

const offers: readonly PaymentOffer[] = [
  {
    intent: 'charge',
    method: 'x402',
    amount: null,
    currency: 'USD',
    description: 'The 402 has the price of a body and the ways to pay',
  },
];

/**
 * `x-payment-info` of draft-payment-discovery-00. Only the 402 shows whether the operation is sold at present, and its
 * price.
 */
export const paymentInfoOf = ({ sale }: Operation): JsonSchema =>
  sale === 'buys' ? { 'x-payment-info': { offers } } : {};

/** The part of the description for clients without a key. */
export function describeSale({ sale }: Operation): string {
  if (sale === 'buys')
    return ' Where the operator sells without an account, a call without credentials gets `402` with the price, and is paid by `Payment-Signature` or `Authorization: Payment`.';
  return sale === 'reads' ? ' What was bought by a payment is read with `Purchase-Token` instead.' : '';
}

export function paidHeadersOf({ sale }: Operation): JsonSchema {
  if (sale !== 'buys') return {};
  return {
    'payment-response': header('After a payment: its receipt, base64 of JSON'),
    'payment-receipt': header('After a payment by `Authorization: Payment`: its receipt, base64url of JSON'),
    'purchase-token': header('After a payment: reads what was bought', tokenExample),
  };
}

const example = {
  x402Version: 2,
  code: 'payment_required',
  error:
    'Payment required: $0.66. Pay one of the options in accepts, and send the same request again with the payment.',
  resource: {
    url: 'https://api.example.com/sms/number',
    description: 'Rent a number for one code',
    mimeType: 'application/json',
  },
  accepts: [],
  extensions: {},
  priceUsd: '0.66',
  isFrom: false,
};

/** Describes fields of an example. */
const describer =
  <T extends object>(from: T) =>
  (description: string, of: keyof T, type: string): JsonSchema => ({
    type,
    description,
    examples: [from[of]],
  });

const described = describer(example);

const schema: JsonSchema = {
  type: 'object',
  required: Object.keys(example),
  properties: {
    x402Version: described('Version of x402', 'x402Version', 'integer'),
    code: described('Stable reason', 'code', 'string'),
    error: described('What to do', 'error', 'string'),
    resource: described('What is sold', 'resource', 'object'),
    accepts: { ...described('Payments that are accepted', 'accepts', 'array'), items: { type: 'object' } },
    extensions: described(
      'Extensions of x402: `bazaar` says how the operation is called, `refund-policy` what is refunded',
      'extensions',
      'object',
    ),
    priceUsd: described('Price in dollars', 'priceUsd', 'string'),
    isFrom: described(
      'Whether the price is a lower bound: the body is missing or not valid',
      'isFrom',
      'boolean',
    ),
    details: {
      type: 'array',
      description: 'What is wrong with the body',
      items: { type: 'object' },
      examples: [[{ field: 'service', message: 'is missing' }]],
    },
  },
};

const problemCode = 'verification_failed';
const problemText = 'The authorization is for another challenge.';
const problemExample = {
  ...example,
  code: problemCode,
  error: problemText,
  ...paymentProblem(problemCode, problemText),
};

const ofProblem = describer(problemExample);

/** The schema of RFC 9457, with the members of the other form. */
const problemSchema: JsonSchema = {
  ...schema,
  required: Object.keys(problemExample),
  properties: {
    ...(schema['properties'] as JsonSchema),
    type: ofProblem('Kind of problem', 'type', 'string'),
    title: ofProblem('Name of the kind', 'title', 'string'),
    status: ofProblem('Status of the reply', 'status', 'integer'),
    detail: ofProblem('What to do', 'detail', 'string'),
  },
};

/** The reply to a call without credentials when the operator sells the operation. */
export function paymentRequiredReplies(
  { sale }: Operation,
  components: DocumentComponents,
): Record<string, JsonSchema> {
  if (sale !== 'buys') return {};
  const headers = {
    ...requestIdHeader,
    'payment-required': header('Resource, payments that are accepted and extensions, base64 of JSON'),
    'payment-response': header('Why a payment was not taken, base64 of JSON'),
    'www-authenticate': header(
      'Challenges of the scheme `Payment` of HTTP authentication, for payments by EIP-3009 on EVM chains',
      'Payment id="N2Y1", realm="api.example.com", method="evm", intent="charge", request="e30", expires="2026-01-31T12:05:00.000Z", opaque="e30"',
    ),
  };
  const described = {
    description: 'Without credentials, where the operator sells: the price, before the body is validated',
    headers,
    content: {
      'application/json': { schema, example },
      // The reply to a rejected `Authorization: Payment`.
      'application/problem+json': { schema: problemSchema, example: problemExample },
    },
  };
  return { 402: components.response('PRICE', described) };
}
