import { getBytes, hexlify, sha256 } from 'ethers';
import { hexToTronAddress, tronToHexAddress } from './address';
import {
  bytesField,
  decodeMessage,
  encodeMessage,
  numberField,
  type ProtobufField,
  type ProtobufMessage,
} from './protobuf';

/** A transfer of coins to an account that is not a contract. Addresses are in base58, and amounts are in sun. */
export interface TronTransfer {
  type: 'TransferContract';
  owner: string;
  to: string;
  amount: bigint;
}

/** A call of a contract. */
export interface TronCall {
  type: 'TriggerSmartContract';
  owner: string;
  contract: string;
  callValue: bigint;
  /** `0x` and hexadecimal digits. */
  data: string;
}

/** A deployment of a contract. */
export interface TronCreation {
  type: 'CreateSmartContract';
  owner: string;
  name: string;
  /** Creation code with the constructor's arguments: `0x` and hexadecimal digits. */
  code: string;
  callValue: bigint;
  /** Percentage of a call's energy that the caller pays. The owner pays the rest. */
  callerPercent: bigint;
  /** Maximum energy of a call that the owner pays. The network requires more than 0. */
  ownerEnergyLimit: bigint;
}

export type TronContract = TronTransfer | TronCall | TronCreation;

/** The signed part of a transaction. It has one contract and an owner with one key. */
export interface TronRawData {
  contract: TronContract;
  /** The last two bytes of the height of a recent block, four digits. */
  refBlockBytes: string;
  /** Bytes 8 to 15 of the id of that block, 16 digits. */
  refBlockHash: string;
  expirationMs: number;
  timestampMs: number;
  /** Maximum amount of sun that the transaction may burn for energy. */
  feeLimit: bigint;
  /** A memo, which the owner signs with the contract: hexadecimal digits without `0x`. Absent without a memo. */
  memo?: string;
}

/** A recent block that a transaction refers to. */
export interface TronBlockRef {
  height: number;
  /** 64 digits. */
  id: string;
}

const typeNumbers = { TransferContract: 1n, CreateSmartContract: 30n, TriggerSmartContract: 31n } as const;

/**
 * Refers to a block that must precede the transaction. A node rejects the transaction if the block is not in its chain.
 */
export function refBlock({ height, id }: TronBlockRef): Pick<TronRawData, 'refBlockBytes' | 'refBlockHash'> {
  return {
    refBlockBytes: height.toString(16).padStart(4, '0').slice(-4),
    refBlockHash: id.slice(16, 32),
  };
}

/** Encodes the bytes to hash and sign (`Transaction.raw` of Tron's protobuf definition). */
export function encodeRawData(raw: TronRawData): Uint8Array {
  const { type } = raw.contract;
  const parameter = encodeMessage([
    [1, text(`type.googleapis.com/protocol.${type}`)],
    [2, encodeContract(raw.contract)],
  ]);
  return encodeMessage([
    [1, hex(raw.refBlockBytes)],
    [4, hex(raw.refBlockHash)],
    [8, BigInt(raw.expirationMs)],
    [10, hex(raw.memo ?? '')],
    [
      11,
      encodeMessage([
        [1, typeNumbers[type]],
        [2, parameter],
      ]),
    ],
    [14, BigInt(raw.timestampMs)],
    [18, raw.feeLimit],
  ]);
}

/**
 * Decodes the raw data of a transaction.
 * @throws Error for malformed bytes, or for a transaction of a kind that `TronContract` does not include
 */
export function decodeRawData(bytes: Uint8Array): TronRawData {
  const raw = decodeMessage(bytes);
  requireOnly(raw, [1, 3, 4, 8, 10, 11, 14, 18], 'The transaction');
  const contracts = raw.get(11) ?? [];
  if (contracts.length !== 1)
    throw new Error(`The transaction has ${contracts.length} contracts instead of one`);
  const contract = decodeMessage(bytesField(raw, 11));
  requireOnly(contract, [1, 2], 'The contract');
  const value = decodeMessage(bytesField(decodeMessage(bytesField(contract, 2)), 2));
  const memo = digits(bytesField(raw, 10));
  return {
    contract: decodeContract(numberField(contract, 1), value),
    refBlockBytes: digits(bytesField(raw, 1)),
    refBlockHash: digits(bytesField(raw, 4)),
    expirationMs: Number(numberField(raw, 8)),
    timestampMs: Number(numberField(raw, 14)),
    feeLimit: numberField(raw, 18),
    ...(memo !== '' && { memo }),
  };
}

/** Returns the id of a transaction: the SHA-256 of its raw data, 64 digits. */
export const tronTxId = (rawData: Uint8Array): string => sha256(rawData).slice(2);

function encodeContract(contract: TronContract): Uint8Array {
  const owner: ProtobufField = [1, address(contract.owner)];
  switch (contract.type) {
    case 'TransferContract':
      return encodeMessage([owner, [2, address(contract.to)], [3, contract.amount]]);
    case 'TriggerSmartContract':
      return encodeMessage([
        owner,
        [2, address(contract.contract)],
        [3, contract.callValue],
        [4, getBytes(contract.data)],
      ]);
    case 'CreateSmartContract':
      return encodeMessage([owner, [2, encodeCreation(contract)]]);
  }
}

function encodeCreation(creation: TronCreation): Uint8Array {
  return encodeMessage([
    [1, address(creation.owner)],
    [4, getBytes(creation.code)],
    [5, creation.callValue],
    [6, creation.callerPercent],
    [7, text(creation.name)],
    [8, creation.ownerEnergyLimit],
  ]);
}

function decodeContract(type: bigint, value: ProtobufMessage): TronContract {
  const owner = readAddress(value, 1);
  if (type === typeNumbers.TransferContract) {
    requireOnly(value, [1, 2, 3], 'TransferContract');
    return { type: 'TransferContract', owner, to: readAddress(value, 2), amount: numberField(value, 3) };
  }
  if (type === typeNumbers.TriggerSmartContract) {
    requireOnly(value, [1, 2, 3, 4], 'TriggerSmartContract');
    return {
      type: 'TriggerSmartContract',
      owner,
      contract: readAddress(value, 2),
      callValue: numberField(value, 3),
      data: hexlify(bytesField(value, 4)),
    };
  }
  if (type === typeNumbers.CreateSmartContract) {
    requireOnly(value, [1, 2], 'CreateSmartContract');
    return decodeCreation(owner, decodeMessage(bytesField(value, 2)));
  }
  throw new Error(`Contracts of type ${type} are not supported`);
}

function decodeCreation(owner: string, contract: ProtobufMessage): TronCreation {
  // Field 3 is the ABI, which is not executed.
  requireOnly(contract, [1, 3, 4, 5, 6, 7, 8], 'SmartContract');
  if (readAddress(contract, 1) !== owner) throw new Error('The contract has another origin than its owner');
  return {
    type: 'CreateSmartContract',
    owner,
    name: Buffer.from(bytesField(contract, 7)).toString(),
    code: hexlify(bytesField(contract, 4)),
    callValue: numberField(contract, 5),
    callerPercent: numberField(contract, 6),
    ownerEnergyLimit: numberField(contract, 8),
  };
}

/** Rejects unknown fields, because they could change the execution, for example the tokens of a call. */
function requireOnly(message: ProtobufMessage, known: readonly number[], name: string): void {
  const unknown = [...message.keys()].filter((number) => !known.includes(number));
  if (unknown.length > 0) throw new Error(`${name} has the unsupported fields ${unknown.join(', ')}`);
}

const hex = (text: string): Uint8Array => getBytes(`0x${text}`);
const digits = (bytes: Uint8Array): string => hexlify(bytes).slice(2);
const text = (value: string): Uint8Array => Buffer.from(value);
const address = (base58: string): Uint8Array => hex(tronToHexAddress(base58));
const readAddress = (message: ProtobufMessage, number: number): string =>
  hexToTronAddress(digits(bytesField(message, number)));
