import {
  bytesField,
  decodeMessage,
  decodeRawData,
  rawDataJson,
  type TronRawData,
} from '@tollbridge/onchain/tron';
import { getBytes } from 'ethers';
import { isDeepStrictEqual } from 'node:util';
import { isVisible, type Params } from './params';
import type { SignedTransaction } from './prepare-transaction';
import { invalidContract } from './tron-rejection';
import { nodeJson } from './wire';

interface TransactionBody {
  raw_data?: { contract?: { parameter?: { value?: { new_contract?: { abi?: unknown } } } }[] };
  raw_data_hex?: unknown;
  signature?: unknown;
}

/**
 * Returns the transaction of `broadcasttransaction`. A real node encodes `raw_data` and ignores `raw_data_hex`. This
 * node uses the hex, and requires that both are equal.
 */
export function signedInJson(body: Params): SignedTransaction {
  const { raw_data, raw_data_hex, signature } = body as TransactionBody;
  const signatures = Array.isArray(signature) ? signature.map((it) => String(it).replace(/^0x/, '')) : [];
  const hex = String(raw_data_hex ?? '');
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw invalidContract('raw_data_hex is not hex');
  const rawData = getBytes(`0x${hex}`);
  const abi = raw_data?.contract?.[0]?.parameter?.value?.new_contract?.abi;
  if (!isSame(raw_data, rawData, isVisible(body))) throw invalidContract('raw_data and raw_data_hex differ');
  return { rawData, signatures, abi };
}

/** Returns the transaction of `broadcasthex`. */
export function signedInHex(params: Params): SignedTransaction {
  const hex = String(params['transaction'] ?? '').replace(/^0x/, '');
  if (!/^([0-9a-f]{2})+$/i.test(hex)) throw invalidContract('transaction is not hex');
  try {
    const message = decodeMessage(getBytes(`0x${hex}`));
    const signatures = (message.get(2) ?? []).map((it) => {
      if (typeof it === 'bigint') throw new Error('expected each signature as text');
      return Buffer.from(it).toString('hex');
    });
    return { rawData: bytesField(message, 1), signatures };
  } catch (error) {
    throw invalidContract((error as Error).message);
  }
}

function isSame(json: unknown, bytes: Uint8Array, visible: boolean): boolean {
  const decoded: unknown = JSON.parse(nodeJson(rawDataJson(readRawData(bytes)), visible));
  return isDeepStrictEqual(normalised(json), normalised(decoded));
}

function readRawData(bytes: Uint8Array): TronRawData {
  try {
    return decodeRawData(bytes);
  } catch (error) {
    throw invalidContract((error as Error).message);
  }
}

/** Removes the ABI, and zeros, which JSON may contain but protobuf omits. */
function normalised(value: unknown): unknown {
  if (typeof value === 'string') return value.toLowerCase().replace(/^0x/, '');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(normalised);
  const entries = Object.entries(value).filter(([key, item]) => key !== 'abi' && !isEmpty(item));
  return Object.fromEntries(entries.map(([key, item]) => [key, normalised(item)]));
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === 0 || value === '' || value === null;
