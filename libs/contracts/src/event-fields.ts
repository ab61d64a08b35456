import { type AmountOptions, type FieldOptions, type Undescribed } from '@tollbridge/rpc';
import { maxTokenAmount } from '@tollbridge/money';
import { Amount, Integer, Text } from './decorators';

/** An amount in an event, in the token's smallest unit: at most 2^128 - 1, the limit of orders and payouts. */
export const EventAmount = (
  description: string,
  options: Undescribed<AmountOptions> = {},
): PropertyDecorator => Amount(description, { max: maxTokenAmount, ...options });

/** A US dollar amount in an event: below 10^21, more than `EventAmount` allows for a dollar token with 18 decimals. */
export const EventUsd = (description: string, options: Undescribed<FieldOptions>): PropertyDecorator =>
  Text(description, {
    maxLength: 52,
    pattern: /^(0|[1-9][0-9]{0,20})(\.[0-9]{1,30})?$/,
    patternMessage: 'must be a decimal below 10^21 as text, such as 12.50',
    ...options,
  });

/**
 * An account on any chain. Hexadecimal accounts have 20 to 32 bytes. The longest accounts, on Zcash, have about 210
 * characters.
 */
export const EventAddress = (description: string, options: Undescribed<FieldOptions>): PropertyDecorator =>
  Text(description, {
    pattern: /^(0x[0-9a-fA-F]{40,64}|(?!0[xX])[!-~]{2,256})$/,
    patternMessage: 'must be an address',
    ...options,
  });

/** A transaction hash of any chain: hexadecimal, base58 or base64. */
export const EventTxHash = (description: string, options: Undescribed<FieldOptions>): PropertyDecorator =>
  Text(description, {
    maxLength: 128,
    pattern: /^(0x[0-9a-fA-F]{32,64}|(?!0[xX])[A-Za-z0-9+/=_-]{32,128})$/,
    patternMessage: 'must be a transaction hash',
    ...options,
  });

/** Symbol of a token, or its contract address. */
export const EventToken = (description: string, options: Undescribed<FieldOptions>): PropertyDecorator =>
  Text(description, { maxLength: 128, pattern: /^[!-~]+$/, patternMessage: 'must be a token', ...options });

/** A chain by its registry id. Consumers verify that the registry contains it. */
export const EventChain = (description: string, options: Undescribed<FieldOptions>): PropertyDecorator =>
  Text(description, {
    maxLength: 41,
    pattern: /^[a-z0-9-]{2,32}(:[-_a-zA-Z0-9]{1,32})?$/,
    patternMessage: 'must be a chain of the registry',
    ...options,
  });

/** Version of an aggregate, which increases with each change. Stored as a 32-bit integer. */
export const EventVersion = (description: string, options: Undescribed<FieldOptions>): PropertyDecorator =>
  Integer(description, { min: 1, max: 2 ** 31 - 1, ...options });
