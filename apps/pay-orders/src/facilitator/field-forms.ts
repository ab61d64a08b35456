// Validates fields of a payment, and returns errors for missing fields and fields without their canonical form. Pure.
import { describeErrors, type FieldError } from '@tollbridge/rpc';

export type Json = Record<string, unknown>;

const hash32Form = /^0x[0-9a-fA-F]{64}$/;
const addressForm = /^0x[0-9a-fA-F]{40}$/;
const amountForm = /^(0|[1-9][0-9]{0,77})$/;
const mostAtomic = 2n ** 256n - 1n;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isAddress = (value: unknown): value is string =>
  typeof value === 'string' && addressForm.test(value);

/** A longer signature belongs to a smart wallet. 4 KiB is more than any wallet needs. */
const isSignature = (value: unknown): value is string =>
  typeof value === 'string' && /^0x([0-9a-fA-F]{2}){1,4096}$/.test(value);

const isAmount = (value: unknown): value is string =>
  typeof value === 'string' && amountForm.test(value) && BigInt(value) <= mostAtomic;

const isHash = (value: unknown): value is string => typeof value === 'string' && hash32Form.test(value);

const isUint128 = (value: unknown): value is string => isAmount(value) && BigInt(value) < 2n ** 128n;

const isUint64 = (value: unknown): value is string => isAmount(value) && BigInt(value) < 2n ** 64n;

const isPositive = (value: unknown): value is string => isUint128(value) && value !== '0';

/** A check of a value, and the requirement as text. */
export type FieldForm = readonly [is: (value: unknown) => boolean, must: string];

/** The forms that fields of several schemes have. */
export const forms = {
  object: [isObject, 'must be an object'],
  address: [isAddress, 'must be 0x and 40 hexadecimal digits'],
  amount: [isAmount, 'must be a whole number from 0 to 2^256 - 1, as a string'],
  uint64: [isUint64, 'must be a whole number from 0 to 2^64 - 1, as a string'],
  uint128: [isUint128, 'must be a whole number from 0 to 2^128 - 1, as a string'],
  positive: [isPositive, 'must be a whole number from 1 to 2^128 - 1, as a string'],
  hash: [isHash, 'must be 0x and 64 hexadecimal digits'],
  signature: [isSignature, 'must be 0x and 1 to 4,096 bytes as hexadecimal digits'],
  optionalSignature: [
    (value: unknown) => value === undefined || isSignature(value),
    'must be 0x and 1 to 4,096 bytes as hexadecimal digits, or absent',
  ],
} as const satisfies Record<string, FieldForm>;

/** @returns an error for each field of the object at this path that does not have its form */
export function validateForms(
  path: string,
  value: unknown,
  expected: Readonly<Record<string, FieldForm>>,
): FieldError[] {
  if (!isObject(value)) return [{ field: path, message: forms.object[1] }];
  return Object.entries(expected)
    .filter(([name, [is]]) => !is(value[name]))
    .map(([name, [, message]]) => ({ field: `${path}.${name}`, message }));
}

/** The rejection of a payment with malformed fields. */
export function malformed(errors: readonly FieldError[]): { reason: string; message: string } {
  const { text, left } = describeErrors(errors);
  const more = left > 0 ? `; and ${left} more` : '';
  return { reason: 'invalid_payload', message: `The payment is malformed: ${text}${more}.` };
}
