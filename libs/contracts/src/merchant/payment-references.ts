import { Flag, FreeForm, Text } from '../decorators';
import { paymentRequestIdExample } from './payment-states';
import { Id } from '../shared-fields';

/** Description of the payment request that a record belongs to. */
export const RequestDescription = () =>
  Text('Description of the payment request or PayLink; empty without one', {
    minLength: 0,
    maxLength: 500,
    example: 'Order 4711: two espressos',
  });

export const RequestMetadata = () =>
  FreeForm({ type: 'object' }, 'Metadata of the payment request or PayLink; null without any', {
    nullable: true,
    example: { cart: '4711' },
  });

export const RequestReference = (more = '') =>
  Text(`Payment request that the payment belongs to; null for payments without one${more}`, {
    nullable: true,
    format: 'uuid',
    example: paymentRequestIdExample,
  });

/** Links a payment record to the payment request or PayLink of the merchant. */
export class PaymentReference {
  @RequestReference() payment_request_id: string | null;
  @Id('PayLink that the payment belongs to; null for payments without one', { nullable: true })
  paylink_id: string | null;
  @RequestMetadata() metadata: Record<string, unknown> | null;
}

/** The error of a payment request without a receiving address. */
export const ReceiverRequired = () =>
  Flag(
    'True while the merchant still has to name a receiving address on the chain. Until then the request has no payment options and cannot be executed',
    { example: false },
  );
