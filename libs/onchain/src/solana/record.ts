import { addressFromBytes } from './keys';

/** The record of a paid order. It exists until it is closed, a day or more after the deadline. */
export interface PaymentRecord {
  readonly payer: string;
  /** Unix seconds. */
  readonly deadline: bigint;
  /** Unix seconds, by the cluster's clock. */
  readonly paidTime: bigint;
  readonly paidSlot: bigint;
}

export const recordBytes = 56;
/** From this many seconds after the deadline on, a record can be closed. */
export const closableAfterSeconds = 86_400n;

/**
 * Reads an account of the program. It proves a payment only at the address that `recordAddress` gives, and with the
 * program as its owner. Any account may give other accounts to the program.
 * @throws Error for data of another length
 */
export function decodeRecord(data: Uint8Array): PaymentRecord {
  if (data.length !== recordBytes)
    throw new Error(`A payment record has ${recordBytes} bytes, not ${data.length}`);
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return {
    payer: addressFromBytes(data.subarray(0, 32)),
    deadline: view.getBigUint64(32, true),
    paidTime: view.getBigInt64(40, true),
    paidSlot: view.getBigUint64(48, true),
  };
}
