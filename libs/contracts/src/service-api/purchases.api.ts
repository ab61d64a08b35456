import { internalFeature, internalOperation } from '@tollbridge/rpc';
import { OneOf } from '../decorators';
import { Id } from '../shared-fields';

/**
 * - `buying`: the provider call is in progress
 * - `unknown`: the service is determining whether the provider made the purchase
 * - `pending`: the provider accepted the purchase, but has not delivered
 * - `completed`: delivered
 * - `failed`: not delivered, and not charged
 * - `refunded`: charged, not delivered, and refunded
 * - `refused`: never purchased; the reference may be reused
 */
export const purchaseStatuses = [
  'buying',
  'unknown',
  'pending',
  'completed',
  'failed',
  'refunded',
  'refused',
] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export class PurchaseQuery {
  @Id('Id of the purchase') id: string;
}

export class PurchaseState {
  @OneOf(purchaseStatuses, 'Status', { example: 'completed' }) status: PurchaseStatus;
}

/** Purchase operations for other services. */
export const purchasesApi = internalFeature('service-api', 'purchases', {
  stateOfPurchase: internalOperation({
    summary: 'Read the state of a purchase',
    input: PurchaseQuery,
    output: PurchaseState,
    errors: ['NOT_FOUND'],
  }),
});
