import type { OrderChanged, OrderEventType } from '@tollbridge/contracts';

export interface PublishedOrder {
  id: string;
  type: OrderEventType;
  order: OrderChanged;
}
