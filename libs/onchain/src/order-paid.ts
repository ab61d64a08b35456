import { AbiCoder, dataSlice, getAddress, Interface, toUtf8String } from 'ethers';
import { tollbridgePayAbi } from './generated/tollbridge-pay';
import { orderIdToUuid } from './payment-order';

const orderPaid = new Interface(tollbridgePayAbi).getEvent('OrderPaid')!;

/** The topic of the payment contract's `OrderPaid` event: `0x` and 64 hexadecimal digits. */
export const orderPaidTopic = orderPaid.topicHash;

const topicCount = 1 + orderPaid.inputs.filter(({ indexed }) => indexed).length;
const unindexed = orderPaid.inputs.filter(({ indexed }) => !indexed);
// Strings are decoded as bytes, which have the same encoding. The contract accepts any bytes. A decoder that throws for
// invalid UTF-8 would stop a watcher at that block forever.
const dataTypes = unindexed.map(({ type }) => (type === 'string' ? 'bytes' : type));

/** The terms in the event, in the format of the specification. Addresses have a checksum, and numbers are decimal. */
export interface OrderPaidFields {
  token_in: string;
  token_out: string;
  amount_in: string;
  token_in_address: string;
  merchant: string;
  merchant_amount: string;
  fee_receiver: string;
  fee_amount: string;
  deadline: string;
}

export interface OrderPaid {
  /** UUID. */
  orderId: string;
  /** The contract's hash of all terms. */
  orderHash: string;
  /** Address with a checksum. */
  payer: string;
  fields: OrderPaidFields;
}

/** Topics and data of a log as `0x` hexadecimal strings. */
export interface EventLog {
  topics: readonly string[];
  data: string;
}

/** Decodes an `OrderPaid` event of any emitter. Returns undefined for a log that the contract cannot have emitted. */
export function decodeOrderPaid({ topics, data }: EventLog): OrderPaid | undefined {
  if (topics[0] !== orderPaidTopic || topics.length !== topicCount) return undefined;
  const [, orderHash, orderId, payer] = topics;
  const fields = readFields(data);
  if (!fields) return undefined;
  return {
    orderId: orderIdToUuid(dataSlice(orderId!, 0, 16)),
    orderHash: orderHash!,
    payer: getAddress(dataSlice(payer!, 12)),
    fields,
  };
}

function readFields(data: string): OrderPaidFields | undefined {
  try {
    const values = AbiCoder.defaultAbiCoder().decode(dataTypes, data);
    const entries = unindexed.map(({ name, type }, index) => {
      const value = String(values[index]);
      return [name, type === 'string' ? readText(value) : value];
    });
    return Object.fromEntries(entries) as OrderPaidFields;
  } catch {
    return undefined;
  }
}

/** Returns the text. Returns its bytes in hexadecimal if a database, a log or an event could not store the text. */
function readText(bytes: string): string {
  try {
    const text = toUtf8String(bytes);
    return /\p{C}/u.test(text) ? bytes : text;
  } catch {
    return bytes;
  }
}
