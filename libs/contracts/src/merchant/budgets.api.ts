import { internalFeature, internalOperation, type FieldOptions, type Undescribed } from '@tollbridge/rpc';
import { Flag, ListOf, OneOf, Text, Uuid } from '../decorators';
import { idExample } from '../shared-fields';

export const spendKinds = ['order', 'swap', 'purchase', 'topup', 'payout'] as const;
export type SpendKind = (typeof spendKinds)[number];

/**
 * US dollars with six decimals. The field accepts the value of any amount, so that a spend above the budget gets a
 * readable error.
 */
export const Dollars = (description: string, options: Undescribed<FieldOptions>) =>
  Text(description, {
    pattern: /^(0|[1-9][0-9]{0,77})(\.[0-9]{1,6})?$/,
    patternMessage: 'must be US dollars in plain digits, with at most 6 decimals',
    ...options,
  });

const Reference = () =>
  Text('What the spend pays: the id of the order or transaction set, unique in the product', {
    example: idExample,
    maxLength: 128,
  });
const attempt = {
  description: 'One attempt to spend. A spend is released when all its attempts have been given up',
  example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e',
  maxLength: 64,
};

export class ReserveRequest {
  @Uuid('The API key that spends', { example: idExample }) keyId: string;
  @Reference() reference: string;
  @Text(attempt) attempt: string;
  @OneOf(spendKinds, 'Kind of spend') kind: SpendKind;
  @Dollars('Value in US dollars; null without a price', { nullable: true, example: '1.005' })
  valueUsd: string | null;
  @Text('Human-readable description', { example: 'Order of 1.005 USDC on Base' }) description: string;
}

/** The largest number of spends in one call of `record`. */
export const mostRecorded = 100;

export class RecordRequest {
  @ListOf(() => ReserveRequest, 'Spends of keys without limits', { maxItems: mostRecorded })
  spends: ReserveRequest[];
}

export class RecordReply {
  @ListOf('string', 'Keys that have limits or must not spend: their next spend is reserved before its work', {
    maxItems: mostRecorded,
    example: [idExample],
  })
  limitedKeys: string[];
}

export class ReleaseRequest {
  @Reference() reference: string;
  @Text({ ...attempt, optional: true }) attempt?: string;
}

export class SpendReply {
  @OneOf(['reserved', 'captured', 'released'], 'Current state of the spend')
  status: 'reserved' | 'captured' | 'released';
}

export class ReserveReply extends SpendReply {
  @Flag('The key has no limits and cannot get any: its spends are only counted', { example: false })
  isUnbounded: boolean;
}

/** Budgets of API keys, for services that spend for a key. Every call is idempotent. */
export const budgetsApi = internalFeature('merchant', 'budgets', {
  reserve: internalOperation({
    summary: 'Reserve a spend against the budget of a key',
    input: ReserveRequest,
    output: ReserveReply,
    errors: ['UNAUTHORIZED', 'BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    // A client request waits for this reply, which normally takes milliseconds.
    timeoutMs: 2_000,
  }),
  record: internalOperation({
    summary: 'Record spends that keys without limits have made',
    input: RecordRequest,
    output: RecordReply,
    timeoutMs: 2_000,
  }),
  release: internalOperation({
    summary: 'Release the reservation of a spend that will not happen',
    input: ReleaseRequest,
    output: SpendReply,
    timeoutMs: 2_000,
  }),
});
