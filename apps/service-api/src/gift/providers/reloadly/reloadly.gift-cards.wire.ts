// Reads and writes gift cards in the provider's protocol. Pure functions.
import { readFields } from '@tollbridge/http';
import type { DenominationType, GiftCardCode, ServiceBalance } from '@tollbridge/contracts';
import type { Progress } from '../../../purchases/purchase';
import { valueUsd } from '../../amounts';
import { Decimal, decimalNumber } from '@tollbridge/money';
import type { GiftCardResult, GiftCardTerms, Product } from '../../gift-cards/gift-card-provider';
import {
  decimalOf,
  decimalOr,
  decimalsOf,
  flagOf,
  integerOf,
  optionalDecimal,
  optionalFields,
  optionalText,
  secretOf,
  statusOf,
  textOf,
  textsOf,
  timeOf,
} from './reloadly.fields';

const longestInstructions = 500;

export function readProduct(value: unknown): Product {
  const fields = readFields(value, 'product');
  const { text, decimal } = readersOf(fields);
  const country = readFields(fields['country'], 'country');
  const brand = optionalFields(fields['brand'], 'brand');
  const productName = text('productName');
  const isFixed = text('denominationType') === 'FIXED';
  const fixed = decimalsOf(fields['fixedRecipientDenominations'], 'fixedRecipientDenominations');
  const fixedPrices = decimalsOf(fields['fixedSenderDenominations'], 'fixedSenderDenominations');
  const [min, max] = [decimal('minRecipientDenomination'), decimal('maxRecipientDenomination')];
  const fee = decimalOr(fields['senderFee'], 'senderFee', Decimal.zero);
  const feePercentage = decimalOr(fields['senderFeePercentage'], 'senderFeePercentage', Decimal.zero);
  const discount = decimalOr(fields['discountPercentage'], 'discountPercentage', Decimal.zero);
  // One published schema uses this spelling.
  const most = max ?? optionalDecimal(fields['maxrecipientDenomination'], 'maxRecipientDenomination');
  const denominationType: DenominationType = isFixed ? 'FIXED' : 'RANGE';
  return {
    shown: {
      productId: integerOf(fields['productId'], 'productId'),
      productName,
      countryCode: textOf(country['isoName'], 'country'),
      countryName: textOf(country['name'], 'country'),
      brandName: optionalText(brand['brandName']) ?? productName,
      categoryName: optionalText(optionalFields(fields['category'], 'category')['name']),
      denominationType,
      recipientCurrencyCode: text('recipientCurrencyCode'),
      minRecipientDenomination: min?.number ?? null,
      maxRecipientDenomination: most?.number ?? null,
      fixedRecipientDenominations: fixed.map(({ number }) => number),
      senderCurrencyCode: text('senderCurrencyCode'),
      minSenderDenomination: decimal('minSenderDenomination')?.number ?? null,
      maxSenderDenomination: decimal('maxSenderDenomination')?.number ?? null,
      fixedSenderDenominations: fixedPrices.map(({ number }) => number),
      senderFee: fee.number,
      senderFeePercentage: feePercentage.number,
      discountPercentage: discount.number,
      logoUrls: textsOf(fields['logoUrls']),
      redeemInstructions: optionalText(
        optionalFields(fields['redeemInstruction'], 'redeemInstruction')['concise'],
        longestInstructions,
      ),
    },
    choice: isFixed ? { fixed, min: null, max: null } : { fixed: [], min, max: most },
    rate: decimal('recipientCurrencyToSenderCurrencyExchangeRate'),
    fixedPrices,
    fee,
    feePercentage,
    needsMore: flagOf(optionalFields(fields['additionalRequirements'], 'requirements')['userIdRequired']),
    isActive: (optionalText(fields['status']) ?? 'ACTIVE') === 'ACTIVE',
  };
}

function readersOf(fields: Readonly<Record<string, unknown>>) {
  return {
    text: (name: string): string => textOf(fields[name], name),
    decimal: (name: string): Decimal | null => optionalDecimal(fields[name], name),
  };
}

export function toOrderBody(terms: GiftCardTerms, reference: string): object {
  const { productId, quantity, unitPrice, senderName, recipientEmail } = terms;
  return {
    productId,
    quantity,
    unitPrice: decimalNumber(unitPrice),
    senderName,
    customIdentifier: reference,
    ...(recipientEmail !== null && { recipientEmail }),
  };
}

export function readBalance(reply: unknown): ServiceBalance {
  const { balance, currencyCode, currencyName, updatedAt } = readFields(reply, 'balance');
  return {
    balance: decimalOf(balance, 'balance').number,
    currencyCode: textOf(currencyCode, 'currencyCode', 3),
    currencyName: textOf(currencyName, 'currencyName'),
    updatedAt: timeOf(updatedAt, 'updatedAt'),
  };
}

export function readCode(value: unknown): GiftCardCode {
  const { cardNumber, pinCode } = readFields(value, 'card');
  return { cardNumber: secretOf(cardNumber, 'cardNumber'), pinCode: secretOf(pinCode, 'pinCode') };
}

export function readOrder(value: unknown): Progress<GiftCardResult> {
  const fields = readFields(value, 'order');
  const product = readFields(fields['product'], 'product');
  const number = (given: unknown, name: string): number => decimalOf(given, name).number;
  const amount = decimalOf(fields['amount'], 'amount');
  const currencyCode = textOf(fields['currencyCode'], 'currencyCode');
  const result: GiftCardResult = {
    transactionId: integerOf(fields['transactionId'], 'transactionId'),
    amount: amount.number,
    currencyCode,
    discount: decimalOr(fields['discount'], 'discount', Decimal.zero).number,
    fee: decimalOr(fields['totalFee'] ?? fields['fee'], 'fee', Decimal.zero).number,
    recipientEmail: optionalText(fields['recipientEmail']),
    product: {
      productId: integerOf(product['productId'], 'productId'),
      productName: textOf(product['productName'], 'productName'),
      countryCode: textOf(product['countryCode'], 'countryCode'),
      quantity: integerOf(product['quantity'], 'quantity'),
      unitPrice: number(product['unitPrice'], 'unitPrice'),
      totalPrice: number(product['totalPrice'], 'totalPrice'),
      currencyCode: textOf(product['currencyCode'], 'currencyCode'),
    },
    transactionCreatedTime: timeOf(fields['transactionCreatedTime'], 'transactionCreatedTime'),
  };
  const cost = valueUsd(amount, currencyCode);
  return {
    status: statusOf(fields['status']),
    providerId: String(result.transactionId),
    result,
    ...(cost !== null && { valueUsd: cost }),
  };
}
