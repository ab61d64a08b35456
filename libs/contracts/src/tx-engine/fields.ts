import { type FieldOptions, type Undescribed } from '@tollbridge/rpc';
import { Amount, Decimal, Integer, Text } from '../decorators';
import { payerExample } from '../pay-orders/fields';

export const quoteIdExample = '0199aa10-2f4e-7c1b-8d37-5b1f0c9e7a21';
export const transactionIdExample = '0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18';
export const userExample = payerExample;

type Options = Undescribed<FieldOptions>;

export const QuoteId = (description = 'Id of the quote', options: Options = {}) =>
  Text(description, { format: 'uuid', example: quoteIdExample, maxLength: 64, ...options });

export const TransactionId = (description = 'Id of the transaction set', options: Options = {}) =>
  Text(description, { format: 'uuid', example: transactionIdExample, ...options });

export const EvmAddress = (description = 'Address', options: Options = {}) =>
  Text(description, { example: userExample, maxLength: 64, ...options });

export const UnixSeconds = (description = 'Unix seconds', options: Options = {}) =>
  Integer(description, { example: 1_795_176_000, min: 0, ...options });

export const Gas = (description = 'Gas units', options: Options = {}) =>
  Amount(description, { allowZero: true, example: '143000', ...options });

export const WeiPerGas = (description = 'Wei per unit of gas', options: Options = {}) =>
  Amount(description, { allowZero: true, example: '1500000000', ...options });

/** Dollars as a string, as the specification requires: empty without a recent price, never null. */
export const UsdText = (description = 'US dollars; empty without a recent price', options: Options = {}) =>
  Text(description, {
    minLength: 0,
    maxLength: 62,
    pattern: /^((0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?)?$/,
    example: '0.42',
    ...options,
  });

export const Usd = (description = 'US dollars; null without a recent price', options: Options = {}) =>
  Decimal(description, { nullable: true, example: '0.42', ...options });
