import { blake2b } from '@noble/hashes/blake2b';
import { getBytes, hexlify, keccak256 } from 'ethers';
import type { PaymentOrder } from '../payment-order';
import { BcsReader, BcsWriter } from './bcs';
import { canonicalMoveType, moveTypeName, parseMoveType, writeMoveType } from './move-type';

/** The objects that a wallet uses to pay on Sui: the package, and the registry that it shared when it was published. */
export interface SuiPayContract {
  readonly packageId: string;
  readonly registryId: string;
  /** Version of the registry when it was shared. Every transaction that uses the registry contains it. */
  readonly registryVersion: bigint;
}

/** An event `OrderPaid`, which the module emits for a payment. */
export interface SuiPayment {
  /** `0x` and 64 digits. Equal to `hashSuiOrder(order)` for every genuine event. */
  readonly orderHash: string;
  readonly payer: string;
  /** All addresses are padded to 64 digits, including those in token_in_address, the coin's type. */
  readonly order: PaymentOrder;
}

/** Reasons for rejections by the module, by abort code. */
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

// Hash prefixes that Sui uses to derive object ids.
const childObject = 0xf0;
const createdObject = 0xf1;

/**
 * Returns the same hash as the module's `hash_order`. It is the key of the order's record.
 * @param order with the coin's type as token_in_address, for example `0x2::sui::SUI`
 * @returns `0x` and 64 digits
 * @throws when an address, the type or the id is malformed, or a number does not fit in 64 bits
 */
export function hashSuiOrder(order: PaymentOrder): string {
  const writer = new BcsWriter().byteVector(getBytes(order.order_id));
  return keccak256(writeTerms(order, writer).bytes);
}

/**
 * Returns the id of the object that proves the payment. The object exists until its payer reclaims its storage deposit.
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
 * Returns the id of the `index`-th object that a transaction creates. A published package is the first object of its
 * transaction.
 * @param digest of the transaction, 32 bytes
 */
export function suiCreatedObjectId(digest: Uint8Array, index: number): string {
  const preimage = new BcsWriter().u8(createdObject).fixed(digest).u64(BigInt(index));
  return hexlify(blake2b(preimage.bytes, { dkLen: 32 }));
}

/** The type of the module's event, for queries and comparisons: `0x…::pay::OrderPaid`. */
export const suiOrderPaidType = ({ packageId }: Pick<SuiPayContract, 'packageId'>): string =>
  canonicalMoveType(`${packageId}::pay::OrderPaid`);

/**
 * Decodes an `OrderPaid` event. The caller must first compare the event's type with `suiOrderPaidType`.
 * @param bcs the event's content, which nodes return in base64
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

/** Encodes the event that the module emits for a payment: the inverse of `decodeSuiOrderPaid`. */
export function encodeSuiOrderPaid({ orderHash, payer, order }: SuiPayment): Uint8Array {
  const writer = new BcsWriter().byteVector(getBytes(orderHash)).byteVector(getBytes(order.order_id));
  return writeTerms(order, writer.address(payer)).bytes;
}

/** Writes all fields except the id. */
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
