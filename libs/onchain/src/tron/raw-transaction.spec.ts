import { createHash } from 'node:crypto';
import { TronWeb, utils } from 'tronweb';
import { tronMerchant, tronPayer, tronUsdt } from '../testing/tron-order.builder';
import { tronContractAddress } from './contract-address';
import {
  decodeRawData,
  encodeRawData,
  refBlock,
  tronTxId,
  type TronContract,
  type TronRawData,
} from './raw-transaction';
import { unsignedTransaction } from './transaction-json';

const { txJsonToPb, txPbToRawDataHex, txPbToTxID } = utils.transaction;
const blockId = '0000000005f5e100aabbccddeeff00112233445566778899aabbccddeeff0011';

const contracts: TronContract[] = [
  { type: 'TransferContract', owner: tronPayer, to: tronMerchant, amount: 1n },
  { type: 'TriggerSmartContract', owner: tronPayer, contract: tronUsdt, callValue: 0n, data: '0x' },
  {
    type: 'TriggerSmartContract',
    owner: tronPayer,
    contract: tronUsdt,
    callValue: 9_007_199_254_740_991n,
    data: `0x${'ab'.repeat(500)}`,
  },
  {
    type: 'CreateSmartContract',
    owner: tronPayer,
    name: 'TollbridgePay',
    code: `0x${'60'.repeat(4_000)}`,
    callValue: 0n,
    callerPercent: 100n,
    ownerEnergyLimit: 1n,
  },
];

function rawData(contract: TronContract): TronRawData {
  return {
    contract,
    ...refBlock({ height: 100_000_000, id: blockId }),
    expirationMs: 1_790_000_060_000,
    timestampMs: 1_790_000_000_000,
    feeLimit: 100_000_000n,
  };
}

describe('Transactions of Tron', () => {
  it.each(contracts)('have the same bytes and id as in tronweb: %#', (contract) => {
    const { txID, raw_data_hex, raw_data } = unsignedTransaction(rawData(contract));

    const message = txJsonToPb({ visible: false, txID, raw_data_hex, raw_data: JSON.parse(raw_data) });

    expect(txPbToRawDataHex(message).toLowerCase()).toBe(raw_data_hex);
    expect(txPbToTxID(message)).toBe(`0x${txID}`);
    expect(txID).toBe(createHash('sha256').update(Buffer.from(raw_data_hex, 'hex')).digest('hex'));
  });

  it('have the same bytes and id as in tronweb with a memo', () => {
    const memo = Buffer.from('tbpl:0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d').toString('hex');
    const raw = { ...rawData(contracts[0]!), memo };
    const { txID, raw_data_hex, raw_data } = unsignedTransaction(raw);

    const message = txJsonToPb({ visible: false, txID, raw_data_hex, raw_data: JSON.parse(raw_data) });

    expect(txPbToRawDataHex(message).toLowerCase()).toBe(raw_data_hex);
    expect(decodeRawData(Buffer.from(raw_data_hex, 'hex'))).toEqual(raw);
  });

  it.each(contracts)('decode to the encoded values: %#', (contract) => {
    expect(decodeRawData(encodeRawData(rawData(contract)))).toEqual(rawData(contract));
  });

  it('keep amounts above 2^53 exact', () => {
    const amount = 2n ** 63n - 1n;
    const raw = rawData({ type: 'TransferContract', owner: tronPayer, to: tronMerchant, amount });

    expect(decodeRawData(encodeRawData(raw))).toEqual(raw);
    expect(unsignedTransaction(raw).raw_data).toContain('"amount":9223372036854775807}');
  });

  it('cannot be encoded with an amount of 64 bits', () => {
    const amount = 2n ** 63n;
    const raw = rawData({ type: 'TransferContract', owner: tronPayer, to: tronMerchant, amount });

    expect(() => encodeRawData(raw)).toThrow('does not fit into 63 bits');
  });

  it('identify the recent block by two bytes of its height and eight bytes of its id', () => {
    expect(refBlock({ height: 0x12345678, id: blockId })).toEqual({
      refBlockBytes: '5678',
      refBlockHash: 'aabbccddeeff0011',
    });
    expect(refBlock({ height: 5, id: blockId }).refBlockBytes).toBe('0005');
  });
});

describe('decodeRawData', () => {
  const complete = encodeRawData(rawData(contracts[2]!));

  it('rejects a transaction that is truncated or lacks its contract', () => {
    const accepted = Array.from(complete, (_, length) => complete.subarray(0, length)).filter(isDecodable);

    // Two truncations leave a valid message: before the time, and before the fee limit.
    expect(accepted.map(({ length }) => complete.length - length)).toEqual([13, 6]);
  });

  it.each<[string, string]>([
    ['an authority', '4a00'],
    ['scripts', '620101'],
    ['a second contract', '5a00'],
    ['a number of more than ten bytes', `08${'ff'.repeat(10)}01`],
    ['a field of another type', '0d00000000'],
    ['a height that is a number', '0801'],
  ])('rejects %s', (_, extra) => {
    const bytes = Buffer.concat([complete, Buffer.from(extra, 'hex')]);

    expect(isDecodable(bytes)).toBe(false);
  });

  it('rejects a call with TRC-10 tokens', () => {
    const value = { owner_address: hexOf(tronPayer), contract_address: hexOf(tronUsdt) };
    const call = { ...value, call_token_value: 5, token_id: 1_000_001, data: 'ab' };

    expect(() => decodeRawData(encodedByTronweb('TriggerSmartContract', call))).toThrow('unsupported fields');
  });

  it('rejects a transaction that another permission of the account signs', () => {
    const transfer = { owner_address: hexOf(tronPayer), to_address: hexOf(tronMerchant), amount: 1 };

    expect(() => decodeRawData(encodedByTronweb('TransferContract', transfer, 2))).toThrow(
      'The contract has the unsupported fields 5',
    );
  });

  it('rejects an unknown kind of contract', () => {
    const freeze = { owner_address: hexOf(tronPayer), frozen_balance: 1_000_000, resource: 'ENERGY' };

    expect(() => decodeRawData(encodedByTronweb('FreezeBalanceV2Contract', freeze))).toThrow(
      'Contracts of type 54 are not supported',
    );
  });
});

describe('tronContractAddress', () => {
  it('returns the same address as tronweb', async () => {
    const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' });
    const blockHeader = {
      ref_block_bytes: '0005',
      ref_block_hash: 'aabbccddeeff0011',
      expiration: 1_790_000_060_000,
      timestamp: 1_790_000_000_000,
    };
    const options = { abi: [], bytecode: '6000', name: 'X', feeLimit: 1_000_000, blockHeader };
    const transaction = await tronWeb.transactionBuilder.createSmartContract(options, tronPayer);

    const address = tronContractAddress(transaction.txID, tronPayer);

    expect(hexOf(address)).toBe(transaction.contract_address.toLowerCase());
    expect(tronTxId(Buffer.from(transaction.raw_data_hex, 'hex'))).toBe(transaction.txID);
  });
});

const hexOf = (address: string): string => TronWeb.address.toHex(address).toLowerCase();

function isDecodable(bytes: Uint8Array): boolean {
  try {
    decodeRawData(bytes);
    return true;
  } catch {
    return false;
  }
}

function encodedByTronweb(type: string, value: object, Permission_id?: number): Uint8Array {
  const parameter = { value, type_url: `type.googleapis.com/protocol.${type}` };
  const contract = [{ parameter, type, ...(Permission_id === undefined ? {} : { Permission_id }) }];
  const times = { expiration: 1_790_000_060_000, timestamp: 1_790_000_000_000 };
  const raw_data = { contract, ref_block_bytes: '0005', ref_block_hash: 'aabbccddeeff0011', ...times };
  const message = txJsonToPb({ visible: false, txID: '', raw_data_hex: '', raw_data } as never);
  return Buffer.from(txPbToRawDataHex(message), 'hex');
}
