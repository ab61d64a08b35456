import { blake2b } from '@noble/hashes/blake2b';
import { getBytes, hexlify, keccak256 } from 'ethers';
import type { PaymentOrder } from '../payment-order';
import { BcsReader, BcsWriter } from './bcs';
import { canonicalMoveType, moveTypeName, parseMoveType, writeMoveType } from './move-type';

/** What a wallet calls to pay on Sui: the package, and the registry that it shared when it was published. */
export interface SuiPayContract {
  readonly packageId: string;
  readonly registryId: string;
  /** Version of the registry when it was shared: part of every transaction that uses it. */
  readonly registryVersion: bigint;
}

/** An event `OrderPaid`: a payment that the module has made. */
export interface SuiPayment {
  /** `0x` and 64 digits: equals `hashSuiOrder(order)` of every genuine event. */
  readonly orderHash: string;
  readonly payer: string;
  /** Addresses have all digits, and so has token_in_address, the type of the coin. */
  readonly order: PaymentOrder;
}

/** Why the module rejects a call, by the abort code. */
export const suiPayAborts: Readonly<Record<number, string>> = {
  1: 'EOrderExpired',
  2: 'EOrderAlreadyPaid',
  3: 'EAmountsDoNotAddUp',
  4: 'EZeroMerchantAmount',
  5: 'ETokenNameTooLong',
  6: 'EInvalidReceiver',
  7: 'EWrongCoinValue',
  8: 'EInvalidOrderId',
  9: 'ENotPaid',
  10: 'ENotThePayer',
  11: 'EDeadlineNotPassed',
};

// Scopes of the hashes that are ids of objects.
const childObject = 0xf0;
const createdObject = 0xf1;

/**
 * Same value as the module's `hash_order`: the name of the order's record.
 * @param order with the coin's type as token_in_address, as `0x2::sui::SUI`
 * @returns `0x` and 64 digits
 * @throws when an address, the type or the id is malformed, or a number does not fit in 64 bits
 */
export function hashSuiOrder(order: PaymentOrder): string {
  const writer = new BcsWriter().byteVector(getBytes(order.order_id));
  return keccak256(writeTerms(order, writer).bytes);
}

/**
 * Id of the object that proves the payment, from the payment until its payer reclaims its storage.
 * @returns `0x` and 64 digits
 */
export function suiRecordId(contract: SuiPayContract, orderHash: string): string {
  const name = new BcsWriter().byteVector(getBytes(orderHash)).bytes;
  const preimage = new BcsWriter()
    .u8(childObject)
    .address(contract.registryId)
    .u64(BigInt(name.length))
    .fixed(name);
  writeMoveType(parseMoveType(`${contract.packageId}::pay::OrderHash`), preimage);
  return hexlify(blake2b(preimage.bytes, { dkLen: 32 }));
}

/**
 * Id of the object that a transaction creates as its `index`-th; a published package is the first one of its
 * transaction.
 * @param digest of the transaction, 32 bytes
 */
export function suiCreatedObjectId(digest: Uint8Array, index: number): string {
  const preimage = new BcsWriter().u8(createdObject).fixed(digest).u64(BigInt(index));
  return hexlify(blake2b(preimage.bytes, { dkLen: 32 }));
}

/** Type of the module's event, for queries and to compare: `0x…::pay::OrderPaid`. */
export const suiOrderPaidType = ({ packageId }: Pick<SuiPayContract, 'packageId'>): string =>
  canonicalMoveType(`${packageId}::pay::OrderPaid`);

/**
 * Decodes an `OrderPaid`. The caller compares the event's type with `suiOrderPaidType` first.
 * @param bcs the event's content, as nodes return it in base64
 * @throws when the bytes are not exactly one such event
 */
export function decodeSuiOrderPaid(bcs: Uint8Array): SuiPayment {
  const reader = new BcsReader(bcs);
  const [orderHash, orderId] = [reader.byteVector(), reader.byteVector()];
  if (orderHash.length !== 32 || orderId.length !== 16) throw new Error('Not an OrderPaid event');
  const payer = reader.address();
  const order: PaymentOrder = {
    order_id: hexlify(orderId),
    token_in: reader.text(),
    token_out: reader.text(),
    amount_in: reader.u64(),
    token_in_address: canonicalMoveType(reader.text()),
    merchant: reader.address(),
    merchant_amount: reader.u64(),
    fee_receiver: reader.address(),
    fee_amount: reader.u64(),
    deadline: reader.u64(),
  };
  reader.end();
  return { orderHash: hexlify(orderHash), payer, order };
}

/** What the module emits for a payment: the inverse of `decodeSuiOrderPaid`. */
export function encodeSuiOrderPaid({ orderHash, payer, order }: SuiPayment): Uint8Array {
  const writer = new BcsWriter().byteVector(getBytes(orderHash)).byteVector(getBytes(order.order_id));
  return writeTerms(order, writer.address(payer)).bytes;
}

/** All fields but the id. */
function writeTerms(order: PaymentOrder, writer: BcsWriter): BcsWriter {
  return writer
    .text(order.token_in)
    .text(order.token_out)
    .u64(order.amount_in)
    .text(moveTypeName(order.token_in_address))
    .address(order.merchant)
    .u64(order.merchant_amount)
    .address(order.fee_receiver)
    .u64(order.fee_amount)
    .u64(order.deadline);
}
