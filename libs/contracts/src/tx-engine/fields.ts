import { Amount, Decimal, Integer, Text, type FieldOptions } from '@tollbridge/rpc';

export const quoteIdExample = '0199aa10-2f4e-7c1b-8d37-5b1f0c9e7a21';
export const transactionIdExample = '0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18';
export const hashExample = '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';
export const userExample = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

type Described = Partial<FieldOptions>;

export const QuoteId = (options: Described = {}) =>
  Text({
    description: 'Id of the quote',
    format: 'uuid',
    example: quoteIdExample,
    maxLength: 64,
    ...options,
  });

export const TransactionId = (options: Described = {}) =>
  Text({
    description: 'Id of the transaction set',
    format: 'uuid',
    example: transactionIdExample,
    ...options,
  });

export const EvmAddress = (options: Described = {}) =>
  Text({ description: 'Address', example: userExample, maxLength: 64, ...options });

export const TxHash = (options: Described = {}) =>
  Text({ description: 'Transaction hash', example: hashExample, ...options });

export const UnixSeconds = (options: Described = {}) =>
  Integer({ description: 'Unix seconds', example: 1_795_176_000, min: 0, ...options });

export const Gas = (options: Described = {}) =>
  Amount({ description: 'Gas units', allowZero: true, example: '143000', ...options });

export const WeiPerGas = (options: Described = {}) =>
  Amount({ description: 'Wei per unit of gas', allowZero: true, example: '1500000000', ...options });

/** Dollars where the specification types a string: empty without a recent price, never null. */
export const UsdText = (options: Described = {}) =>
  Text({
    description: 'US dollars; empty without a recent price',
    minLength: 0,
    maxLength: 62,
    pattern: /^((0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?)?$/,
    example: '0.42',
    ...options,
  });

export const Usd = (options: Described = {}) =>
  Decimal({
    description: 'US dollars; null without a recent price',
    nullable: true,
    example: '0.42',
    ...options,
  });
