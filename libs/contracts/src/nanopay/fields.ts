import { type TextOptions, type Undescribed } from '@tollbridge/rpc';
import { Amount, Text } from '../decorators';

type Options = Undescribed<TextOptions>;

const raw = `0:${'ab'.repeat(32)}`;

/** A TON account, raw (`0:` and 64 hexadecimal digits) or friendly (`EQ…`, `UQ…`). */
export const TonAccount = (description: string, options: Options = {}): PropertyDecorator =>
  Text(description, {
    maxLength: 68,
    example: raw,
    ...options,
    pattern: /^(0:[0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{48})$/,
    patternMessage:
      'must be a TON account: 0: and 64 hexadecimal digits, or the friendly form of 48 characters',
  });

/** Bytes as hexadecimal digits. */
export const HexBytes = (byteLength: number, description: string, options: Options = {}): PropertyDecorator =>
  Text(description, {
    minLength: byteLength * 2,
    maxLength: byteLength * 2,
    example: 'a1'.repeat(byteLength),
    ...options,
    pattern: /^[0-9a-fA-F]+$/,
    patternMessage: 'must be hexadecimal digits',
  });

/** Unix seconds as text. */
export const SecondsText = (description: string, options: Options = {}): PropertyDecorator =>
  Text(description, {
    maxLength: 16,
    example: '1795349000',
    ...options,
    pattern: /^(0|[1-9][0-9]*)$/,
    patternMessage: 'must be Unix seconds, as text',
  });

/** Maximum amount that the ledger can store, for payments, limits and withdrawals. */
export const maxNanoAmount = 2n ** 63n - 1n;

/** An amount that may be zero, in the smallest unit of the asset (6 decimals). */
export const Sum = (description: string, example = '1000'): PropertyDecorator =>
  Amount(description, { example, allowZero: true });

/** Id of a payment: 32 hexadecimal digits. */
export const ConfirmationId = (optional = false): PropertyDecorator =>
  HexBytes(16, 'Id of the payment', { example: '10544e37a677a39143455b88b3d95d11', optional });
