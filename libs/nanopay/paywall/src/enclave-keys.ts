import { isReceipt, type Receipt } from '@tollbridge/nanopay-protocol';

const keyForm = /^[0-9a-f]{64}$/i;
// The current key, the previous one and the next one.
const maxKeys = 3;

/** Trusted receipt keys: usually one, and several during a key rotation. */
export type EnclaveKeys = readonly Uint8Array[];

/**
 * Returns undefined without a key; receipts are then not verified.
 * @throws TypeError for an invalid key
 */
export function enclaveKeysOf(given: string | readonly string[] | undefined): EnclaveKeys | undefined {
  if (given === undefined) return undefined;
  const keys = typeof given === 'string' ? [given] : given;
  if (keys.length === 0 || keys.length > maxKeys || !keys.every((key) => keyForm.test(key)))
    throw new TypeError(
      `Invalid enclaveKey: expected 64 hexadecimal digits, or a list of at most ${maxKeys} such keys.`,
    );
  return keys.map((key) => Buffer.from(key, 'hex'));
}

/** Whether one of the keys has signed a receipt of this payment. */
export const isTrustedReceipt = (receipt: Receipt, keys: EnclaveKeys, digest: Uint8Array): boolean =>
  keys.some((key) => isReceipt(receipt, key, digest));
