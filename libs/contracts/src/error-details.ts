import type { ErrorCode, JsonSchema } from '@tollbridge/rpc';
import { proofRejectionMessages } from './merchant/auth.api';
import { keyRejectionMessages } from './merchant/keys.api';
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

/** Object schemas stay open, because later versions may add properties. */
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
  description: 'Every invalid field. Absent when the request as a whole cannot be parsed',
  items: {
    type: 'object',
    required: ['field', 'message'],
    properties: {
      field: text('Path of the field; nested fields as `a.b[0]`', 'a_field'),
      message: text('Why the field is invalid', 'is missing'),
    },
  },
};

const address = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const chainId = whole('Chain id', 8453);
const atomic = (description: string): JsonSchema =>
  text(`${description}, in the smallest unit of the token`, '1000000');
const dollars = (description: string): JsonSchema => text(`${description}, in US dollars`, '12.50');

const budget = facts('The limit of the key, and the value of this call', {
  limit: dollars('The limit'),
  used: dollars('Spent and reserved this month'),
  requested: dollars('Value of this call'),
});

/**
 * Schema of `details` by error code. Codes without an entry have no details. Each entry lists the details of all
 * operations for that code. `reason` and the property names are stable.
 */
export const errorDetails: Partial<Record<ErrorCode, JsonSchema>> = {
  VALIDATION_ERROR: fieldErrors,
  INVALID_SIGNATURE: {
    description: 'Every invalid signature, or why the wallet proof was rejected',
    anyOf: [
      fieldErrors,
      facts('Why the wallet proof was rejected', {
        reason: oneOf('Stable reason; clients can switch over it', Object.keys(proofRejectionMessages)),
      }),
    ],
  },
  UNAUTHORIZED: facts(
    'Why the credentials were rejected',
    {},
    {
      reason: oneOf('Stable reason; clients can switch over it', [
        ...Object.keys(keyRejectionMessages),
        ...Object.keys(proofRejectionMessages),
        'email_token',
      ]),
    },
  ),
  FORBIDDEN: facts(
    'Why these credentials do not authorise the operation',
    {},
    {
      reason: oneOf('Stable reason; clients can switch over it', [
        'permission_missing',
        'wallet_required',
        'secret_required',
        'key_required',
        'ton_wallet_required',
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
      reason: text('Stable reason; clients can switch over it', 'nonce_used'),
      status: text('State of the resource', 'submitted'),
      nonce: whole('The nonce that was already used', 7),
      nonces: {
        type: 'array',
        items: { type: 'integer' },
        description: 'Nonces that another transaction set reserves',
        examples: [[7, 8]],
      },
      limit: whole('Largest allowed number', 100),
    },
  ),
  QUOTE_EXPIRED: facts('When the quote expired', {
    expiresAt: whole('Expiry of the quote, Unix seconds', 1795176000),
  }),
  DEADLINE_EXCEEDED: facts(
    'The exceeded deadline: of the request, or of the built set',
    {},
    {
      deadline: whole('Deadline of the request, Unix seconds', 1795176000),
      now: whole('Server time, Unix seconds', 1795176001),
      validUntil: whole('Deadline for executing the built set, Unix seconds', 1795176000),
    },
  ),
  PURCHASE_REFUSED: facts(
    'Why the provider declined the purchase',
    {},
    { reason: text('Stable reason', 'OUT_OF_STOCK') },
  ),
  ROUTE_UNAVAILABLE: facts('Why there is no route', {}, { reason: text('Stable reason', 'noRoute') }),
  RATE_UNAVAILABLE: facts(
    'Why the price cannot be converted',
    {},
    {
      reason: text(
        '`unknown`: no source lists the pair. `stale`: the last reading is too old. `moved`: the rate moved too far, and no second source has confirmed it',
        'moved',
      ),
      pair: text('Token and currency', 'USDC/EUR'),
    },
  ),
  QUOTE_UNAVAILABLE: facts(
    'Reason for a missing quote',
    {},
    {
      reason: text('Stable reason', 'belowMinimum'),
      min_amount_usd: {
        type: 'number',
        description: 'Smallest payable amount, in US dollars; a JSON number',
        examples: [5],
      },
    },
  ),
  INSUFFICIENT_BALANCE: facts(
    'Required and available amounts. Swaps send `required`, payouts send `neededAtomic`',
    {},
    {
      chainId,
      token: text('Token contract; for payouts its symbol', address),
      required: atomic('Needed'),
      available: atomic('Available'),
      neededAtomic: atomic('Needed by the payout'),
      heldAtomic: atomic('Held by the wallet'),
    },
  ),
  INSUFFICIENT_ALLOWANCE: facts(
    'Required and approved allowance. Swaps send `required`, payouts send `neededAtomic`',
    {},
    {
      chainId,
      token: text('Token contract; for payouts its symbol', address),
      spender: text('The contract that needs the allowance', address),
      required: atomic('Needed'),
      available: atomic('Allowed'),
      neededAtomic: atomic('Needed by the payout'),
      allowedAtomic: atomic('Current allowance of Permit2'),
    },
  ),
  GAS_LIMIT_EXCEEDED: facts(
    'Required gas, and the gas or price that was offered',
    {},
    {
      gasLimit: text('Your limit in gas units', '21000'),
      required: text('Sufficient gas limit, gas units', '143000'),
      transaction: text('The transaction that needs this gas', 'Swap 100 USDT for USDC'),
      gasPrice: text('Your price, wei per gas', '1000000000'),
      maxFeePerGas: text('Your price, wei per gas', '1000000000'),
      baseFeePerGas: text('Base fee of the chain, wei per gas', '2000000000'),
      batch: whole('Batch of the payout', 0),
      gasUnits: text('Gas units of the batch', '143000'),
      weiPerGas: text('Gas price of the chain, wei per gas', '2000000000'),
      coveredWeiPerGas: text('Gas price that the payout fee covers, wei per gas', '1000000000'),
    },
  ),
  TRANSACTION_FAILED: facts(
    'The failed part. Swaps send `step`, payouts send `batch`',
    { reason: text('Revert reason from the chain', 'Too little received') },
    {
      step: oneOf('The step that failed', stepTypes),
      txHash: {
        type: ['string', 'null'],
        description: 'Transaction hash; null when the transaction was not sent',
        examples: [null],
      },
      gasUsed: text('Gas units used', '0'),
      batch: whole('Batch of the payout', 0),
    },
  ),
  RATE_LIMIT_EXCEEDED: facts(
    'The limit that was reached, when it is not the one in `RateLimit-Policy`',
    {},
    { reason: oneOf('Stable reason', ['bodies_of_caller']) },
  ),
  UPSTREAM_UNAVAILABLE: facts(
    'The data that could not be read',
    {},
    { reason: oneOf('Stable reason', ['price_unknown']) },
  ),
};
