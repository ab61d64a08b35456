import { AbiCoder, getBytes, hexlify, Interface, keccak256 } from 'ethers';
import { tollbridgePayAbi } from './generated/tollbridge-pay';

/** The contract's struct with the field names of the public API. ethers accepts it as the argument of `pay`. */
export interface PaymentOrder {
  /** The UUID as `0x` and 32 hexadecimal digits. See `orderIdToBytes16`. */
  order_id: string;
  token_in: string;
  token_out: string;
  amount_in: bigint;
  /** The zero address means the native coin. */
  token_in_address: string;
  merchant: string;
  merchant_amount: bigint;
  fee_receiver: string;
  fee_amount: bigint;
  /** Unix seconds. The order can still be paid in this second. */
  deadline: bigint;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const orderType = new Interface(tollbridgePayAbi).getFunction('hashOrder')!.inputs[0]!;

/**
 * Returns the same hash as the contract's `hashOrder`. It is the key of `paid` and the first indexed topic of
 * `OrderPaid`.
 */
export function hashPaymentOrder(order: PaymentOrder): string {
  return keccak256(AbiCoder.defaultAbiCoder().encode([orderType], [order]));
}

export function orderIdToBytes16(uuid: string): string {
  if (!uuidPattern.test(uuid)) throw new Error('The order id is not a UUID');
  return `0x${uuid.replaceAll('-', '').toLowerCase()}`;
}

export function orderIdToUuid(bytes16: string): string {
  const bytes = getBytes(bytes16);
  if (bytes.length !== 16) throw new Error(`An order id has 16 bytes, not ${bytes.length}`);
  return hexlify(bytes)
    .slice(2)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
