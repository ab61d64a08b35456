import type { JsonSchema } from '@tollbridge/rpc';
import Big from 'big.js';
import { createHash, randomBytes } from 'node:crypto';

/** The cost of a purchase, as far as it is known in advance. */
export interface Cost {
  /** The price model: `face_value`, `provider_price` or `percentage`. */
  model: string;
  /** As text, with every known amount. */
  description: string;
  /** In whole units of the currency; null when only the provider can determine it. */
  amount: string | null;
  /** ISO 4217 or the symbol of a token; null when the price list of the product contains it. */
  currency: string | null;
}

/** The reply to a purchase call without a confirmation. */
export interface CostStatement {
  bought: false;
  cost: Cost;
  confirm: string;
  confirm_before: string;
}

export const confirmField: JsonSchema = {
  type: 'string',
  maxLength: 128,
  description:
    'Leave it out at first: the answer states the cost and a text for this field. To buy, call again with the same arguments and that text. One text buys once, also when the call is repeated',
};

const text = (description: string) => ({ type: 'string', description });
const nullableText = (description: string) => ({ type: ['string', 'null'], description });

export const costStatementSchema: JsonSchema = {
  type: 'object',
  properties: {
    bought: { type: 'boolean', const: false, description: 'Nothing was bought yet' },
    cost: {
      type: 'object',
      properties: {
        model: text('`face_value`, `provider_price` or `percentage`'),
        description: text('What the purchase costs'),
        amount: nullableText('Amount in whole units; null where only the provider knows it'),
        currency: nullableText('Currency of the amount'),
      },
      required: ['model', 'description', 'amount', 'currency'],
      additionalProperties: false,
    },
    confirm: text('Send it as `confirm` with the same arguments to buy'),
    confirm_before: { ...text('Deadline for it'), format: 'date-time' },
  },
  required: ['bought', 'cost', 'confirm', 'confirm_before'],
  additionalProperties: false,
};

/** The purchase that a confirmation is valid for. Another caller, argument or price needs a new confirmation. */
export interface Intent {
  principal: string;
  tool: string;
  arguments: Record<string, unknown>;
  cost: Cost;
}

export type Confirmation = 'valid' | 'expired' | 'risen' | 'other';

export const confirmableSeconds = 900;
const form = /^([0-9a-z]{1,8})-([0-9a-f]{16})-((?:\d{1,20}(?:\.\d{1,20})?)?)-([0-9a-f]{32})$/;

/**
 * The text that confirms a purchase: its deadline, a random part, the stated amount, and a digest of the purchase. The
 * random part makes the text the idempotency key of one purchase. The text is not secret. It only protects the caller
 * from buying by mistake.
 */
export function confirmationFor(intent: Intent, nowMs: number): { confirm: string; before: Date } {
  const before = Math.floor(nowMs / 1_000) + confirmableSeconds;
  const head = `${before.toString(36)}-${randomBytes(8).toString('hex')}-${intent.cost.amount ?? ''}`;
  return { confirm: `${head}-${digestOf(head, intent)}`, before: new Date(before * 1_000) };
}

/** Verifies a confirmation. Prices of providers vary, so a confirmation stays valid when the price has fallen. */
export function readConfirmation(confirm: string, intent: Intent, nowMs: number): Confirmation {
  const [, before, random, amount = '', digest] = form.exec(confirm) ?? [];
  if (before === undefined || digest !== digestOf(`${before}-${random}-${amount}`, intent)) return 'other';
  if (parseInt(before, 36) * 1_000 < nowMs) return 'expired';
  const { amount: current } = intent.cost;
  return current !== null && (amount === '' || Big(current).gt(amount)) ? 'risen' : 'valid';
}

function digestOf(head: string, { principal, tool, arguments: given, cost }: Intent): string {
  const { model, description, currency } = cost;
  const bound = JSON.stringify([head, principal, tool, sorted(given), model, description, currency]);
  return createHash('sha256').update(bound).digest('hex').slice(0, 32);
}

/** Sorts the keys, so that equal objects have the same text for any order of their keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
