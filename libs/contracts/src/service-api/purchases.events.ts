import { events, OneOf, Text, Timestamp, Uuid } from '@tollbridge/rpc';
import { EventAddress, EventUsd, EventVersion } from '../event-fields';
import { purchaseStatuses, type PurchaseStatus } from './purchases.api';

/** State of the purchase after the change. It contains no code, number or other secret. */
export class PurchaseChanged {
  @Uuid({ description: 'Id of the purchase', example: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' })
  purchase_id: string;
  @Text({ description: 'What was purchased', example: 'gift-card' })
  kind: string;
  @OneOf(purchaseStatuses, { description: 'Status after the change', example: 'completed' })
  status: PurchaseStatus;
  @EventAddress({ description: 'Wallet of the buyer', example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' })
  wallet_address: string;
  @Uuid({
    description: 'API key that made the purchase; null without one',
    nullable: true,
    example: null,
  })
  key_id: string | null;
  @Text({ description: 'Id of the purchase at the provider', nullable: true, example: '1024' })
  provider_id: string | null;
  @EventUsd({
    description: 'Price in US dollars; null when unknown',
    nullable: true,
    example: '25',
  })
  value_usd: string | null;
  @EventVersion({ description: 'Version of the purchase: increases with each change', example: 2 })
  version: number;
  @Timestamp({ description: 'Time of the change', example: '2026-11-22T12:00:07.000Z' })
  updated_at: string;
}

export const purchaseEvents = events('service-api', {
  'purchase-changed': {
    version: 1,
    summary: 'A purchase from a provider was accepted, delivered, refunded, or failed',
    data: PurchaseChanged,
  },
});
