import { feature, listOf, operation } from '@tollbridge/rpc';
import { Figure, Flag, Integer, ListOf, Nested, Secret, Text, Timestamp } from '../decorators';
import { Limit } from '../list-fields';
import {
  Addresses,
  CountryCode,
  Currency,
  CustomIdentifier,
  Denomination,
  FaceAmount,
  Figures,
  NullableFigure,
  Outcome,
  PurchaseId,
  ReferenceOut,
  type DenominationType,
  type PurchaseOutcome,
} from './gift.fields';
import { PhoneNumber } from './phone.fields';

const ProductId = () => Integer('Id of the product', { min: 1, example: 1001 });
const OperatorId = () => Integer('Id of the operator', { min: 1, example: 3001 });
const BillerId = () => Integer('Id of the biller', { min: 1, example: 5001 });
const TransactionId = () => Integer('Id of the transaction at the provider', { min: 1, example: 10_001 });

// A bus message has at most one megabyte, so this number of the largest items fits.
export const maxGiftItems = 300;
const Page = () => Integer('Page number', { default: 1, min: 1, max: 1_000, example: 1 });

export class GiftCardsQuery {
  @CountryCode('Country where the cards can be redeemed', { default: 'US', example: 'US' }) country?: string;
  @Page() page?: number;
  @Limit(maxGiftItems, maxGiftItems) size?: number;
}

export class GiftCardProduct {
  @ProductId() productId: number;
  @Text('Product name', { example: 'Booktown US' }) productName: string;
  @CountryCode('Country of redemption', { example: 'US' }) countryCode: string;
  @Text('Country name in English', { example: 'United States' }) countryName: string;
  @Text('Brand', { example: 'Booktown' }) brandName: string;
  @Text('Category of the shop', { nullable: true, example: 'Books' }) categoryName: string | null;
  @Denomination() denominationType: DenominationType;
  @Currency('Currency of `unitPrice`') recipientCurrencyCode: string;
  @NullableFigure('RANGE: smallest `unitPrice`', 1) minRecipientDenomination: number | null;
  @NullableFigure('RANGE: largest `unitPrice`', 500) maxRecipientDenomination: number | null;
  @Figures('FIXED: possible values of `unitPrice`', [10, 25, 50]) fixedRecipientDenominations: number[];
  @Currency('Currency that a purchase is paid in') senderCurrencyCode: string;
  @NullableFigure('RANGE: smallest price in that currency', 1) minSenderDenomination: number | null;
  @NullableFigure('RANGE: largest price in that currency', 500) maxSenderDenomination: number | null;
  @Figures('FIXED: the same values in that currency', [10, 25, 50]) fixedSenderDenominations: number[];
  @Figure('Fee for each card', { example: 0.5 }) senderFee: number;
  @Figure('Fee in percent of the price', { example: 0 }) senderFeePercentage: number;
  @Figure('Discount in percent of the price', { example: 3 }) discountPercentage: number;
  @Addresses('Images') logoUrls: string[];
  @Text('How the recipient redeems the card', {
    maxLength: 4_000,
    nullable: true,
    isMultiline: true,
    example: 'Enter the code at the checkout.',
  })
  redeemInstructions: string | null;
}

// Each card needs a debit and a code. Larger orders need several calls.
export const maxCardsAtOnce = 50;

export class GiftCardOrderRequest {
  @ProductId() productId: number;
  @CountryCode('Country of the product, verified against it', { optional: true, example: 'US' })
  countryCode?: string;
  @Integer('Number of cards', { min: 1, max: maxCardsAtOnce, example: 1 }) quantity: number;
  @FaceAmount("Value of each card, in the product's `recipientCurrencyCode`", { example: 25 })
  unitPrice: number;
  @CustomIdentifier() customIdentifier?: string;
  @Text('Sender name that the recipient sees', { maxLength: 100, example: 'Ada' }) senderName: string;
  @Text('The provider also sends the codes to this address', {
    maxLength: 254,
    format: 'email',
    // One address without name, comment or a character that could end a header.
    pattern: /^[A-Za-z0-9._%+'-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/,
    patternMessage: 'must be one email address',
    optional: true,
    example: 'grace@example.com',
  })
  recipientEmail?: string;
}

export class OrderedProduct {
  @ProductId() productId: number;
  @Text('Product name', { example: 'Booktown US' }) productName: string;
  @CountryCode('Country of redemption', { example: 'US' }) countryCode: string;
  @Integer('Number of cards', { min: 1, example: 1 }) quantity: number;
  @Figure('Value of each card', { example: 25 }) unitPrice: number;
  @Figure('Value of all cards', { example: 25 }) totalPrice: number;
  @Currency('Currency of the values') currencyCode: string;
}

export class GiftCardCode {
  @Secret('Card number; null when the card has only a PIN', {
    maxLength: 512,
    nullable: true,
    example: '6120200345149064',
  })
  cardNumber: string | null;
  @Secret('PIN of the card; null without one', { maxLength: 512, nullable: true, example: '3784' })
  pinCode: string | null;
}

const cardsNote =
  'The redeem codes. They are money. Null while not available or not readable: repeat the call with the same `customIdentifier`';

export class GiftCardOrder {
  @PurchaseId() id: string;
  @ReferenceOut() customIdentifier: string;
  @TransactionId() transactionId: number;
  @Outcome() status: PurchaseOutcome;
  @Figure('Total price', { example: 24.75 }) amount: number;
  @Currency('Currency of the price') currencyCode: string;
  @Figure('Discount', { example: 0.75 }) discount: number;
  @Figure('Fee', { example: 0.5 }) fee: number;
  @Text('Address that also received the codes', { nullable: true, example: 'grace@example.com' })
  recipientEmail: string | null;
  @Nested(() => OrderedProduct, 'The purchased product') product: OrderedProduct;
  @Timestamp('Purchase time', { example: '2026-11-22T12:00:07Z' }) transactionCreatedTime: string;
  @ListOf(() => GiftCardCode, cardsNote, { maxItems: maxCardsAtOnce, nullable: true })
  cards: GiftCardCode[] | null;
}

const phoneText = {
  // A phone number, with an optional + before the country code.
  pattern: /^\+?[0-9]{4,18}$/,
  patternMessage: 'must be a phone number: digits only, with or without + and the country code in front',
  maxLength: 19,
};

export class DetectQuery {
  @PhoneNumber('The phone number', { example: '+2348031234567', ...phoneText }) phone: string;
  @CountryCode('Country of the phone number', { example: 'NG' }) country: string;
}

export class AirtimeOperator {
  @OperatorId() operatorId: number;
  @Text('Operator name', { example: 'Savanna Nigeria' }) name: string;
  @CountryCode('Country of the operator', { example: 'NG' }) countryCode: string;
  @Text('The phone number, in international form', { example: '+2348031234567' }) phone: string;
  @Denomination() denominationType: DenominationType;
  @Currency('Currency that a top-up is paid in') senderCurrencyCode: string;
  @Currency('Currency that the phone is credited in', { example: 'NGN' }) destinationCurrencyCode: string;
  @Flag('Whether `useLocalAmount` can be true') supportsLocalAmounts: boolean;
  @NullableFigure('RANGE: smallest `amount`', 1) minAmount: number | null;
  @NullableFigure('RANGE: largest `amount`', 50) maxAmount: number | null;
  @NullableFigure('RANGE: smallest amount with `useLocalAmount`', 1_500) localMinAmount: number | null;
  @NullableFigure('RANGE: largest amount with `useLocalAmount`', 75_000) localMaxAmount: number | null;
  @Figures('FIXED: possible values of `amount`', []) fixedAmounts: number[];
  @Figures('FIXED: possible values with `useLocalAmount`', []) localFixedAmounts: number[];
  @Figures('Popular amounts', [5, 10, 15]) suggestedAmounts: number[];
  @NullableFigure('Most popular amount', 10) mostPopularAmount: number | null;
  @NullableFigure('Exchange rate: destination currency for one unit of the sender currency', 1_500)
  fxRate: number | null;
  @Addresses('Images') logoUrls: string[];
}

export class RecipientPhone {
  @CountryCode('Country of the phone number', { example: 'NG' }) countryCode: string;
  @PhoneNumber('Phone number', { example: '+2348031234567', ...phoneText }) number: string;
}

const UseLocalAmount = () =>
  Flag(
    '`true`: the amount is in the destination currency; otherwise in the currency of the service balance',
    { default: false, example: false },
  );

export class TopUpRequest {
  @OperatorId() operatorId: number;
  @FaceAmount('Amount', { example: 10 }) amount: number;
  @UseLocalAmount() useLocalAmount?: boolean;
  @CustomIdentifier() customIdentifier?: string;
  @Nested(() => RecipientPhone, 'Phone number to top up') recipientPhone: RecipientPhone;
}

export class PinDetail {
  @Secret('Code to enter on the phone or meter', { maxLength: 512, example: '1234567890' }) code: string;
  @Text('Serial number of the code', { maxLength: 512, nullable: true, example: '558111' })
  serial: string | null;
  @Secret('Further instructions', { maxLength: 4_000, nullable: true, example: 'Dial *126*PIN#' })
  info: string | null;
}

const pinNote =
  'Redeem code, for top-ups that deliver one. It is money. Null otherwise, while not available, or not readable: repeat the call with the same `customIdentifier`';

export class TopUp {
  @PurchaseId() id: string;
  @ReferenceOut() customIdentifier: string;
  @TransactionId() transactionId: number;
  @Outcome() status: PurchaseOutcome;
  @Text('Id of the transaction at the operator', { nullable: true, example: '7297929551' })
  operatorTransactionId: string | null;
  @OperatorId() operatorId: number;
  @Text('Operator name', { example: 'Savanna Nigeria' }) operatorName: string;
  @CountryCode('Country of the operator', { example: 'NG' }) countryCode: string;
  @Text('Phone number, in international form', { example: '+2348031234567' }) recipientPhone: string;
  @Figure('Paid amount', { example: 10 }) requestedAmount: number;
  @Currency('Currency of the paid amount') requestedAmountCurrencyCode: string;
  @NullableFigure('Delivered amount', 15_000) deliveredAmount: number | null;
  @Currency('Currency of the delivered amount', { nullable: true, example: 'NGN' })
  deliveredAmountCurrencyCode: string | null;
  @Figure('Discount', { example: 0.2 }) discount: number;
  @Figure('Fee', { example: 0 }) fee: number;
  @Timestamp('Time of the top-up', { example: '2026-11-22T12:00:07Z' }) transactionDate: string;
  @Nested(() => PinDetail, pinNote, { nullable: true }) pinDetail: PinDetail | null;
}

export class BillersQuery {
  @CountryCode('Only billers of this country', { optional: true, example: 'SN' }) country?: string;
  @Text(
    'Only billers of this type, such as `ELECTRICITY_BILL_PAYMENT`, `WATER_BILL_PAYMENT`, `TV_BILL_PAYMENT` or `INTERNET_BILL_PAYMENT`; an unused type returns an empty list',
    { optional: true, maxLength: 64, example: 'ELECTRICITY_BILL_PAYMENT' },
  )
  type?: string;
  @Page() page?: number;
  @Limit(maxGiftItems, maxGiftItems) size?: number;
}

export class Biller {
  @BillerId() id: number;
  @Text('Biller name', { example: 'Teranga Power' }) name: string;
  @CountryCode('Country of the biller', { example: 'SN' }) countryCode: string;
  @Text('Type of the biller', { example: 'ELECTRICITY_BILL_PAYMENT' }) type: string;
  @Text('`PREPAID` or `POSTPAID`', { example: 'PREPAID' }) serviceType: string;
  @Denomination() denominationType: DenominationType;
  @Flag('Whether a bill needs an invoice number; such bills cannot be paid here', { example: false })
  requiresInvoice: boolean;
  @Flag('Whether `useLocalAmount` can be true') localAmountSupported: boolean;
  @Currency('Currency of the bills', { nullable: true, example: 'XOF' })
  localTransactionCurrencyCode: string | null;
  @NullableFigure('Smallest amount with `useLocalAmount`', 1_000) minLocalTransactionAmount: number | null;
  @NullableFigure('Largest amount with `useLocalAmount`', 500_000) maxLocalTransactionAmount: number | null;
  @NullableFigure('Fee in the same currency', 0) localTransactionFee: number | null;
  @NullableFigure('Fee in percent of the amount', 1) localTransactionFeePercentage: number | null;
  @Figures('FIXED: possible amounts', []) localFixedAmounts: number[];
  @Flag('Whether `useLocalAmount` can be false') internationalAmountSupported: boolean;
  @Currency('Currency of an amount without `useLocalAmount`', { nullable: true })
  internationalTransactionCurrencyCode: string | null;
  @NullableFigure('Smallest amount without `useLocalAmount`', 2)
  minInternationalTransactionAmount: number | null;
  @NullableFigure('Largest amount without `useLocalAmount`', 800)
  maxInternationalTransactionAmount: number | null;
  @NullableFigure('Fee in the same currency', 0) internationalTransactionFee: number | null;
  @NullableFigure('Fee in percent of the amount', 1) internationalTransactionFeePercentage: number | null;
  @NullableFigure('Exchange rate: local currency for one unit of the international currency', 600)
  fxRate: number | null;
}

export class PayBillRequest {
  static readonly example = {
    subscriberAccountNumber: '04223568280',
    amount: 5_000,
    billerId: 5_001,
    useLocalAmount: true,
  };
  @Text('Number of the meter, smart card or customer account', {
    maxLength: 50,
    pattern: /^[A-Za-z0-9][A-Za-z0-9 ./-]*$/,
    patternMessage: 'must be an account number: letters and digits, with spaces, points, slashes or hyphens',
    example: '04223568280',
  })
  subscriberAccountNumber: string;
  @FaceAmount('Amount', { example: 5_000 }) amount: number;
  @BillerId() billerId: number;
  @UseLocalAmount() useLocalAmount?: boolean;
  @CustomIdentifier() customIdentifier?: string;
}

export class BillPayment {
  @PurchaseId() id: string;
  @ReferenceOut() customIdentifier: string;
  @TransactionId() transactionId: number;
  @Outcome() status: PurchaseOutcome;
  @BillerId() billerId: number;
  @Text('Number of the meter, smart card or customer account', { example: '04223568280' })
  subscriberAccountNumber: string;
  @Figure('Requested amount', { example: 5_000 }) amount: number;
  @Currency('Currency of the amount', { nullable: true, example: 'XOF' }) amountCurrencyCode: string | null;
  @NullableFigure('Fee; null until known', 50) fee: number | null;
  @Timestamp('Time when the provider accepted the payment', { example: '2026-11-22T12:00:07Z' })
  submittedAt: string;
  @Nested(() => PinDetail, pinNote, { nullable: true }) pinDetails: PinDetail | null;
}

export class ServiceBalanceQuery {}

export class ServiceBalance {
  @Figure('Remaining balance', { example: 1_204.51 }) balance: number;
  @Currency('Currency of the balance') currencyCode: string;
  @Text('Currency name in English', { example: 'US Dollar' }) currencyName: string;
  @Timestamp('Time of the last change', { example: '2026-11-22T12:00:07Z' }) updatedAt: string;
}

const read = { key: 'secret', permission: 'read' } as const;
const write = { key: 'secret', permission: 'write' } as const;
// Longer than the provider's time-out, so that the reply reports this time-out instead of the bus's.
const [readTimeoutMs, purchaseTimeoutMs] = [35_000, 100_000];
const purchaseErrors = [
  'PURCHASE_REFUSED',
  'CONFLICT',
  'BUDGET_EXCEEDED',
  'MAX_PER_TX_EXCEEDED',
  'UPSTREAM_UNAVAILABLE',
] as const;

const bought =
  'One purchase is made for each `customIdentifier`, or else for each `Idempotency-Key`, even with concurrent calls; a repeated call returns the current state. `504 OUTCOME_UNKNOWN`: the service is finding out whether the purchase was made; repeat the call with the same reference. The request is validated first (400), and a purchase that is not delivered returns `422 PURCHASE_REFUSED` with a `reason`.';

const usedSize = `At most ${maxGiftItems} items per page: a larger \`size\` means ${maxGiftItems}. The header \`x-limit\` contains the applied size.`;

/** Gift cards, airtime and utility bills. */
export const giftApi = feature('service-api', 'gift', 'Gift cards, airtime, bills', {
  listGiftCards: operation('GET /gift/giftcards/products', {
    summary: 'List the gift cards of a country',
    description: usedSize,
    input: GiftCardsQuery,
    output: listOf(GiftCardProduct),
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
  orderGiftCard: operation('POST /gift/giftcards/order', {
    summary: 'Buy gift cards',
    description: `${bought} The codes are read from the provider for the reply, and stored nowhere.`,
    input: GiftCardOrderRequest,
    output: GiftCardOrder,
    errors: purchaseErrors,
    auth: write,
    timeoutMs: purchaseTimeoutMs,
    sale: 'buys',
  }),
  detectOperator: operation('GET /gift/airtime/detect', {
    operationId: 'detectMobileOperator',
    summary: 'Look up the operator of a phone number, and its top-up amounts',
    input: DetectQuery,
    output: AirtimeOperator,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
  topUpPhone: operation('POST /gift/airtime/topup', {
    summary: 'Top up a phone',
    description: bought,
    input: TopUpRequest,
    output: TopUp,
    errors: purchaseErrors,
    auth: write,
    timeoutMs: purchaseTimeoutMs,
    sale: 'buys',
  }),
  listBillers: operation('GET /gift/utilities/billers', {
    summary: 'List the supported billers',
    description: usedSize,
    input: BillersQuery,
    output: listOf(Biller),
    errors: ['UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
  payBill: operation('POST /gift/utilities/pay', {
    summary: 'Pay a bill, or top up a meter',
    description: `${bought} A bill can take up to a day; most are paid within seconds.`,
    input: PayBillRequest,
    output: BillPayment,
    errors: purchaseErrors,
    auth: write,
    timeoutMs: purchaseTimeoutMs,
    sale: 'buys',
  }),
  getServiceBalance: operation('GET /gift/balance', {
    summary: 'Read the remaining balance for gift cards, airtime and bills',
    input: ServiceBalanceQuery,
    output: ServiceBalance,
    errors: ['UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
});
