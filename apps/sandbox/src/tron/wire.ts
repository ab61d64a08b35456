import {
  evmToTronAddress,
  exactJson,
  hexToTronAddress,
  rawDataJson,
  tronToHexAddress,
  type ExactJson,
  type ExactJsonObject,
  type TronRawData,
} from '@tollbridge/onchain/tron';
import { blockId, blockTimeMs, parentId } from './blocks';
import type { EvmBlock, EvmLog } from './anvil-node';
import type { TronTransaction } from './transactions';
import type { Simulation } from './tvm';

// Replies in the format of a full node's HTTP interface: addresses in hex, and no zero values.

/** Fields with addresses, which `visible` converts to base58. */
const addressFields = [
  'owner_address',
  'to_address',
  'contract_address',
  'origin_address',
  'address',
  'witness_address',
  'caller_address',
  'transferTo_address',
];

const bare = (hex: string): string => hex.replace(/^0x/, '');
const unlessZero = (text: string): bigint | undefined => (BigInt(text) === 0n ? undefined : BigInt(text));
const hexText = (text: string): string => Buffer.from(text).toString('hex');

/** Returns JSON text. With `visible`, addresses are in base58. */
export function nodeJson(value: ExactJson, visible: boolean): string {
  return exactJson(visible ? withBase58(value) : value);
}

function withBase58(value: ExactJson, field = ''): ExactJson {
  if (typeof value === 'string')
    return addressFields.includes(field) && /^41[0-9a-f]{40}$/.test(value) ? hexToTronAddress(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: ExactJson) => withBase58(item, field));
  const entries = Object.entries(value as ExactJsonObject).map(([key, item]) => [
    key,
    item === undefined ? undefined : withBase58(item, key),
  ]);
  return Object.fromEntries(entries) as ExactJsonObject;
}

/** Returns a transaction that was not sent yet. */
export function unsignedJson(
  raw: TronRawData,
  id: string,
  bytes: Uint8Array,
  visible: boolean,
): ExactJsonObject {
  return { visible, txID: id, raw_data: rawDataJson(raw), raw_data_hex: Buffer.from(bytes).toString('hex') };
}

/** Returns the reply of `gettransactionbyid`. */
export function transactionJson(transaction: TronTransaction): ExactJsonObject {
  const { raw, contract } = transaction;
  const isCreation = raw.contract.type === 'CreateSmartContract' && contract !== null;
  return {
    ret: [{ contractRet: transaction.result }],
    signature: [transaction.signature],
    txID: transaction.id,
    contract_address: isCreation ? tronToHexAddress(contract) : undefined,
    raw_data: rawDataJson(raw),
    raw_data_hex: transaction.rawData,
  };
}

/** Returns the reply of `gettransactioninfobyid`. */
export function infoJson(transaction: TronTransaction, block: EvmBlock): ExactJsonObject {
  const { contract, result, logs, returned } = transaction;
  const fee = BigInt(transaction.energyFee) + BigInt(transaction.netFee) + BigInt(transaction.accountFee);
  const isTransfer = transaction.raw.contract.type === 'TransferContract';
  const hasFailed = result !== 'SUCCESS';
  return {
    id: transaction.id,
    fee: fee === 0n ? undefined : fee,
    blockNumber: transaction.height,
    blockTimeStamp: blockTimeMs(block),
    contractResult: [isTransfer ? '' : bare(returned)],
    contract_address: contract === null ? undefined : tronToHexAddress(contract),
    receipt: {
      energy_fee: unlessZero(transaction.energyFee),
      energy_usage_total: unlessZero(transaction.energy),
      energy_penalty_total: unlessZero(transaction.penalty),
      net_usage:
        fee === 0n || BigInt(transaction.netFee) === 0n ? unlessZero(transaction.netUsage) : undefined,
      net_fee: unlessZero(transaction.netFee),
      result: isTransfer ? undefined : result,
    },
    result: hasFailed ? 'FAILED' : undefined,
    resMessage: hasFailed ? hexText(failureMessage(result)) : undefined,
    log: logs.length === 0 ? undefined : logs.map(logJson),
  };
}

/** Returns a log, with an address of 20 bytes. */
export const logJson = ({
  address,
  topics,
  data,
}: Pick<EvmLog, 'address' | 'topics' | 'data'>): ExactJsonObject => ({
  address: bare(address).toLowerCase(),
  topics: topics.length === 0 ? undefined : topics.map(bare),
  data: data === '0x' ? undefined : bare(data),
});

export function blockJson(block: EvmBlock, transactions: readonly TronTransaction[]): ExactJsonObject {
  const list = transactions.map(transactionJson);
  return { ...blockHeaderJson(block), transactions: list.length === 0 ? undefined : list };
}

export function blockHeaderJson(block: EvmBlock): ExactJsonObject {
  const number = Number(block.number);
  return {
    blockID: blockId(block),
    block_header: {
      raw_data: {
        number: number === 0 ? undefined : number,
        txTrieRoot: '0'.repeat(64),
        witness_address: tronToHexAddress(evmToTronAddress(witness)),
        parentHash: parentId(block),
        version: 31,
        timestamp: blockTimeMs(block),
      },
      witness_signature: '0'.repeat(130),
    },
  };
}

/** A placeholder, because no super representative signs the blocks of this chain. */
const witness = `0x${'0'.repeat(38)}01`;

/** Returns the reply of `triggerconstantcontract`. */
export function simulationJson(simulation: Simulation, transaction: ExactJsonObject): ExactJsonObject {
  const { result, returned, energy, penalty } = simulation;
  const hasFailed = result !== 'SUCCESS';
  return {
    result: { result: true, message: hasFailed ? hexText(failureMessage(result)) : undefined },
    energy_used: energy,
    energy_penalty: penalty === 0n ? undefined : penalty,
    constant_result: [bare(returned)],
    transaction: { ...transaction, ret: [hasFailed ? { ret: 'FAILED' } : {}] },
  };
}

export function failureMessage(result: Simulation['result']): string {
  if (result === 'REVERT') return 'REVERT opcode executed';
  return result === 'ILLEGAL_OPERATION'
    ? 'Invalid operation code: opCode[fe];'
    : 'Not enough energy for the operation';
}
