import { events, OneOf, Text, Timestamp, Uuid } from '@tollbridge/rpc';
import { EventAddress, EventUsd, EventVersion } from '../event-fields';
import { purchaseStatuses, type PurchaseStatus } from './purchases.api';

/** A purchase as it stands after the change that the event tells. It holds no code, number or other secret. */
export class PurchaseChanged {
  @Uuid({ description: 'The purchase', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  purchase_id: string;
  @Text({ description: 'What is bought', example: 'gift-card' })
  kind: string;
  @OneOf(purchaseStatuses, { description: 'Where it stands now', example: 'completed' })
  status: PurchaseStatus;
  @EventAddress({ description: 'Who buys', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  wallet_address: string;
  @Uuid({
    description: 'The key that it is bought with; null without one',
    nullable: true,
    example: null,
  })
  key_id: string | null;
  @Text({ description: "The provider's own id", nullable: true, example: '1024' })
  provider_id: string | null;
  @EventUsd({
    description: 'Dollars that it costs; null where that is not known',
    nullable: true,
    example: '25',
  })
  value_usd: string | null;
  @EventVersion({ description: 'Counts the changes of this purchase', example: 2 })
  version: number;
  @Timestamp({ description: 'When it changed', example: '2026-11-22T12:00:07.000Z' })
  updated_at: string;
}

export const purchaseEvents = events('service-api', {
  'purchase-changed': {
    isAnnounced: true,
    version: 1,
    summary: 'A purchase from a provider was taken, delivered, given back, or came to nothing',
    data: PurchaseChanged,
  },
});
