import { internalFeature, internalOperation, OneOf, Text } from '@tollbridge/rpc';

/**
 * - `buying`: the provider is being asked
 * - `unknown`: whether the provider did it is being found out
 * - `pending`: the provider has taken it, and will deliver
 * - `completed`: delivered
 * - `failed`: not delivered, and not charged
 * - `refunded`: charged, not delivered, and given back
 * - `refused`: never bought; the same reference may be used again
 */
export const purchaseStatuses = [
  ...(['buying', 'unknown', 'pending', 'completed', 'failed', 'refunded', 'refused'] as const),
];
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export class PurchaseQuery {
  @Text({ description: 'The purchase', format: 'uuid', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  id: string;
}

export class PurchaseState {
  @OneOf(purchaseStatuses, { description: 'Where it stands', example: 'completed' })
  status: PurchaseStatus;
}

/** What was bought from providers, as other services ask. */
export const purchasesApi = internalFeature('service-api', 'purchases', {
  stateOfPurchase: internalOperation({
    summary: 'What became of a purchase',
    input: PurchaseQuery,
    output: PurchaseState,
    errors: ['NOT_FOUND'],
  }),
});
