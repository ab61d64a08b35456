import { events, Integer, OneOf, Text, Timestamp } from '@tollbridge/rpc';
import { orderIdExample } from '../pay-orders/fields';
import {
  paymentIdExample,
  paymentRequestIdExample,
  paymentStatuses,
  type PaymentStatus,
} from './payment-states';

/** A payment after it was started, after an event of its order, or after its request was cancelled. */
export class PaymentStateChanged {
  @Text({ description: 'Id of the payment', format: 'uuid', example: paymentIdExample })
  payment_id: string;
  @Text({ description: 'Id of the payment request', format: 'uuid', example: paymentRequestIdExample })
  payment_request_id: string;
  @Text({ description: 'Id of the order', format: 'uuid', example: orderIdExample })
  order_id: string;
  @OneOf(paymentStatuses, { description: 'Status after the change', example: 'completed' })
  status: PaymentStatus;
  @Integer({
    description: 'Version of the order that the payment shows; 0 before the first event of the order',
    min: 0,
    example: 3,
  })
  version: number;
  @Timestamp({ description: 'Time of the change', example: '2026-11-20T12:00:07.000Z' })
  updated_at: string;
}

export const paymentEvents = events('merchant', {
  'payment-changed': {
    version: 1,
    summary:
      'A payment was started, follows an event of its order, or its request was cancelled: read its state again',
    data: PaymentStateChanged,
  },
});
