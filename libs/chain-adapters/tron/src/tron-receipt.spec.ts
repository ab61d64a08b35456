import { UnreadableReply } from '@tollbridge/http';
import { paidLog, receiptOf, txId } from './testing/fixtures';
import { readTronReceipt } from './tron-receipt';

const receipt = receiptOf(100, [paidLog(100)]);

describe('readTronReceipt', () => {
  it('returns block, result and logs', () => {
    expect(readTronReceipt(receipt, txId)).toMatchObject({
      height: 100,
      blockHash: receipt.blockHash,
      succeeded: true,
      logs: [{ logIndex: 3, txHash: `0x${txId}` }],
    });
  });

  it('returns a failure', () => {
    expect(readTronReceipt({ ...receipt, logs: [], status: '0x0' }, txId)).toMatchObject({
      succeeded: false,
    });
  });

  it('returns null for a transaction that is not in a block', () => {
    expect(readTronReceipt(null, txId)).toBeNull();
  });

  it.each([
    ['a text', 'x'],
    ['a list', [receipt]],
    ['the receipt of another transaction', { ...receipt, transactionHash: `0x${'11'.repeat(32)}` }],
    ['no block', { ...receipt, blockHash: undefined }],
    ['a height above 2^53', { ...receipt, blockNumber: '0xffffffffffffffff' }],
    ['an invalid status', { ...receipt, status: '0x2' }],
    ['no status', { ...receipt, status: undefined }],
    ['no list of logs', { ...receipt, logs: null }],
    [
      'a log of another transaction',
      receiptOf(100, [{ ...paidLog(100), transactionHash: `0x${'11'.repeat(32)}` }]),
    ],
    ['a log of another block', receiptOf(100, [paidLog(99)])],
    ['a removed log', receiptOf(100, [{ ...paidLog(100), removed: true }])],
    ['the same log twice', receiptOf(100, [paidLog(100), paidLog(100)])],
  ])('rejects %s', (_name, reply) => {
    expect(() => readTronReceipt(reply, txId)).toThrow(UnreadableReply);
  });
});
