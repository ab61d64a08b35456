import {
  Flag,
  internalFeature,
  internalOperation,
  OneOf,
  Text,
  Uuid,
  type FieldOptions,
} from '@tollbridge/rpc';

export const spendKinds = ['order', 'swap', 'purchase', 'topup', 'payout'] as const;
export type SpendKind = (typeof spendKinds)[number];

/** US dollars to a millionth. As long as the value of any amount can be, so that the largest is refused in words. */
export const Dollars = (options: FieldOptions) =>
  Text({
    pattern: /^(0|[1-9][0-9]{0,77})(\.[0-9]{1,6})?$/,
    patternMessage: 'must be US dollars in plain digits, with at most 6 after the point',
    ...options,
  });

const reference = {
  description: 'What is spent on, unique in the product: the id of the order or of the transaction',
  example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
  maxLength: 128,
};
const attempt = {
  description: 'One try to spend: a spend is released when every try at it has been given up',
  example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6e',
  maxLength: 64,
};

export class ReserveRequest {
  @Uuid({ description: 'The key that spends', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  keyId: string;
  @Text(reference)
  reference: string;
  @Text(attempt)
  attempt: string;
  @OneOf(spendKinds, { description: 'What it is', example: 'order' })
  kind: SpendKind;
  @Dollars({ description: 'What it is worth; null without a price', nullable: true, example: '1.005' })
  valueUsd: string | null;
  @Text({ description: 'For people', example: 'Order of 1.005 USDC on Base' })
  description: string;
}

export class ReleaseRequest {
  @Text(reference)
  reference: string;
  @Text({ ...attempt, optional: true })
  attempt?: string;
}

export class SpendReply {
  @OneOf(['reserved', 'captured', 'released'], {
    description: 'Where the spend stands now',
    example: 'reserved',
  })
  status: 'reserved' | 'captured' | 'released';
}

export class ReserveReply extends SpendReply {
  @Flag({
    description: 'The key has no bounds, and none can be given to it: its spends are only counted',
    example: false,
  })
  isUnbounded: boolean;
}

/** What API keys may spend, as the services ask that spend on behalf of a key. Everything may be repeated. */
export const budgetsApi = internalFeature('merchant', 'budgets', {
  reserve: internalOperation({
    summary: 'Count a spend against the budget of a key before it is made',
    input: ReserveRequest,
    output: ReserveReply,
    errors: ['UNAUTHORIZED', 'BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED', 'CONFLICT', 'UPSTREAM_UNAVAILABLE'],
    // A request waits for it; it takes milliseconds.
    timeoutMs: 2_000,
  }),
  release: internalOperation({
    summary: 'Give back what was reserved for a spend that is not made',
    input: ReleaseRequest,
    output: SpendReply,
    errors: [],
    timeoutMs: 2_000,
  }),
});
