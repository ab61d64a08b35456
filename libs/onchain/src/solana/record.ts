import { addressFromBytes } from './keys';

/** The record of a paid order. It exists until it is closed, at least one day after the deadline. */
export interface PaymentRecord {
  readonly payer: string;
  /** Unix seconds. */
  readonly deadline: bigint;
  /** Unix seconds on the cluster's clock. */
  readonly paidTime: bigint;
  readonly paidSlot: bigint;
}

export const recordBytes = 56;
/** A record can be closed this many seconds after the deadline. */
export const closableAfterSeconds = 86_400n;

/**
 * Decodes an account of the program. It proves a payment only if its address equals `recordAddress` and its owner is
 * the program. Any account may assign other accounts to the program.
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
