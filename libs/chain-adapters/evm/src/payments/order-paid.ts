import type { Payment, PaymentFields } from '@tollbridge/chain-port';
import { orderIdToUuid, tollbridgePayAbi } from '@tollbridge/onchain';
import { AbiCoder, dataSlice, getAddress, Interface, toUtf8String } from 'ethers';
import type { EvmLog } from '../evm-types';

const orderPaid = new Interface(tollbridgePayAbi).getEvent('OrderPaid')!;

/** The topic of the payment contract's `OrderPaid` event. */
export const orderPaidTopic = orderPaid.topicHash;

const topicCount = 1 + orderPaid.inputs.filter(({ indexed }) => indexed).length;
const unindexed = orderPaid.inputs.filter(({ indexed }) => !indexed);
// Texts are decoded as bytes, which have the same encoding. The contract takes any bytes: a decoder that throws at invalid
// UTF-8 would stop the watcher at that block for ever.
const dataTypes = unindexed.map(({ type }) => (type === 'string' ? 'bytes' : type));

/**
 * Reads an `OrderPaid` event; undefined for any other log.
 * @param contracts checksummed addresses of our payment contracts
 */
export function readPayment(log: EvmLog, contracts: readonly string[]): Payment | undefined {
  if (!contracts.includes(getAddress(log.address)) || log.topics[0] !== orderPaidTopic) return undefined;
  const [, orderHash, orderId, payer] = log.topics;
  const fields = readFields(log.data);
  if (log.topics.length !== topicCount || !fields) return undefined;
  return {
    orderId: orderIdToUuid(dataSlice(orderId!, 0, 16)),
    orderHash: orderHash!,
    payer: getAddress(dataSlice(payer!, 12)),
    fields,
    height: log.height,
    blockHash: log.blockHash,
    txHash: log.txHash,
    logIndex: log.logIndex,
  };
}

/** Undefined for data that the contract cannot have written. */
function readFields(data: string): PaymentFields | undefined {
  try {
    const values = AbiCoder.defaultAbiCoder().decode(dataTypes, data);
    const entries = unindexed.map(({ name, type }, index) => {
      const value = String(values[index]);
      return [name, type === 'string' ? readText(value) : value];
    });
    return Object.fromEntries(entries) as PaymentFields;
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
