import { type Class } from '@tollbridge/rpc';
import { Amount, Decimal, Flag, Integer, Text, Unsigned } from '../decorators';
import { Address, ChainName, orderIdExample, TokenSymbol, txExample, TxHash } from '../pay-orders/fields';
import { OrderChanged } from '../pay-orders/orders.events';
import { PurchaseChanged } from '../service-api/purchases.events';
import { TransactionUpdate } from '../tx-engine/transactions.events';
import { PaymentException } from './exceptions.api';
import { RequestDescription, RequestMetadata, RequestReference } from './payment-references';
import { ExchangeRate, Price, PriceOf, RateOf } from '../price-fields';
import { Id, idExample } from '../shared-fields';

const PaymentId = (description: string) => Text(description, { format: 'uuid', example: orderIdExample });

/** A payment request that a payer pays. */
export class PaymentChanged {
  @PaymentId('Id of the payment') payment_id: string;
  @PaymentId('Payment request that the payment belongs to') payment_request_id: string;
  @Text('Status of the payment', { example: 'completed' }) status: string;
  @Text('Requested amount, as in the payment request', { example: '1000000' }) amount: string;
  @PriceOf('The price; absent in a payment of an amount of the token') price?: Price;
  @RateOf('Rate that `amount` was fixed at; absent without a price') rate?: ExchangeRate;
  @TokenSymbol('Requested token') currency: string;
  @ChainName('Chain to receive it on') chain: string;
  @Id('Id of the order', { nullable: true, example: idExample })
  order_id: string | null;
  @TxHash('Transaction that paid the merchant', { nullable: true }) settle_tx: string | null;
  @RequestDescription() description: string;
  @RequestMetadata() metadata: Record<string, unknown> | null;
}

/** A change of the merchant's order, with the payment request that it pays. */
export class MerchantOrderChanged extends OrderChanged {
  @RequestReference('. `order.created` may be sent before the payment is recorded, and has null then')
  payment_request_id: string | null;
  @RequestDescription() description: string;
  @RequestMetadata() metadata: Record<string, unknown> | null;
}

/** A payment of a PayLink that was verified on its network or confirmed by the merchant. */
export class PaylinkPaid {
  @PaymentId('Id of the payment') payment_id: string;
  @Id('Id of the PayLink') paylink_id: string;
  @Text('Name of the PayLink', { maxLength: 1_000, example: 'Espresso' }) name: string;
  @RequestMetadata() metadata: Record<string, unknown> | null;
  @TxHash('Transaction hash') tx_hash: string;
  @Amount('Paid amount, smallest unit; the requested amount when the paid one is unknown')
  amount: string;
  @TokenSymbol('Token') token: string;
  @ChainName('Network') network: string;
  @Unsigned('Counted payments of the PayLink so far', { example: 3 }) payment_count: number;
  @Flag('Whether Tollbridge verified the payment on the network; false when the merchant confirmed it')
  verified: boolean;
}

/** A submitted transaction for a PayLink on a network without a configured node. */
export class PaylinkPaymentUnverifiable extends PaylinkPaid {}

/** A submitted transaction for a PayLink that does not pay it. */
export class PaylinkPaymentRejected extends PaylinkPaid {
  @Text('Why the payment is not counted', { maxLength: 1_000, example: 'The transaction was reverted.' })
  reason: string;
}

/** The spent part of an API key's monthly budget. */
export class KeyBudgetUsed {
  @Id('Id of the API key') key_id: string;
  @Text('Label of the key', { minLength: 0, maxLength: 1_000, example: 'Agent' }) label: string;
  @Decimal('Spent this month, US dollars', { example: '80.00' }) used_budget_usd: string;
  @Decimal('Monthly budget, US dollars', { example: '100.00' }) monthly_budget_usd: string;
  @Unsigned('Share of the budget that was reached', { example: 80 }) percent: number;
}

/** A batch payout. */
export class PayoutUpdated {
  @Text('Id of the payout', { example: orderIdExample }) payout_id: string;
  @Text('Status', { example: 'completed' }) status: string;
  @ChainName('Chain') chain: string;
  @TokenSymbol('Token') token: string;
  @Amount('Sum for all recipients, smallest unit', { example: '5000000' }) total_amount: string;
  @Amount('Fee, smallest unit', { allowZero: true, example: '25000' }) fee_amount: string;
  @Integer('Number of recipients', { min: 1, example: 5 }) recipient_count: number;
  @Unsigned('Number of paid recipients', { example: 5 }) paid_count: number;
}

/** The message of `POST /api/webhooks/test`. */
export class WebhookTest {
  @Address('Wallet of the tested endpoint') wallet: string;
  @Text('Human-readable text', { example: 'This is a test: your endpoint can be reached.' }) message: string;
}

interface WebhookDeclaration<D> {
  summary: string;
  data: Class<D>;
  /** Values that differ from the examples of the fields, because the message type determines them. */
  example?: Partial<D>;
}

const of = <D>(data: Class<D>, summary: string, example: Partial<D> = {}): WebhookDeclaration<D> => ({
  data,
  summary,
  example,
});

const unpaid = { pay_tx: null, settle_tx: null, settled_amount: null };
const unsettled = { settle_tx: null, settled_amount: null };

/** Every message type that is sent to a merchant's endpoint. */
export const webhookTypes = {
  'order.created': of(MerchantOrderChanged, 'An order of the merchant waits for its payment', {
    ...unpaid,
    status: 'waiting_payment',
    version: 1,
  }),
  'order.settling': of(
    MerchantOrderChanged,
    'A payment was submitted or found, and waits for confirmations',
    { ...unsettled, status: 'settling', version: 2 },
  ),
  'order.settled': of(
    MerchantOrderChanged,
    'The merchant was paid, with the confirmations that the chain requires. Deliver the goods only now',
  ),
  'order.reopened': of(
    MerchantOrderChanged,
    'A submitted transaction does not pay the order (`last_report_reason`), which waits for its payment again',
    {
      ...unpaid,
      status: 'waiting_payment',
      last_report_tx: txExample,
      last_report_reason: 'TX_REVERTED: the reported transaction reverted',
    },
  ),
  'order.failed': of(
    MerchantOrderChanged,
    'The payment failed: the deposit was sent back, or too little was delivered',
    { ...unsettled, status: 'failed', failure_reason: 'DEPOSIT_REFUNDED: the route could not be completed' },
  ),
  'order.exception': of(
    MerchantOrderChanged,
    'The order has a transfer that its status does not show (`exception`): a plain transfer to the merchant, a second payment, or a deposit or refund after the order had ended',
    {
      exception: {
        id: orderIdExample,
        kind: 'transfer',
        chain: 'eip155:8453',
        token: 'USDC',
        amount: '500000',
        tx_hash: txExample,
        reason: 'PARTIAL_TRANSFER: the merchant received 500000 of 1000000 by plain transfer',
        seen_at: '2026-11-20T12:00:09.000Z',
      },
    },
  ),
  'order.expired': of(MerchantOrderChanged, 'No payment arrived in time', {
    ...unpaid,
    status: 'expired',
    version: 2,
  }),
  'order.reorged': of(
    MerchantOrderChanged,
    'The chain dropped the block of a settled payment; the order is settling again',
    { ...unsettled, status: 'settling', version: 4 },
  ),
  'order.refunded': of(
    MerchantOrderChanged,
    'A refund was forwarded to the sender of the deposit, because the payer gave no address',
    { refund_account: true, forwarded_amount: '5000', forwarded_tx: txExample },
  ),
  'payment.executing': of(PaymentChanged, 'A payer started to pay a payment request', {
    status: 'executing',
    settle_tx: null,
  }),
  'payment.completed': of(PaymentChanged, 'A payment request was paid'),
  'payment.failed': of(PaymentChanged, 'A payment of a payment request failed', {
    status: 'failed',
    settle_tx: null,
  }),
  'payment.expired': of(PaymentChanged, 'A payment request was not paid in time', {
    status: 'expired',
    order_id: null,
    settle_tx: null,
  }),
  'paylink.paid': of(
    PaylinkPaid,
    'A payment of a PayLink was verified, or confirmed by the merchant, and counted',
  ),
  'paylink.payment_unverifiable': of(
    PaylinkPaymentUnverifiable,
    'A transaction was submitted for a PayLink on a network that this deployment cannot verify. It counts only after the merchant confirms it',
    { verified: false },
  ),
  'paylink.payment_rejected': of(
    PaylinkPaymentRejected,
    'A transaction submitted for a PayLink does not pay it, and was not counted',
  ),
  'paylink.payment_reverted': of(
    PaylinkPaymentRejected,
    'A counted payment of a PayLink no longer counts: the chain dropped its transaction. `paylink.paid` follows when it is mined again',
    { verified: false, reason: 'The chain dropped the transaction. It counts when it is mined again.' },
  ),
  'payment.exception': of(
    PaymentException,
    'A payment differs from what was requested, or such an exception was resolved',
  ),
  'transaction.completed': of(TransactionUpdate, 'A set of transactions was completed', {
    status: 'completed',
    confirmations: 3,
  }),
  'transaction.failed': of(TransactionUpdate, 'A set of transactions failed', { status: 'failed' }),
  'purchase.completed': of(PurchaseChanged, 'A provider delivered a purchase'),
  'purchase.failed': of(PurchaseChanged, 'A purchase was not delivered, and costs nothing', {
    status: 'refunded',
    version: 3,
  }),
  'key.budget_warning': of(KeyBudgetUsed, 'An API key spent 80 % of its monthly budget'),
  'key.budget_reached': of(KeyBudgetUsed, 'An API key spent its whole monthly budget', {
    used_budget_usd: '100.00',
    percent: 100,
  }),
  'payout.updated': of(PayoutUpdated, 'A batch payout changed its status'),
  'webhook.test': of(WebhookTest, 'A test message that the merchant requested'),
} as const satisfies Record<string, WebhookDeclaration<any>>;

export type WebhookType = keyof typeof webhookTypes;

/** Data of a message type. */
export type WebhookData<T extends WebhookType> =
  (typeof webhookTypes)[T] extends WebhookDeclaration<infer D> ? D : never;

export const webhookTypeNames = Object.keys(webhookTypes) as WebhookType[];
