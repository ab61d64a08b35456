import {
  feature,
  Figure,
  Flag,
  Integer,
  listOf,
  ListOf,
  Nested,
  operation,
  Text,
  Timestamp,
} from '@tollbridge/rpc';
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

const productId = { description: 'The product', min: 1, example: 1001 };
const operatorId = { description: 'The operator', min: 1, example: 3001 };
const billerId = { description: 'The biller', min: 1, example: 5001 };
const transactionId = { description: "The provider's own id of the transaction", min: 1, example: 10_001 };

// The bus carries a megabyte: this many of the longest fit.
export const maxGiftItems = 300;
const page = { description: 'Which page of the list', default: 1, min: 1, max: 1_000, example: 1 };

export class GiftCardsQuery {
  @CountryCode({ description: 'In which country the cards are redeemed', default: 'US', example: 'US' })
  country?: string;
  @Integer(page)
  page?: number;
  @Limit(maxGiftItems, maxGiftItems)
  size?: number;
}

export class GiftCardProduct {
  @Integer(productId)
  productId: number;
  @Text({ description: 'What it is called', example: 'Booktown US' })
  productName: string;
  @CountryCode({ description: 'Where it is redeemed', example: 'US' })
  countryCode: string;
  @Text({ description: 'The country in English', example: 'United States' })
  countryName: string;
  @Text({ description: 'Whose card it is', example: 'Booktown' })
  brandName: string;
  @Text({ description: 'What kind of shop', nullable: true, example: 'Books' })
  categoryName: string | null;
  @Denomination()
  denominationType: DenominationType;
  @Currency('What `unitPrice` is counted in')
  recipientCurrencyCode: string;
  @NullableFigure('RANGE: the least `unitPrice`', 1)
  minRecipientDenomination: number | null;
  @NullableFigure('RANGE: the highest `unitPrice`', 500)
  maxRecipientDenomination: number | null;
  @Figures('FIXED: what `unitPrice` can be', [10, 25, 50])
  fixedRecipientDenominations: number[];
  @Currency('What a purchase is paid in')
  senderCurrencyCode: string;
  @NullableFigure('RANGE: the least in that currency', 1)
  minSenderDenomination: number | null;
  @NullableFigure('RANGE: the most in that currency', 500)
  maxSenderDenomination: number | null;
  @Figures('FIXED: the same amounts in that currency', [10, 25, 50])
  fixedSenderDenominations: number[];
  @Figure({ description: 'Added to the price of each card', example: 0.5 })
  senderFee: number;
  @Figure({ description: 'Per cent of the price that are added to it', example: 0 })
  senderFeePercentage: number;
  @Figure({ description: 'Per cent of the price that are taken off it', example: 3 })
  discountPercentage: number;
  @Addresses('Pictures')
  logoUrls: string[];
  @Text({
    description: 'How the card is redeemed',
    maxLength: 4_000,
    nullable: true,
    isMultiline: true,
    example: 'Enter the code at the checkout.',
  })
  redeemInstructions: string | null;
}

// Each card is a debit and a code; more of them are several orders.
export const maxCardsAtOnce = 50;

export class GiftCardOrderRequest {
  @Integer(productId)
  productId: number;
  @CountryCode({ description: 'The country of the product, as a check', optional: true, example: 'US' })
  countryCode?: string;
  @Integer({ description: 'How many cards', min: 1, max: maxCardsAtOnce, example: 1 })
  quantity: number;
  @FaceAmount({
    description: 'The value of each card, in `recipientCurrencyCode` of the product',
    example: 25,
  })
  unitPrice: number;
  @CustomIdentifier()
  customIdentifier?: string;
  @Text({ description: 'From whom the cards are, as who gets them is told', maxLength: 100, example: 'Ada' })
  senderName: string;
  @Text({
    description: 'To whom the provider sends the codes too',
    maxLength: 254,
    format: 'email',
    // One address, without a name, a comment or anything that could end a header.
    pattern: /^[A-Za-z0-9._%+'-]{1,64}@([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,24}$/,
    patternMessage: 'must be one e-mail address',
    optional: true,
    example: 'grace@example.com',
  })
  recipientEmail?: string;
}

export class OrderedProduct {
  @Integer(productId)
  productId: number;
  @Text({ description: 'What it is called', example: 'Booktown US' })
  productName: string;
  @CountryCode({ description: 'Where it is redeemed', example: 'US' })
  countryCode: string;
  @Integer({ description: 'How many cards', min: 1, example: 1 })
  quantity: number;
  @Figure({ description: 'The value of each', example: 25 })
  unitPrice: number;
  @Figure({ description: 'The value of all', example: 25 })
  totalPrice: number;
  @Currency('What the values are counted in')
  currencyCode: string;
}

export class GiftCardCode {
  @Text({
    description: 'Number of the card; null where it has a PIN only',
    maxLength: 512,
    nullable: true,
    example: '6120200345149064',
  })
  cardNumber: string | null;
  @Text({ description: 'Its PIN; null where it has none', maxLength: 512, nullable: true, example: '3784' })
  pinCode: string | null;
}

const cardsNote =
  'The codes, which are money; null while they are not there or could not be read: ask again with the same `customIdentifier`';

export class GiftCardOrder {
  @PurchaseId()
  id: string;
  @ReferenceOut()
  customIdentifier: string;
  @Integer(transactionId)
  transactionId: number;
  @Outcome()
  status: PurchaseOutcome;
  @Figure({ description: 'What it cost', example: 24.75 })
  amount: number;
  @Currency('What it was paid in')
  currencyCode: string;
  @Figure({ description: 'What was taken off the price', example: 0.75 })
  discount: number;
  @Figure({ description: 'What was added to it', example: 0.5 })
  fee: number;
  @Text({ description: 'To whom the codes were sent too', nullable: true, example: 'grace@example.com' })
  recipientEmail: string | null;
  @Nested(() => OrderedProduct, { description: 'What was bought' })
  product: OrderedProduct;
  @Timestamp({ description: 'When it was bought', example: '2026-11-22T12:00:07Z' })
  transactionCreatedTime: string;
  @ListOf(() => GiftCardCode, { description: cardsNote, maxItems: maxCardsAtOnce, nullable: true })
  cards: GiftCardCode[] | null;
}

const phoneText = {
  // What numbers can have, and the plus before the country.
  pattern: /^\+?[0-9]{4,18}$/,
  patternMessage: 'must be a phone number: digits only, with or without + and the country in front',
  maxLength: 19,
};

export class DetectQuery {
  @Text({ description: 'The phone number', example: '+2348031234567', ...phoneText })
  phone: string;
  @CountryCode({ description: 'Its country', example: 'NG' })
  country: string;
}

export class AirtimeOperator {
  @Integer(operatorId)
  operatorId: number;
  @Text({ description: 'What it is called', example: 'Savanna Nigeria' })
  name: string;
  @CountryCode({ description: 'Where it is', example: 'NG' })
  countryCode: string;
  @Text({ description: 'The number that was looked up, in international form', example: '+2348031234567' })
  phone: string;
  @Denomination()
  denominationType: DenominationType;
  @Currency('What a top-up is paid in')
  senderCurrencyCode: string;
  @Currency('What the phone is credited in', { example: 'NGN' })
  destinationCurrencyCode: string;
  @Flag({ description: 'Whether `useLocalAmount` can be true', example: true })
  supportsLocalAmounts: boolean;
  @NullableFigure('RANGE: the least `amount`', 1)
  minAmount: number | null;
  @NullableFigure('RANGE: the highest `amount`', 50)
  maxAmount: number | null;
  @NullableFigure('RANGE: the least with `useLocalAmount`', 1_500)
  localMinAmount: number | null;
  @NullableFigure('RANGE: the most with `useLocalAmount`', 75_000)
  localMaxAmount: number | null;
  @Figures('FIXED: what `amount` can be', [])
  fixedAmounts: number[];
  @Figures('FIXED: what it can be with `useLocalAmount`', [])
  localFixedAmounts: number[];
  @Figures('What others often take', [5, 10, 15])
  suggestedAmounts: number[];
  @NullableFigure('What is taken most often', 10)
  mostPopularAmount: number | null;
  @NullableFigure('What one unit of the sender is in the destination currency', 1_500)
  fxRate: number | null;
  @Addresses('Pictures')
  logoUrls: string[];
}

export class RecipientPhone {
  @CountryCode({ description: 'The country of the number', example: 'NG' })
  countryCode: string;
  @Text({ description: 'The number', example: '+2348031234567', ...phoneText })
  number: string;
}

const useLocalAmount = {
  description:
    '`true`: the amount is in the currency where it arrives; otherwise in that of the service balance',
  default: false,
  example: false,
};

export class TopUpRequest {
  @Integer(operatorId)
  operatorId: number;
  @FaceAmount({ description: 'How much', example: 10 })
  amount: number;
  @Flag(useLocalAmount)
  useLocalAmount?: boolean;
  @CustomIdentifier()
  customIdentifier?: string;
  @Nested(() => RecipientPhone, { description: 'Whose phone' })
  recipientPhone: RecipientPhone;
}

export class PinDetail {
  @Text({ description: 'What is typed into the phone or the meter', maxLength: 512, example: '1234567890' })
  code: string;
  @Text({ description: 'Its serial number', maxLength: 512, nullable: true, example: '558111' })
  serial: string | null;
  @Text({ description: 'What else is told', maxLength: 4_000, nullable: true, example: 'Dial *126*PIN#' })
  info: string | null;
}

const pinNote =
  'Where the delivery is a code: that code, which is money; null otherwise, while it is not there, or when it could not be read: ask again with the same `customIdentifier`';

export class TopUp {
  @PurchaseId()
  id: string;
  @ReferenceOut()
  customIdentifier: string;
  @Integer(transactionId)
  transactionId: number;
  @Outcome()
  status: PurchaseOutcome;
  @Text({ description: "The operator's own id", nullable: true, example: '7297929551' })
  operatorTransactionId: string | null;
  @Integer(operatorId)
  operatorId: number;
  @Text({ description: 'Its name', example: 'Savanna Nigeria' })
  operatorName: string;
  @CountryCode({ description: 'Where it is', example: 'NG' })
  countryCode: string;
  @Text({ description: 'Whose phone, in international form', example: '+2348031234567' })
  recipientPhone: string;
  @Figure({ description: 'What was paid', example: 10 })
  requestedAmount: number;
  @Currency('What it was paid in')
  requestedAmountCurrencyCode: string;
  @NullableFigure('What arrived', 15_000)
  deliveredAmount: number | null;
  @Currency('What that is counted in', { nullable: true, example: 'NGN' })
  deliveredAmountCurrencyCode: string | null;
  @Figure({ description: 'What was taken off the price', example: 0.2 })
  discount: number;
  @Figure({ description: 'What was added to it', example: 0 })
  fee: number;
  @Timestamp({ description: 'When it was made', example: '2026-11-22T12:00:07Z' })
  transactionDate: string;
  @Nested(() => PinDetail, { description: pinNote, nullable: true })
  pinDetail: PinDetail | null;
}

export class BillersQuery {
  @CountryCode({ description: 'Only those of this country', optional: true, example: 'SN' })
  country?: string;
  @Text({
    description:
      'Only billers of this type, such as `ELECTRICITY_BILL_PAYMENT`, `WATER_BILL_PAYMENT`, `TV_BILL_PAYMENT` or `INTERNET_BILL_PAYMENT`; a type that no biller has gives an empty list',
    optional: true,
    maxLength: 64,
    example: 'ELECTRICITY_BILL_PAYMENT',
  })
  type?: string;
  @Integer(page)
  page?: number;
  @Limit(maxGiftItems, maxGiftItems)
  size?: number;
}

export class Biller {
  @Integer(billerId)
  id: number;
  @Text({ description: 'What it is called', example: 'Teranga Power' })
  name: string;
  @CountryCode({ description: 'Where it is', example: 'SN' })
  countryCode: string;
  @Text({ description: 'What it bills', example: 'ELECTRICITY_BILL_PAYMENT' })
  type: string;
  @Text({ description: '`PREPAID` or `POSTPAID`', example: 'PREPAID' })
  serviceType: string;
  @Denomination()
  denominationType: DenominationType;
  @Flag({ description: 'Whether an invoice has to be named; such bills cannot be paid here', example: false })
  requiresInvoice: boolean;
  @Flag({ description: 'Whether `useLocalAmount` can be true', example: true })
  localAmountSupported: boolean;
  @Currency('What bills are counted in', { nullable: true, example: 'XOF' })
  localTransactionCurrencyCode: string | null;
  @NullableFigure('The least with `useLocalAmount`', 1_000)
  minLocalTransactionAmount: number | null;
  @NullableFigure('The most with `useLocalAmount`', 500_000)
  maxLocalTransactionAmount: number | null;
  @NullableFigure('What is added to it, in the same currency', 0)
  localTransactionFee: number | null;
  @NullableFigure('Per cent of it that are added', 1)
  localTransactionFeePercentage: number | null;
  @Figures('FIXED: what it can be', [])
  localFixedAmounts: number[];
  @Flag({ description: 'Whether `useLocalAmount` can be false', example: true })
  internationalAmountSupported: boolean;
  @Currency('What such an amount is counted in', { nullable: true })
  internationalTransactionCurrencyCode: string | null;
  @NullableFigure('The least without `useLocalAmount`', 2)
  minInternationalTransactionAmount: number | null;
  @NullableFigure('The most without `useLocalAmount`', 800)
  maxInternationalTransactionAmount: number | null;
  @NullableFigure('What is added to it, in the same currency', 0)
  internationalTransactionFee: number | null;
  @NullableFigure('Per cent of it that are added', 1)
  internationalTransactionFeePercentage: number | null;
  @NullableFigure('What one unit of the international currency is in the local one', 600)
  fxRate: number | null;
}

export class PayBillRequest {
  static readonly example = {
    subscriberAccountNumber: '04223568280',
    amount: 5_000,
    billerId: 5_001,
    useLocalAmount: true,
  };
  @Text({
    description: 'Number of the meter, the smart card or the customer',
    maxLength: 50,
    pattern: /^[A-Za-z0-9][A-Za-z0-9 ./-]*$/,
    patternMessage: 'must be an account number: letters and digits, with spaces, points, slashes or hyphens',
    example: '04223568280',
  })
  subscriberAccountNumber: string;
  @FaceAmount({ description: 'How much', example: 5_000 })
  amount: number;
  @Integer(billerId)
  billerId: number;
  @Flag(useLocalAmount)
  useLocalAmount?: boolean;
  @CustomIdentifier()
  customIdentifier?: string;
}

export class BillPayment {
  @PurchaseId()
  id: string;
  @ReferenceOut()
  customIdentifier: string;
  @Integer(transactionId)
  transactionId: number;
  @Outcome()
  status: PurchaseOutcome;
  @Integer(billerId)
  billerId: number;
  @Text({ description: 'Number of the meter, the smart card or the customer', example: '04223568280' })
  subscriberAccountNumber: string;
  @Figure({ description: 'What was asked for', example: 5_000 })
  amount: number;
  @Currency('What it is counted in', { nullable: true, example: 'XOF' })
  amountCurrencyCode: string | null;
  @NullableFigure('What was added to it; null until it is known', 50)
  fee: number | null;
  @Timestamp({ description: 'When the provider took it', example: '2026-11-22T12:00:07Z' })
  submittedAt: string;
  @Nested(() => PinDetail, { description: pinNote, nullable: true })
  pinDetails: PinDetail | null;
}

export class ServiceBalanceQuery {}

export class ServiceBalance {
  @Figure({ description: 'What is left', example: 1_204.51 })
  balance: number;
  @Currency('What it is counted in')
  currencyCode: string;
  @Text({ description: 'The currency in English', example: 'US Dollar' })
  currencyName: string;
  @Timestamp({ description: 'When it last changed', example: '2026-11-22T12:00:07Z' })
  updatedAt: string;
}

const read = { key: 'secret', permission: 'read' } as const;
const write = { key: 'secret', permission: 'write' } as const;
// Above what the provider is given for an answer, so that its time-out is told and not ours.
const [readTimeoutMs, purchaseTimeoutMs] = [35_000, 100_000];
const purchaseErrors = [
  ...(['PURCHASE_REFUSED', 'CONFLICT', 'BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED'] as const),
  'UPSTREAM_UNAVAILABLE',
] as const;

const bought =
  'One is bought for each `customIdentifier`, or else for each `Idempotency-Key`, however often and by however many it is asked for at once; a repetition answers how far it is. `504 OUTCOME_UNKNOWN`: it is being found out whether it was bought; ask again with the same reference. What was asked for is checked first (400), and what is not delivered is `422 PURCHASE_REFUSED` with a `reason`.';

const usedSize = `At most ${maxGiftItems} items a page: a larger \`size\` is read as ${maxGiftItems}. The header \`x-limit\` says which size was used.`;

/** Gift cards, airtime, and bills of utilities. */
export const giftApi = feature('service-api', 'gift', 'Gift cards, airtime, bills', {
  listGiftCards: operation({
    method: 'GET',
    path: '/gift/giftcards/products',
    summary: 'The gift cards of a country',
    description: usedSize,
    input: GiftCardsQuery,
    output: listOf(GiftCardProduct),
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
  orderGiftCard: operation({
    method: 'POST',
    path: '/gift/giftcards/order',
    summary: 'Buy gift cards',
    description: `${bought} The codes are read from the provider for the reply, and kept nowhere.`,
    input: GiftCardOrderRequest,
    output: GiftCardOrder,
    errors: purchaseErrors,
    auth: write,
    timeoutMs: purchaseTimeoutMs,
    keepsSecret: true,
  }),
  detectOperator: operation({
    operationId: 'detectMobileOperator',
    method: 'GET',
    path: '/gift/airtime/detect',
    summary: 'Whose number it is, and what can be topped up',
    input: DetectQuery,
    output: AirtimeOperator,
    errors: ['NOT_FOUND', 'UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
  topUpPhone: operation({
    method: 'POST',
    path: '/gift/airtime/topup',
    summary: 'Top up a phone',
    description: bought,
    input: TopUpRequest,
    output: TopUp,
    errors: purchaseErrors,
    auth: write,
    timeoutMs: purchaseTimeoutMs,
    keepsSecret: true,
  }),
  listBillers: operation({
    method: 'GET',
    path: '/gift/utilities/billers',
    summary: 'Whose bills can be paid',
    description: usedSize,
    input: BillersQuery,
    output: listOf(Biller),
    errors: ['UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
  payBill: operation({
    method: 'POST',
    path: '/gift/utilities/pay',
    summary: 'Pay a bill, or charge a meter',
    description: `${bought} Bills take up to a day; most are paid in seconds.`,
    input: PayBillRequest,
    output: BillPayment,
    errors: purchaseErrors,
    auth: write,
    timeoutMs: purchaseTimeoutMs,
    keepsSecret: true,
  }),
  getServiceBalance: operation({
    method: 'GET',
    path: '/gift/balance',
    summary: 'What is left to buy gift cards, airtime and bills with',
    input: ServiceBalanceQuery,
    output: ServiceBalance,
    errors: ['UPSTREAM_UNAVAILABLE'],
    auth: read,
    timeoutMs: readTimeoutMs,
  }),
});
