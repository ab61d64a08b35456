import type { ErrorCode, JsonSchema } from '@tollbridge/rpc';
import { proofRefusalSentences } from './merchant/auth.api';
import { keyRefusalSentences } from './merchant/keys.api';
import { stepTypes } from './tx-engine/quotes.api';

const text = (description: string, example: string): JsonSchema => ({
  type: 'string',
  description,
  examples: [example],
});
const whole = (description: string, example: number): JsonSchema => ({
  type: 'integer',
  description,
  examples: [example],
});
const oneOf = (description: string, values: readonly string[]): JsonSchema => ({
  type: 'string',
  enum: values,
  description,
  examples: [values[0]],
});

/** Newer versions may add facts, so these objects stay open. */
function facts(
  description: string,
  required: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  const names = Object.keys(required);
  return {
    type: 'object',
    description,
    ...(names.length > 0 && { required: names }),
    properties: { ...required, ...optional },
  };
}

const fieldErrors: JsonSchema = {
  type: 'array',
  description: 'Every field that is not valid. Absent where the request as a whole cannot be read',
  items: {
    type: 'object',
    required: ['field', 'message'],
    properties: {
      field: text('The field; `a.b[0]` inside of others', 'a_field'),
      message: text('What is wrong with it', 'is missing'),
    },
  },
};

const address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const chainId = whole('Chain id', 8453);
const atomic = (description: string): JsonSchema =>
  text(`${description}, in the smallest unit of the token`, '1000000');
const dollars = (description: string): JsonSchema => text(`${description}, in US dollars`, '12.50');

const budget = facts('The limit of the key, and what this call would have spent', {
  limit: dollars('The limit'),
  used: dollars('Spent and reserved this month'),
  requested: dollars('Value of this call'),
});

/**
 * Schema of `details` by error code. A code without an entry carries no details. Each entry lists what every operation
 * may send under that code: `reason` and the names here are stable.
 */
export const errorDetails: Partial<Record<ErrorCode, JsonSchema>> = {
  VALIDATION_ERROR: fieldErrors,
  INVALID_SIGNATURE: {
    description: 'Every signature that is not valid, or why the proof of a wallet was rejected',
    anyOf: [
      fieldErrors,
      facts('The proof', {
        reason: oneOf('Stable; switch over this', Object.keys(proofRefusalSentences)),
      }),
    ],
  },
  UNAUTHORIZED: facts(
    'Why the credentials were rejected',
    {},
    {
      reason: oneOf('Stable; switch over this', [
        ...Object.keys(keyRefusalSentences),
        ...Object.keys(proofRefusalSentences),
        'email_token',
      ]),
    },
  ),
  FORBIDDEN: facts(
    'Why these credentials do not suffice',
    {},
    {
      reason: oneOf('Stable; switch over this', [
        'permission_missing',
        'wallet_required',
        'secret_required',
        'key_required',
      ]),
      permission: text('With `permission_missing`: the permission that the key lacks', 'write'),
    },
  ),
  BUDGET_EXCEEDED: budget,
  MAX_PER_TX_EXCEEDED: budget,
  CONFLICT: facts(
    'The state that the request conflicts with',
    {},
    {
      reason: text('Stable; switch over this', 'nonce_used'),
      status: text('State of the resource', 'submitted'),
      nonce: whole('The nonce that was used already', 7),
      nonces: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Nonces that another set of transactions takes',
        examples: [[7, 8]],
      },
      limit: whole('How many there may be', 100),
    },
  ),
  QUOTE_EXPIRED: facts('When the quote expired', {
    expiresAt: whole('End of the quote, Unix seconds', 1795176000),
  }),
  DEADLINE_EXCEEDED: facts(
    'The deadline: the one of the request, or the one of the built set',
    {},
    {
      deadline: whole('Deadline of the request, Unix seconds', 1795176000),
      now: whole('Time of the server, Unix seconds', 1795176001),
      validUntil: whole('The built set had to be executed before, Unix seconds', 1795176000),
    },
  ),
  PURCHASE_REFUSED: facts('Why the provider refused', {}, { reason: text('Stable reason', 'OUT_OF_STOCK') }),
  ROUTE_UNAVAILABLE: facts('Why there is no route', {}, { reason: text('Stable reason', 'noRoute') }),
  QUOTE_UNAVAILABLE: facts(
    'Why there is no quote',
    {},
    {
      reason: text('Stable reason', 'belowMinimum'),
      min_amount_usd: {
        type: 'number',
        description: 'The least that can be paid this way, in US dollars; a JSON number',
        examples: [5],
      },
    },
  ),
  INSUFFICIENT_BALANCE: facts(
    'What is needed and what is there. Swaps name `required`, payouts `neededAtomic`',
    {},
    {
      chainId,
      token: text('The token: its contract, or its symbol for payouts', address),
      required: atomic('Needed'),
      available: atomic('Available'),
      neededAtomic: atomic('Needed by the payout'),
      heldAtomic: atomic('Held by the wallet'),
    },
  ),
  INSUFFICIENT_ALLOWANCE: facts(
    'What may be spent and what is needed. Swaps name `required`, payouts `neededAtomic`',
    {},
    {
      chainId,
      token: text('The token: its contract, or its symbol for payouts', address),
      spender: text('The contract that needs the allowance', address),
      required: atomic('Needed'),
      available: atomic('Allowed'),
      neededAtomic: atomic('Needed by the payout'),
      allowedAtomic: atomic('Allowed to Permit2'),
    },
  ),
  GAS_LIMIT_EXCEEDED: facts(
    'What gas costs, and what was offered for it',
    {},
    {
      gasLimit: text('Your limit in gas units', '21000'),
      required: text('Gas units that suffice', '143000'),
      transaction: text('The transaction that needs them', 'Swap 100 USDT for USDC'),
      gasPrice: text('Your price, wei per gas', '1000000000'),
      maxFeePerGas: text('Your price, wei per gas', '1000000000'),
      baseFeePerGas: text('Price of the chain, wei per gas', '2000000000'),
      batch: whole('Batch of the payout', 0),
      gasUnits: text('Gas units of the batch', '143000'),
      weiPerGas: text('Price of the chain, wei per gas', '2000000000'),
      coveredWeiPerGas: text('Price that the fee of the payout covers, wei per gas', '1000000000'),
    },
  ),
  TRANSACTION_FAILED: facts(
    'What failed. Swaps name `step`, payouts `batch`',
    { reason: text('Reason that the chain gave', 'Too little received') },
    {
      step: oneOf('The step that failed', stepTypes),
      txHash: {
        type: ['string', 'null'],
        description: 'Hash of the transaction; null where it was not sent',
        examples: [null],
      },
      gasUsed: text('Gas units that were used', '0'),
      batch: whole('Batch of the payout', 0),
    },
  ),
  RATE_LIMIT_EXCEEDED: facts(
    'Which limit was reached, where it is not the one in `RateLimit-Policy`',
    {},
    { reason: oneOf('Stable reason', ['bodies_of_caller']) },
  ),
  UPSTREAM_UNAVAILABLE: facts(
    'What could not be read',
    {},
    { reason: oneOf('Stable reason', ['price_unknown']) },
  ),
};
