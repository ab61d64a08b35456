import { events } from '@tollbridge/rpc';
import { OneOf, Timestamp, Unsigned } from '../decorators';
import {
  paymentIdExample,
  paymentRequestIdExample,
  paymentStatuses,
  type PaymentStatus,
} from './payment-states';
import { Id } from '../shared-fields';

/** A payment after its start, after an event of its order, or after its request was cancelled. */
export class PaymentStateChanged {
  @Id('Id of the payment', { example: paymentIdExample }) payment_id: string;
  @Id('Id of the payment request', { example: paymentRequestIdExample })
  payment_request_id: string;
  @Id('Id of the order') order_id: string;
  @OneOf(paymentStatuses, 'Status after the change', { example: 'completed' }) status: PaymentStatus;
  @Unsigned('Version of the order that the payment shows; 0 before the first event of the order', {
    example: 3,
  })
  version: number;
  @Timestamp('Time of the change', { example: '2026-11-20T12:00:07.000Z' }) updated_at: string;
}

export const paymentEvents = events('merchant', {
  'payment-changed': {
    version: 1,
    summary:
      'A payment was started, follows an event of its order, or its request was cancelled: read its state again',
    data: PaymentStateChanged,
  },
});
