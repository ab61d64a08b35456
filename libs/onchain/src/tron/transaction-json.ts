import { tronToHexAddress } from './address';
import { encodeRawData, tronTxId, type TronContract, type TronRawData } from './raw-transaction';

/** An unsigned transaction in the form that `tronWeb.trx.sign` and `wallet/broadcasttransaction` accept. */
export interface UnsignedTronTransaction {
  /** 64 digits, without `0x`. */
  txID: string;
  raw_data_hex: string;
  /** JSON text of the same raw data. */
  raw_data: string;
}

/** A JSON value with numbers that may exceed 2^53. */
export type ExactJson = null | boolean | number | bigint | string | readonly ExactJson[] | ExactJsonObject;
export interface ExactJsonObject {
  readonly [key: string]: ExactJson | undefined;
}

export function unsignedTransaction(raw: TronRawData): UnsignedTronTransaction {
  const bytes = encodeRawData(raw);
  return {
    txID: tronTxId(bytes),
    raw_data_hex: Buffer.from(bytes).toString('hex'),
    raw_data: exactJson(rawDataJson(raw)),
  };
}

/** Converts raw data to the form of the nodes' interface: hexadecimal addresses, and no zero fields. */
export function rawDataJson(raw: TronRawData): ExactJsonObject {
  const { contract, feeLimit } = raw;
  return {
    contract: [
      {
        parameter: {
          value: contractJson(contract),
          type_url: `type.googleapis.com/protocol.${contract.type}`,
        },
        type: contract.type,
      },
    ],
    ref_block_bytes: raw.refBlockBytes,
    ref_block_hash: raw.refBlockHash,
    expiration: raw.expirationMs,
    data: raw.memo,
    fee_limit: unlessZero(feeLimit),
    timestamp: raw.timestampMs === 0 ? undefined : raw.timestampMs,
  };
}

/** Serialises to JSON and writes every `bigint` with all of its digits. Omits undefined fields. */
export function exactJson(value: ExactJson): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (isList(value)) return `[${value.map(exactJson).join()}]`;
  const entries = Object.entries(value).filter(([, it]) => it !== undefined);
  return `{${entries.map(([key, it]) => `${JSON.stringify(key)}:${exactJson(it!)}`).join()}}`;
}

function contractJson(contract: TronContract): ExactJsonObject {
  const owner_address = tronToHexAddress(contract.owner);
  switch (contract.type) {
    case 'TransferContract':
      return { owner_address, to_address: tronToHexAddress(contract.to), amount: contract.amount };
    case 'TriggerSmartContract':
      return {
        owner_address,
        contract_address: tronToHexAddress(contract.contract),
        call_value: unlessZero(contract.callValue),
        data: contract.data === '0x' ? undefined : contract.data.slice(2),
      };
    case 'CreateSmartContract':
      return {
        owner_address,
        new_contract: {
          origin_address: owner_address,
          bytecode: contract.code.slice(2),
          call_value: unlessZero(contract.callValue),
          consume_user_resource_percent: unlessZero(contract.callerPercent),
          name: contract.name === '' ? undefined : contract.name,
          origin_energy_limit: unlessZero(contract.ownerEnergyLimit),
        },
      };
  }
}

const unlessZero = (value: bigint): bigint | undefined => (value === 0n ? undefined : value);
const isList = (value: object): value is readonly ExactJson[] => Array.isArray(value);
