import { Amount, Integer, Text, type AmountOptions, type FieldOptions } from '@tollbridge/rpc';
import { MAX_TOKEN_AMOUNT } from '@tollbridge/money';

/** An amount that an event states, in the token's smallest unit: at most 2^128 - 1, the bound of orders and payouts. */
export const EventAmount = (options: AmountOptions): PropertyDecorator =>
  Amount({ max: MAX_TOKEN_AMOUNT, ...options });

/** US dollars that an event states: below 10^21, which is more than `EventAmount` of a dollar with 18 decimals. */
export const EventUsd = (options: FieldOptions): PropertyDecorator =>
  Text({
    maxLength: 52,
    pattern: /^(0|[1-9][0-9]{0,20})(\.[0-9]{1,30})?$/,
    patternMessage: 'must be a decimal below 10^21 as text, such as 12.50',
    ...options,
  });

/** An account on any chain. Hexadecimal ones have 20 or up to 32 bytes; the longest, of Zcash, some 210 characters. */
export const EventAddress = (options: FieldOptions): PropertyDecorator =>
  Text({
    pattern: /^(0x[0-9a-fA-F]{40,64}|(?!0[xX])[!-~]{2,256})$/,
    patternMessage: 'must be an address',
    ...options,
  });

/** A transaction on any chain: hexadecimal, base58 or base64. */
export const EventTxHash = (options: FieldOptions): PropertyDecorator =>
  Text({
    maxLength: 128,
    pattern: /^(0x[0-9a-fA-F]{32,64}|(?!0[xX])[A-Za-z0-9+/=_-]{32,128})$/,
    patternMessage: 'must be a transaction hash',
    ...options,
  });

/** Symbol of a token, or its contract. */
export const EventToken = (options: FieldOptions): PropertyDecorator =>
  Text({ maxLength: 128, pattern: /^[!-~]+$/, patternMessage: 'must be a token', ...options });

/** A chain by its id in the registry. Consumers check that the registry has it. */
export const EventChain = (options: FieldOptions): PropertyDecorator =>
  Text({
    maxLength: 41,
    pattern: /^[a-z0-9-]{2,32}(:[-_a-zA-Z0-9]{1,32})?$/,
    patternMessage: 'must be a chain of the registry',
    ...options,
  });

/** Counts the changes of an aggregate. It is stored as a 32-bit integer. */
export const EventVersion = (options: FieldOptions): PropertyDecorator =>
  Integer({ min: 1, max: 2 ** 31 - 1, ...options });
