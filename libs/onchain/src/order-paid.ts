import { AbiCoder, dataSlice, getAddress, Interface, toUtf8String } from 'ethers';
import { tollbridgePayAbi } from './generated/tollbridge-pay';
import { orderIdToUuid } from './payment-order';

const orderPaid = new Interface(tollbridgePayAbi).getEvent('OrderPaid')!;

/** The topic of the payment contract's `OrderPaid` event, `0x` and 64 digits. */
export const orderPaidTopic = orderPaid.topicHash;

const topicCount = 1 + orderPaid.inputs.filter(({ indexed }) => indexed).length;
const unindexed = orderPaid.inputs.filter(({ indexed }) => !indexed);
// Texts are decoded as bytes, which have the same encoding. The contract takes any bytes: a decoder that throws at
// invalid UTF-8 would stop a watcher at that block for ever.
const dataTypes = unindexed.map(({ type }) => (type === 'string' ? 'bytes' : type));

/** The terms in the event, in the specification's spelling: addresses checksummed, numbers in decimal. */
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
  /** Checksummed. */
  payer: string;
  fields: OrderPaidFields;
}

/** Topics and data of a log as `0x` texts. */
export interface EventLog {
  topics: readonly string[];
  data: string;
}

/** Decodes an `OrderPaid` event of any emitter; undefined for a log that the contract cannot have written. */
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

/** The text, or its bytes as hex where a database, a log or an event could not carry the text. */
function readText(bytes: string): string {
  try {
    const text = toUtf8String(bytes);
    return /\p{C}/u.test(text) ? bytes : text;
  } catch {
    return bytes;
  }
}
