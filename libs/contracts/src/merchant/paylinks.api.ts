import { feature, listOf, merchantAuth, operation } from '@tollbridge/rpc';
import { maxTokenAmount } from '@tollbridge/money';
import {
  Amount,
  AnyObject,
  Decimal,
  Flag,
  FreeForm,
  Integer,
  Nested,
  OneOf,
  Text,
  Timestamp,
  Unsigned,
} from '../decorators';
import { Address, ChainName, payerExample, TokenSymbol, TxHash, usdcExample } from '../pay-orders/fields';
import { EmbedOrigins, StoreColor, StoreLogo, StoreName } from './store-name';
import { ExchangeRate, Price, PriceOf, RateOf } from '../price-fields';
import { Id, idExample, WebAddress } from '../shared-fields';

const referenceExample = `0x7462706c${idExample.replaceAll('-', '')}`;
const imageExample = 'https://shop.example/espresso.png';
const successExample = 'https://shop.example/thanks';
const cancelExample = 'https://shop.example/cart';
const metadataExample = { table: 7 };

const LinkName = () => Text('Name of the product or purpose', { maxLength: 120, example: 'Espresso' });
const LinkDescription = () =>
  Text('Longer description; may be empty', {
    minLength: 0,
    maxLength: 500,
    example: 'A double one, in the garden',
  });
const amount = {
  description: 'Smallest payment, smallest unit; 0 when the payer chooses the amount',
  allowZero: true,
  max: maxTokenAmount,
  example: '3500000',
};

export class CreatePayLinkRequest {
  static readonly example = {
    name: 'Espresso',
    amount: '3500000',
    token: 'USDC',
    network: 'eip155:8453',
    description: 'A double one, in the garden',
    receiveAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    maxPayments: 100,
    metadata: metadataExample,
    successUrl: successExample,
    cancelUrl: cancelExample,
  };
  @LinkName() name: string;
  @Amount(`${amount.description}; optional then, and with a price`, { ...amount, optional: true })
  amount?: string;
  @Nested(
    () => Price,
    'Price in a currency of ISO 4217, instead of `amount`. The checkout converts it for each payment. Plain transfers do not pay such a PayLink; the merchant decides on them',
    { optional: true },
  )
  price?: Price;
  @TokenSymbol('Token to pay with, supported on the network; `defaultToken` of the settings unless given', {
    optional: true,
  })
  token?: string;
  @ChainName('Network to pay on: id, CAIP-2 or short name; `defaultChain` of the settings unless given', {
    optional: true,
  })
  network?: string;
  @LinkDescription() description: string;
  @Address('Receiving address on the network', { receivesMoney: true }) receiveAddress: string;
  @WebAddress(
    'URL of an image, for apps of the merchant. The page of the link loads no image of another site',
    { optional: true, example: imageExample },
  )
  imageUrl?: string;
  @Timestamp('Expiry; later payments are not counted', { optional: true, example: '2026-12-31T23:59:59Z' })
  expiresAt?: string;
  @Integer('Largest number of counted payments', { min: 1, max: 1_000_000, optional: true, example: 100 })
  maxPayments?: number;
  @Flag('Whether the payer chooses the amount', { optional: true, example: false }) openAmount?: boolean;
  @Amount('With openAmount: the smallest counted payment, smallest unit; 1 unless given', {
    max: maxTokenAmount,
    optional: true,
  })
  minAmount?: string;
  @AnyObject('Private metadata, shown only to the merchant', {
    maxBytes: 4_096,
    maxDepth: 5,
    optional: true,
    example: metadataExample,
  })
  metadata?: Record<string, unknown>;
  @WebAddress('Where the page sends the payer after the payment', { optional: true, example: successExample })
  successUrl?: string;
  @WebAddress('Where a payer who does not pay returns to', { optional: true, example: cancelExample })
  cancelUrl?: string;
}

export class PayLink {
  @Id('Id of the PayLink') id: string;
  @Address('Wallet that created the PayLink') wallet_address: string;
  @LinkName() name: string;
  @Amount(amount) amount: string;
  @PriceOf('The price; absent in a PayLink with an amount of the token') price?: Price;
  @RateOf('Rate of `amount` when the PayLink was created; absent without a price') rate?: ExchangeRate;
  @TokenSymbol('Symbol of the token') token: string;
  @ChainName('CAIP-2 identifier of the network') network: string;
  @LinkDescription() description: string;
  @Address('Receiving address in canonical form') receive_address: string;
  @Flag(
    "Whether the wallet has proven `receive_address`: it is the wallet's own address, or it signed a challenge (`POST /api/receivers/challenge`). A payment that also pays a PayLink of a merchant who has proven the address counts for that merchant.",
  )
  receiver_verified: boolean;
  @WebAddress('URL of an image; absent without one', { optional: true, example: imageExample })
  image_url?: string;
  @Flag('Whether the PayLink accepts payments') active: boolean;
  @Unsigned('Number of counted payments', { example: 3 }) payment_count: number;
  @Unsigned('Counted payments that the merchant confirmed, because no node of the network is configured', {
    example: 0,
  })
  unverified_count: number;
  @Flag(
    'Whether payments can be verified: a node of the network is configured. Without one, submitted payments are `unverifiable` and count only after the merchant confirms them.',
  )
  verifiable: boolean;
  @Text(
    'What a payer may add to the transfer, so that it counts for this PayLink only: on EVM networks bytes at the end of the transaction data, on Solana and Tron a memo, on TON a comment. Null on other networks.',
    { nullable: true, example: referenceExample },
  )
  reference: string | null;
  @Flag('Whether the payer chooses the amount', { example: false }) open_amount: boolean;
  @Amount('With an open amount: the smallest counted payment; null otherwise', { nullable: true })
  min_amount: string | null;
  @Timestamp('Expiry; null means never', { nullable: true, example: '2026-12-31T23:59:59.000Z' })
  expires_at: string | null;
  @Integer('Largest number of counted payments; null means no limit', { nullable: true, example: 100 })
  max_payments: number | null;
  @FreeForm({ type: 'object' }, 'Private metadata; null without any', {
    nullable: true,
    example: metadataExample,
  })
  metadata: Record<string, unknown> | null;
  @WebAddress('Where the page sends the payer after the payment; null without one', {
    nullable: true,
    example: successExample,
  })
  success_url: string | null;
  @WebAddress('Where a payer who does not pay returns to', { nullable: true, example: cancelExample })
  cancel_url: string | null;
  @Timestamp('Creation time') created_at: string;
  @Timestamp('Time of the last change', { example: '2026-11-20T12:30:00.000Z' }) updated_at: string;
}

const paging = (what: string) => ({
  limit: {
    description: 'Largest number of items: 100, also when more are requested',
    default: 100,
    min: 1,
    example: 20,
  },
  cursor: {
    description: `Start after this item: the id of the last ${what} on the previous page`,
    format: 'uuid',
    optional: true,
    example: idExample,
  },
});

export class PayLinksQuery {
  @Flag('Only PayLinks that are switched on, or only those switched off', { optional: true })
  active?: boolean;
  @Integer('Page size, at most 100; without it the reply contains all PayLinks', {
    min: 1,
    optional: true,
    example: 20,
  })
  limit?: number;
  @Text(paging('link').cursor) cursor?: string;
}

const LinkId = () => Id('Id of the PayLink');

export class PayLinkRequest {
  @LinkId() id: string;
}

export class TogglePayLinkRequest {
  @LinkId() id: string;
  @Flag('Whether the PayLink accepts payments from now on', { example: false }) active: boolean;
}

export class PayLinkDeleted {
  @Flag('Always true: the PayLink is deleted') ok: boolean;
}

export class PublicPayLink {
  @LinkId() id: string;
  @LinkName() name: string;
  @Amount(amount) amount: string;
  @PriceOf('The price; absent in a PayLink with an amount of the token') price?: Price;
  @RateOf('Current rate of `amount`; absent without a price') rate?: ExchangeRate;
  @TokenSymbol('Symbol of the token') token: string;
  @ChainName('CAIP-2 identifier of the network') network: string;
  @LinkDescription() description: string;
  @StoreName() storeName: string | null;
  @StoreColor() storeColor: string | null;
  @StoreLogo() storeLogo: string | null;
  @EmbedOrigins() embedOrigins: string[];
  @Address('Receiving address') receiveAddress: string;
  @WebAddress('URL of an image; absent without one', { optional: true, example: imageExample })
  imageUrl?: string;
  @Timestamp('Expiry; null means never', { nullable: true, example: '2026-12-31T23:59:59.000Z' })
  expiresAt: string | null;
  @Flag('Whether the payer chooses the amount', { example: false }) openAmount: boolean;
  @Amount('With an open amount: the smallest counted payment; null otherwise', { nullable: true })
  minAmount: string | null;
  @WebAddress('Where to send the payer after the payment; null without one', {
    nullable: true,
    example: successExample,
  })
  successUrl: string | null;
  @WebAddress('Where a payer who does not pay returns to', { nullable: true, example: cancelExample })
  cancelUrl: string | null;
  @Address('Token contract; null for the native coin', { nullable: true, example: usdcExample })
  tokenAddress: string | null;
  @Unsigned('Decimals of the token', { example: 6 }) decimals: number;
  @Flag('Whether the merchant has proven the receiving address; otherwise the page warns the payer')
  receiverVerified: boolean;
  @Text(
    'What a payer may add to the transfer, so that it counts for this PayLink only: on EVM networks bytes at the end of the transaction data, on Solana and Tron a memo, on TON a comment; null on other networks. Payments without it count too. With the native coin of an EVM network, append it only when the receiver accepts data.',
    { nullable: true, example: referenceExample },
  )
  reference: string | null;
}

export class RecordPaymentRequest {
  @LinkId() id: string;
  @TxHash('Hash of the paying transaction', {
    pattern: /^[A-Za-z0-9+/=_:.-]{16,128}$/,
    patternMessage: 'must be a transaction hash, as wallets and explorers show it',
  })
  txHash: string;
}

export class PayLinkCheckoutRequest {
  @LinkId() id: string;
  @Amount('What the payer wants to pay, smallest unit: where the payer chooses the amount', {
    max: maxTokenAmount,
    optional: true,
    example: '3500000',
  })
  amount?: string;
  @Id('A random UUID: the same key and amount again return the same checkout', {
    optional: true,
    example: '5f0c7f2e-4a1b-4a3e-9c1d-2b7a6d0e8f31',
  })
  key?: string;
}

export class PayLinkCheckout {
  @Id('Payment request of this checkout: read, execute and follow it by `/api/v1/payment/{id}`', {
    example: '9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20',
  })
  payment_request_id: string;
  @Text('URL of the checkout page', {
    maxLength: 512,
    example: 'https://api.example.com/checkout/9a3d1c44-7be2-4f0a-8a6e-1d5c0b9f7e20',
  })
  payment_link: string;
  @Timestamp('The checkout can be paid until then', { example: '2026-11-29T12:00:00.000Z' })
  expires_at: string;
}

/** Status of a submitted payment. Only `counted` payments are part of `payment_count`. */
export const payLinkPaymentStatuses = [
  'pending',
  'unverifiable',
  'counted',
  'partial',
  'excess',
  'late',
  'inactive',
  'rejected',
] as const;
export type PayLinkPaymentStatus = (typeof payLinkPaymentStatuses)[number];

export class RecordPaymentReply {
  @Flag('Whether the payment is counted') success: boolean;
  @Flag('Whether Tollbridge verified the payment on the chain') verified: boolean;
  @OneOf(
    ['pending', 'unverifiable', 'partial', 'excess', 'late', 'inactive'],
    'State of a payment that is neither counted nor rejected. `pending` counts once it has its confirmations. `unverifiable` waits until the merchant confirms or rejects it, since no node of the network is configured. `partial` is less than the amount: it counts together with the rest, once the same address has paid it and that transaction is submitted. The other states are real payments that arrived while the PayLink accepted none',
    { optional: true },
  )
  status?: 'pending' | 'unverifiable' | 'partial' | 'excess' | 'late' | 'inactive';
  @Text('Why the payment is not counted', {
    maxLength: 300,
    optional: true,
    example: 'The transaction was reverted: nothing was paid.',
  })
  error?: string;
}

export class PayLinkPaymentsQuery {
  @LinkId() id: string;
  @Integer(paging('payment').limit) limit?: number;
  @Text(paging('payment').cursor) cursor?: string;
}

/** The receiver's token balance for an unverifiable payment, from an indexer of the network. */
export class ReceiverBalance {
  @Amount('Balance when the payment was submitted; null when it was not read', {
    allowZero: true,
    nullable: true,
    example: '10000000',
  })
  at_report: string | null;
  @Amount('Current balance; null when it was not read', {
    allowZero: true,
    nullable: true,
    example: '13500000',
  })
  now: string | null;
}

export class PayLinkPayment {
  @Id('Id of the payment') id: string;
  @TxHash('Transaction hash') tx_hash: string;
  @OneOf(
    payLinkPaymentStatuses,
    "`counted` is part of `payment_count`. `unverifiable` waits for the merchant's decision. `partial` is less than the amount. `excess`, `late` and `inactive` are real payments that arrived while the PayLink accepted none",
    { example: 'counted' },
  )
  status: PayLinkPaymentStatus;
  @Flag('Whether Tollbridge verified the payment on the chain') verified: boolean;
  @Flag('Whether the merchant confirmed the payment', { example: false }) confirmed: boolean;
  @Amount('Paid amount with all its parts, smallest unit', { nullable: true, example: '3500000' })
  amount: string | null;
  @Address('Address of the payer', { nullable: true, example: payerExample }) payer: string | null;
  @Decimal('Value in US dollars when counted; null without a price', { nullable: true, example: '3.50' })
  value_usd: string | null;
  @Id('Order of a payment by the checkout; null for a submitted transaction', { nullable: true })
  order_id: string | null;
  @Id('The counted payment that a `partial` one is a part of; null otherwise', { nullable: true })
  part_of: string | null;
  @Text('Why the payment is not counted', { maxLength: 300, nullable: true }) reason: string | null;
  @Timestamp('Block time', { nullable: true, example: '2026-11-20T12:29:58.000Z' }) paid_at: string | null;
  @Timestamp('Submission time', { example: '2026-11-20T12:30:00.000Z' }) recorded_at: string;
  @Nested(
    () => ReceiverBalance,
    "While the payment waits for the merchant's decision: the receiver's balance before and now, smallest unit. It is a hint, not a proof: other transfers change it too. Null otherwise.",
    { nullable: true },
  )
  receiver_balance: ReceiverBalance | null;
}

export class DecidePaymentRequest {
  @LinkId() id: string;
  @Id('Id of the payment') paymentId: string;
}

/** PayLink operations for merchants. Any client can pay a PayLink with a plain transfer. */
export const paylinksApi = feature('merchant', 'paylinks', 'PayLinks', {
  listPayLinks: operation('GET /api/paylinks', {
    summary: 'List your PayLinks, newest first',
    description:
      'Returns all PayLinks: a wallet has at most 1,000. With `limit` it returns one page; while more exist, the header `Link` names the next page (`rel="next"`).',
    input: PayLinksQuery,
    output: listOf(PayLink),
    auth: merchantAuth('read'),
    isWholeList: true,
  }),
  createPayLink: operation('POST /api/paylinks', {
    summary: 'Create a PayLink',
    description: 'A wallet can have at most 1,000 PayLinks (409).',
    input: CreatePayLinkRequest,
    output: PayLink,
    errors: ['CONFLICT', 'RATE_UNAVAILABLE'],
    auth: merchantAuth('write'),
  }),
  togglePayLink: operation('PUT /api/paylinks/{id}/toggle', {
    operationId: 'setPayLinkActive',
    summary: 'Switch a PayLink on or off',
    description: 'A payment made while the PayLink was on counts, even when it is submitted later.',
    input: TogglePayLinkRequest,
    output: PayLink,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('write'),
  }),
  deletePayLink: operation('DELETE /api/paylinks/{id}', {
    summary: 'Delete a PayLink',
    input: PayLinkRequest,
    output: PayLinkDeleted,
    errors: ['NOT_FOUND'],
    auth: merchantAuth('write'),
  }),
});

/** PayLink operations for payers, with a separate handler class. Subjects and tag are those of all PayLinks. */
export const publicPaylinksApi = feature('merchant', 'paylinks', 'PayLinks', {
  getPublicPayLink: operation('GET /api/paylinks/{id}/public', {
    summary: 'Read a PayLink as a payer',
    description: 'Only while the PayLink accepts payments: it is on, not expired and not used up.',
    input: PayLinkRequest,
    output: PublicPayLink,
    errors: ['NOT_FOUND', 'RATE_UNAVAILABLE'],
    auth: 'public',
  }),
  startPayLinkCheckout: operation('POST /api/paylinks/{id}/checkout', {
    summary: 'Start a checkout of a PayLink',
    description:
      'Creates a payment request for one payment of the PayLink, which the payer pays in any token that is offered. Once settled it counts for the PayLink, as `paylink.paid` says. It reserves no slot of `maxPayments`: one payment too many becomes an exception. It closes with the PayLink, and after a day.',
    input: PayLinkCheckoutRequest,
    output: PayLinkCheckout,
    errors: ['NOT_FOUND', 'RATE_UNAVAILABLE'],
    auth: 'public',
    // Limited, because each call may store a request.
    callsPerMinute: 20,
  }),
});

/** PayLink payments, with a separate handler class. Subjects and tag are those of all PayLinks. */
export const paylinkPaymentsApi = feature('merchant', 'paylinks', 'PayLinks', {
  recordPayLinkPayment: operation('POST /api/paylinks/{id}/pay', {
    operationId: 'reportPayLinkPayment',
    summary: 'Submit the transaction that paid a PayLink',
    description:
      'The service verifies the transaction on the network: a transfer of the genuine token to the receiver, of at least the amount, made after the PayLink was created, with enough confirmations, and not counted before. A transaction that names the `reference` of another PayLink is rejected. While the receiver is unproven, a transaction that pays a PayLink of a merchant who has proven the receiver is rejected too. Submitting the same hash again returns the same result. On a network without a configured node the payment is stored as `unverifiable`, and counts only after the merchant confirms it. A PayLink holds at most 50 unmined and 100 unverifiable transactions (409). Without an API key, one address may submit 20 times a minute.',
    input: RecordPaymentRequest,
    output: RecordPaymentReply,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: 'public',
    // Limited, because each call may query a chain.
    callsPerMinute: 20,
  }),
  listPayLinkPayments: operation('GET /api/paylinks/{id}/payments', {
    summary: 'List the submitted payments of a PayLink, newest first',
    description:
      'At most 100 per page. While more exist, the header `Link` names the next page (`rel="next"`).',
    input: PayLinkPaymentsQuery,
    output: listOf(PayLinkPayment),
    errors: ['NOT_FOUND'],
    auth: merchantAuth('read'),
  }),
  confirmPayLinkPayment: operation('POST /api/paylinks/{id}/payments/{paymentId}/confirm', {
    summary: 'Confirm an unverifiable payment',
    description:
      'The payment counts from then on, in `payment_count`, the dashboard and the ledger, marked as confirmed by the merchant instead of the network. The call is idempotent. Returns 409 when the payment is not `unverifiable`, its transaction counts for another PayLink of the wallet or settles an order, the PayLink has all its payments, or another merchant has proven the receiver and has a PayLink that the transaction pays.',
    input: DecidePaymentRequest,
    output: PayLinkPayment,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
  rejectPayLinkPayment: operation('POST /api/paylinks/{id}/payments/{paymentId}/reject', {
    summary: 'Reject an unverifiable payment',
    description:
      'The payment never counts. The call is idempotent. Returns 409 for a payment that is not `unverifiable`.',
    input: DecidePaymentRequest,
    output: PayLinkPayment,
    errors: ['NOT_FOUND', 'CONFLICT'],
    auth: merchantAuth('write'),
  }),
});
