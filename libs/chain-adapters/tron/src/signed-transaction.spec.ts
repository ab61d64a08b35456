import { UnreadableReply } from '@tollbridge/http';
import { bytesField, decodeMessage, encodeMessage, type TronContract } from '@tollbridge/onchain/tron';
import { readSignedTransaction } from './signed-transaction';
import { merchant, payer, usdt } from './testing/fixtures';
import { replyOf, signed, transfer } from './testing/test-adapter';

const read = (reply: { txID: string }) => readSignedTransaction(reply, reply.txID);

describe('readSignedTransaction', () => {
  it('parses a transfer of coins with its memo', () => {
    expect(read(signed(transfer, Buffer.from('thanks').toString('hex')))).toEqual({
      action: { kind: 'transfer', owner: payer, to: merchant, valueAtomic: 5n, data: '' },
      memo: 'thanks',
    });
  });

  it('parses a call', () => {
    const call: TronContract = {
      type: 'TriggerSmartContract',
      owner: payer,
      contract: usdt,
      callValue: 0n,
      data: '0xa9059cbb',
    };
    expect(read(signed(call))).toEqual({
      action: { kind: 'call', owner: payer, to: usdt, valueAtomic: 0n, data: 'a9059cbb' },
      memo: '',
    });
  });

  it('parses a transfer that several keys of an account signed', () => {
    const bytes = Buffer.from(signed(transfer).raw_data_hex, 'hex');
    // The last field of the contract is the id of the permission.
    const contract = encodeMessage([
      [1, 1n],
      [2, parameterOf(bytes)],
      [5, 2n],
    ]);
    expect(read(replyOf(encodeMessage([[11, contract]])))).toMatchObject({ action: { to: merchant } });
  });

  it.each([
    ['another kind of transaction', encodeMessage([[11, encodeMessage([[1, 2n]])]])],
    ['two transfers', encodeMessage([...contractsOf(transfer), ...contractsOf(transfer)])],
    ['no contract', encodeMessage([[8, 1n]])],
    ['bytes that are not a transaction', Uint8Array.from([0xff, 0xff, 0xff])],
    ['a contract that is cut off', encodeMessage([[11, Uint8Array.from([8, 1, 18, 100])]])],
  ])('returns no action for %s', (_name, bytes) => {
    expect(read(replyOf(bytes))).toEqual({ action: null, memo: '' });
  });

  // Nodes drop the upper bits of a field's number, and the last value of a field counts. They would transfer 1 sun.
  it.each([
    ['33 bits', [0x98, 0x80, 0x80, 0x80, 0x10]],
    ['ten bytes', [0x98, 0x80, 0x80, 0x80, 0x90, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ])('returns no action for a second amount hidden in a field number of %s', (_name, key) => {
    const { raw_data_hex } = signed({ ...transfer, amount: 1_000_000_000_000n } as TronContract);
    const honest = bytesField(decodeMessage(parameterOf(Buffer.from(raw_data_hex, 'hex'))), 2);
    const parameter = encodeMessage([
      [1, Buffer.from('type.googleapis.com/protocol.TransferContract')],
      [2, Uint8Array.from([...honest, ...key, 1])],
    ]);
    const contract = encodeMessage([
      [1, 1n],
      [2, parameter],
    ]);
    expect(read(replyOf(encodeMessage([[11, contract]])))).toMatchObject({ action: null });
  });

  it('returns null for a transaction that the node does not have', () => {
    expect(readSignedTransaction({}, 'ef'.repeat(32))).toBeNull();
  });

  it.each([
    ['a list', []],
    ['no bytes', { txID: 'ef'.repeat(32) }],
    ['bytes that are not hex', { txID: 'ef'.repeat(32), raw_data_hex: 'xyz0' }],
    ['the bytes of another transaction', signed(transfer)],
    ['more bytes than a transaction has', { txID: 'ef'.repeat(32), raw_data_hex: '00'.repeat(600_000) }],
  ])('rejects %s', (_name, reply) => {
    expect(() => readSignedTransaction(reply, 'ef'.repeat(32))).toThrow(UnreadableReply);
  });
});

/** Wraps the contracts of a transaction with one contract as fields of another transaction. */
function contractsOf(contract: TronContract): [number, Uint8Array][] {
  const raw = decodeMessage(Buffer.from(signed(contract).raw_data_hex, 'hex'));
  return [[11, bytesField(raw, 11)]];
}

/** Returns the contract's parameter in a transaction with one contract. */
function parameterOf(raw: Buffer): Uint8Array {
  const type = Buffer.from('type.googleapis.com/protocol.TransferContract');
  const start = raw.indexOf(type) - 2;
  return raw.subarray(start, start + 2 + raw[start + 1]! + 2 + raw[start + 2 + raw[start + 1]! + 1]!);
}
