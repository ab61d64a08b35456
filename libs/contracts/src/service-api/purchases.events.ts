import { events } from '@tollbridge/rpc';
import { OneOf, Text, Timestamp, Uuid } from '../decorators';
import { EventAddress, EventUsd, EventVersion } from '../event-fields';
import { purchaseStatuses, type PurchaseStatus } from './purchases.api';
import { idExample } from '../shared-fields';
import { walletExample } from '../pay-orders/fields';

/** State of the purchase after the change. It contains no code, number or other secret. */
export class PurchaseChanged {
  @Uuid('Id of the purchase', { example: idExample }) purchase_id: string;
  @Text('What was purchased', { example: 'gift-card' }) kind: string;
  @OneOf(purchaseStatuses, 'Status after the change', { example: 'completed' }) status: PurchaseStatus;
  @EventAddress('Wallet of the buyer', { example: walletExample })
  wallet_address: string;
  @Uuid('API key that made the purchase; null without one', { nullable: true }) key_id: string | null;
  @Text('Id of the purchase at the provider', { nullable: true, example: '1024' }) provider_id: string | null;
  @EventUsd('Price in US dollars; null when unknown', { nullable: true, example: '25' })
  value_usd: string | null;
  @EventVersion('Version of the purchase: increases with each change', { example: 2 }) version: number;
  @Timestamp('Time of the change', { example: '2026-11-22T12:00:07.000Z' }) updated_at: string;
}

export const purchaseEvents = events('service-api', {
  'purchase-changed': {
    version: 1,
    summary: 'A purchase from a provider was accepted, delivered, refunded, or failed',
    data: PurchaseChanged,
  },
});
