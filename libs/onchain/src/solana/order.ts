import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import { getBytes, hexlify } from 'ethers';
import { orderIdToBytes16, orderIdToUuid } from '../payment-order';
import { addressFromBytes, addressToBytes } from './keys';
import { findProgramAddress } from './program-address';

/** The order that the program pays, with the field names of the public API. */
export interface SolanaPaymentOrder {
  /** UUID. */
  order_id: string;
  /** Symbols, at most 128 bytes each. Informative, but part of the order's identity. */
  token_in: string;
  token_out: string;
  /** merchant_amount + fee_amount, in the token's smallest unit. */
  amount_in: bigint;
  /** The mint, or `nativeCoin`. */
  token_in_address: string;
  /** Wallets, not token accounts. */
  merchant: string;
  merchant_amount: bigint;
  fee_receiver: string;
  fee_amount: bigint;
  /** Unix seconds. The order can still be paid in this second. */
  deadline: bigint;
}

export const maxTokenNameBytes = 128;
const fixedBytes = 144;
const tag = utf8ToBytes('tollbridge payment order v1');
const recordSeed = utf8ToBytes('order');

/**
 * Encodes the order in the layout that the program reads (solana/order.h).
 * @throws Error for a malformed UUID or address, an amount above 64 bits, or a name that is too long
 */
export function encodeOrder(order: SolanaPaymentOrder): Uint8Array {
  const amounts = [order.amount_in, order.merchant_amount, order.fee_amount, order.deadline];
  const addresses = [order.token_in_address, order.merchant, order.fee_receiver];
  return concatBytes(
    getBytes(orderIdToBytes16(order.order_id)),
    ...amounts.map(u64ToBytes),
    ...addresses.map(addressToBytes),
    nameToBytes(order.token_in),
    nameToBytes(order.token_out),
  );
}

/**
 * Decodes the order in an instruction's data. Names may contain any bytes, so compare hashes to find out whether two
 * orders are equal.
 * @throws Error for bytes that the program rejects as malformed
 */
export function decodeOrder(bytes: Uint8Array): SolanaPaymentOrder {
  if (bytes.length < fixedBytes) throw malformed();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const address = (at: number) => addressFromBytes(bytes.subarray(at, at + 32));
  const [token_in, second] = readName(bytes, fixedBytes);
  const [token_out, end] = readName(bytes, second);
  if (end !== bytes.length) throw malformed();
  return {
    order_id: orderIdToUuid(hexlify(bytes.subarray(0, 16))),
    token_in,
    token_out,
    amount_in: view.getBigUint64(16, true),
    token_in_address: address(48),
    merchant: address(80),
    merchant_amount: view.getBigUint64(24, true),
    fee_receiver: address(112),
    fee_amount: view.getBigUint64(32, true),
    deadline: view.getBigUint64(40, true),
  };
}

/** Returns the 32-byte SHA-256 of all fields. The program derives the address of the order's record from it. */
export function hashOrder(order: SolanaPaymentOrder): Uint8Array {
  return hashEncodedOrder(encodeOrder(order));
}

/** Hashes an order in its encoded form, for example from an instruction. */
export function hashEncodedOrder(bytes: Uint8Array): Uint8Array {
  return sha256(concatBytes(tag, bytes));
}

/** Returns the address of the order's record, which proves that exactly this order was paid. */
export function recordAddress(programId: string, order: SolanaPaymentOrder): string {
  return findProgramAddress([recordSeed, hashOrder(order)], programId).address;
}

/**
 * Encodes a number as eight bytes, little endian.
 * @throws Error for a value outside of 64 bits
 */
export function u64ToBytes(value: bigint): Uint8Array {
  if (value < 0n || value > 0xffff_ffff_ffff_ffffn)
    throw new Error('The amount or time needs more than 64 bits');
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function nameToBytes(name: string): Uint8Array {
  const bytes = utf8ToBytes(name);
  if (bytes.length > maxTokenNameBytes)
    throw new Error(`A token name has at most ${maxTokenNameBytes} bytes, not ${bytes.length}`);
  return concatBytes(Uint8Array.of(bytes.length), bytes);
}

function readName(bytes: Uint8Array, at: number): [name: string, end: number] {
  const length = bytes[at];
  if (length === undefined || length > maxTokenNameBytes) throw malformed();
  const end = at + 1 + length;
  if (end > bytes.length) throw malformed();
  return [new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(at + 1, end)), end];
}

const malformed = () => new Error('The bytes are not a payment order');
