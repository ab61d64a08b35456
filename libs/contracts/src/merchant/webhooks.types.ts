import { Amount, Decimal, Flag, FreeForm, Integer, Text, type Class } from '@tollbridge/rpc';
import { Address, ChainName, orderIdExample, TokenSymbol, txExample } from '../pay-orders/fields';
import { OrderChanged } from '../pay-orders/orders.events';
import { PurchaseChanged } from '../service-api/purchases.events';
import { TransactionUpdate } from '../tx-engine/transactions.events';

const PaymentId = (description: string) => Text({ description, format: 'uuid', example: orderIdExample });

/** A payment request that a payer executes. */
export class PaymentChanged {
  @PaymentId('The payment')
  payment_id: string;
  @PaymentId('The payment request that it pays')
  payment_request_id: string;
  @Text({ description: 'Where the payment stands', example: 'completed' })
  status: string;
  @Text({ description: 'What was asked for, as the payment request says it', example: '1000000' })
  amount: string;
  @TokenSymbol({ description: 'The token asked for' })
  currency: string;
  @ChainName({ description: 'The chain to be paid on' })
  chain: string;
  @Text({ description: 'The order behind it', format: 'uuid', nullable: true, example: orderIdExample })
  order_id: string | null;
  @Text({ description: 'The transaction that paid you', nullable: true, example: txExample })
  settle_tx: string | null;
  @FreeForm(
    { type: 'object' },
    {
      description: 'What you gave along with the payment request',
      nullable: true,
      example: { cart: '4711' },
    },
  )
  metadata: Record<string, unknown> | null;
}

/** A payment of a PayLink, verified on its network or confirmed by the merchant. */
export class PaylinkPaid {
  @Text({ description: 'The PayLink', format: 'uuid', example: orderIdExample })
  paylink_id: string;
  @Text({ description: 'Its name', maxLength: 1_000, example: 'Espresso' })
  name: string;
  @Text({ description: 'The transaction', example: txExample })
  tx_hash: string;
  @Amount({
    description: 'What was paid, smallest unit; what is asked for where that is not known',
    example: '1000000',
  })
  amount: string;
  @TokenSymbol({ description: 'Its token' })
  token: string;
  @ChainName({ description: 'Its network' })
  network: string;
  @Integer({ description: 'How many payments the PayLink has counted so far', min: 0, example: 3 })
  payment_count: number;
  @Flag({
    description: 'Whether it was read on the network; false for one that the merchant confirmed by hand',
    example: true,
  })
  verified: boolean;
}

/** A transaction that was submitted for a PayLink on a network that no configured node can read. */
export class PaylinkPaymentUnverifiable extends PaylinkPaid {
  @PaymentId('The payment, to be confirmed or rejected')
  payment_id: string;
}

/** A transaction that was reported for a PayLink and does not pay it. */
export class PaylinkPaymentRejected extends PaylinkPaid {
  @Text({ description: 'Why it was not counted', maxLength: 1_000, example: 'The transaction was reverted.' })
  reason: string;
}

/** How much of its monthly budget an API key has spent. */
export class KeyBudgetUsed {
  @Text({ description: 'The key', format: 'uuid', example: orderIdExample })
  key_id: string;
  @Text({ description: 'Its label', minLength: 0, maxLength: 1_000, example: 'Agent' })
  label: string;
  @Decimal({ description: 'Spent this month, US dollars', example: '80.00' })
  used_budget_usd: string;
  @Decimal({ description: 'The budget of a month, US dollars', example: '100.00' })
  monthly_budget_usd: string;
  @Integer({ description: 'The share that was reached', min: 0, example: 80 })
  percent: number;
}

/** A batch payout. */
export class PayoutUpdated {
  @Text({ description: 'The payout', example: orderIdExample })
  payout_id: string;
  @Text({ description: 'Where it stands', example: 'completed' })
  status: string;
  @ChainName({ description: 'Its chain' })
  chain: string;
  @TokenSymbol({ description: 'Its token' })
  token: string;
  @Amount({ description: 'What all recipients get together, smallest unit', example: '5000000' })
  total_amount: string;
  @Amount({ description: 'The fee, smallest unit', allowZero: true, example: '25000' })
  fee_amount: string;
  @Integer({ description: 'How many recipients it has', min: 1, example: 5 })
  recipient_count: number;
  @Integer({ description: 'How many of them were paid', min: 0, example: 5 })
  paid_count: number;
}

/** What `POST /api/webhooks/test` sends. */
export class WebhookTest {
  @Address({ description: 'The wallet whose endpoint is tested' })
  wallet: string;
  @Text({ description: 'A sentence for people', example: 'This is a test: your endpoint can be reached.' })
  message: string;
}

interface WebhookDeclaration<D> {
  summary: string;
  data: Class<D>;
  /** What differs from the examples of the fields: the type implies it. */
  example?: Partial<D>;
}

const of = <D>(data: Class<D>, summary: string, example: Partial<D> = {}): WebhookDeclaration<D> => ({
  data,
  summary,
  example,
});

const unpaid = { pay_tx: null, settle_tx: null, settled_amount: null };
const unsettled = { settle_tx: null, settled_amount: null };

/** Every message that is posted to a merchant's endpoint, by its type. */
export const webhookTypes = {
  'order.created': of(OrderChanged, 'An order that you made waits for its payment', {
    ...unpaid,
    status: 'waiting_payment',
    version: 1,
  }),
  'order.settling': of(OrderChanged, 'A payment was reported or found and waits for confirmations', {
    ...unsettled,
    status: 'settling',
    version: 2,
  }),
  'order.settled': of(
    OrderChanged,
    'You were paid, with the confirmations that the chain requires; only now hand over what was bought',
  ),
  'order.failed': of(OrderChanged, 'The reported transaction does not pay the order', {
    ...unsettled,
    status: 'failed',
    failure_reason: 'TX_REVERTED: The transaction was reverted.',
  }),
  'order.expired': of(OrderChanged, 'No payment arrived in time', {
    ...unpaid,
    status: 'expired',
    version: 2,
  }),
  'order.reorged': of(
    OrderChanged,
    'The chain dropped the block of a settled payment; the order is settling again',
    { ...unsettled, status: 'settling', version: 4 },
  ),
  'order.refunded': of(
    OrderChanged,
    'What came back of a deposit was forwarded to its sender; the payer had named no address',
    { refund_account: true, forwarded_amount: '5000', forwarded_tx: txExample },
  ),
  'payment.executing': of(PaymentChanged, 'A payer executes a payment request', {
    status: 'executing',
    settle_tx: null,
  }),
  'payment.completed': of(PaymentChanged, 'A payment request was paid'),
  'payment.failed': of(PaymentChanged, 'The execution of a payment request failed', {
    status: 'failed',
    settle_tx: null,
  }),
  'payment.expired': of(PaymentChanged, 'A payment request was not paid in time', {
    status: 'expired',
    order_id: null,
    settle_tx: null,
  }),
  'paylink.paid': of(PaylinkPaid, 'A payment of a PayLink was verified, or confirmed by you, and counted'),
  'paylink.payment_unverifiable': of(
    PaylinkPaymentUnverifiable,
    'A transaction was reported for a PayLink on a network that cannot be verified here; it counts only if you confirm it',
    { verified: false },
  ),
  'paylink.payment_rejected': of(
    PaylinkPaymentRejected,
    'A transaction reported for a PayLink does not pay it, and was not counted',
  ),
  'transaction.completed': of(TransactionUpdate, 'A set of transactions was completed', {
    status: 'completed',
    confirmations: 3,
  }),
  'transaction.failed': of(TransactionUpdate, 'A set of transactions failed', { status: 'failed' }),
  'purchase.completed': of(PurchaseChanged, 'What was bought from a service was delivered'),
  'purchase.failed': of(
    PurchaseChanged,
    'What was bought from a service was not delivered, and costs nothing',
    {
      status: 'refunded',
      version: 3,
    },
  ),
  'key.budget_warning': of(KeyBudgetUsed, 'An API key has spent 80 % of its monthly budget'),
  'key.budget_reached': of(KeyBudgetUsed, 'An API key has spent its monthly budget', {
    used_budget_usd: '100.00',
    percent: 100,
  }),
  'payout.updated': of(PayoutUpdated, 'A batch payout got further'),
  'webhook.test': of(WebhookTest, 'A test that you asked for'),
} as const satisfies Record<string, WebhookDeclaration<any>>;

export type WebhookType = keyof typeof webhookTypes;

/** What a message of a type tells. */
export type WebhookData<T extends WebhookType> =
  (typeof webhookTypes)[T] extends WebhookDeclaration<infer D> ? D : never;

export const webhookTypeNames = Object.keys(webhookTypes) as WebhookType[];
