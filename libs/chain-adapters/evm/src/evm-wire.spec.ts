import { UnreadableReply } from '@tollbridge/http';
import { inChainOrder, readBlock, readBlockAt, readLog, readReceipt, readTransaction } from './evm-wire';
import { readQuantity, readSafeQuantity } from './wire-fields';

const hash = (byte: string): string => `0x${byte.repeat(32)}`;
const address = (byte: string): string => `0x${byte.repeat(20)}`;

const block = { number: '0x10', hash: hash('Aa'), parentHash: hash('bb'), timestamp: '0x65e3c1a0' };
const log = {
  address: address('Cd'),
  topics: [hash('01'), hash('0A')],
  data: '0xFF00',
  blockHash: hash('aa'),
  blockNumber: '0x10',
  transactionHash: hash('ee'),
  logIndex: '0x3',
  removed: false,
};
const receipt = {
  transactionHash: hash('ee'),
  blockHash: hash('aa'),
  blockNumber: '0x10',
  status: '0x1',
  from: address('01'),
  to: address('CD'),
  gasUsed: '0x5208',
  effectiveGasPrice: '0x77359400',
  logs: [log],
};
const transaction = {
  hash: hash('ee'),
  from: address('01'),
  to: address('CD'),
  nonce: '0x7',
  value: '0xde0b6b3a7640000',
  input: '0x',
  blockHash: hash('aa'),
  blockNumber: '0x10',
};

describe('quantity', () => {
  it.each([
    ['0x0', 0n],
    ['0xfF', 255n],
    [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
  ])('parses %s', (value, amount) => {
    expect(readQuantity(value, 'it')).toBe(amount);
  });

  it.each([
    ['0x'],
    ['0x00'],
    ['0x01'],
    ['ff'],
    ['-0x1'],
    ['0x1 '],
    ['0xg'],
    [1],
    [null],
    [`0x1${'0'.repeat(64)}`],
  ])('rejects %j', (value) => {
    expect(() => readQuantity(value, 'it')).toThrow('it is not a quantity');
  });

  it('rejects a height above the safe integers', () => {
    expect(readSafeQuantity('0x1fffffffffffff', 'it')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => readSafeQuantity('0x20000000000000', 'it')).toThrow(UnreadableReply);
  });
});

describe('readBlock', () => {
  it('returns hashes in lower case', () => {
    const expected = { height: 16, hash: hash('aa'), parentHash: hash('bb'), timestamp: 0x65e3c1a0 };
    expect(readBlock(block)).toEqual(expected);
    expect(readBlockAt(block, 16)).toEqual(expected);
  });

  it('returns null for a missing block, and rejects a block of another height', () => {
    expect(readBlockAt(null, 16)).toBeNull();
    expect(() => readBlockAt(block, 17)).toThrow(new UnreadableReply('block.number is malformed'));
  });

  it.each([
    ['number', null],
    ['number', 16],
    ['hash', null],
    ['hash', '0x12'],
    ['parentHash', undefined],
    ['timestamp', '1700000000'],
  ])('rejects %s %j', (field, value) => {
    expect(() => readBlock({ ...block, [field]: value })).toThrow(`block.${field} is `);
  });

  it.each([[undefined], ['0x10'], [[block]]])('rejects %j', (value) => {
    expect(() => readBlockAt(value, 16)).toThrow('block is not an object');
  });
});

describe('readLog', () => {
  it('returns addresses and hashes in lower case', () => {
    expect(readLog(log)).toEqual({
      address: address('cd'),
      topics: [hash('01'), hash('0a')],
      data: '0xff00',
      blockHash: hash('aa'),
      height: 16,
      txHash: hash('ee'),
      logIndex: 3,
    });
  });

  it.each([
    ['address', '0x00'],
    ['topics', null],
    ['topics', ['0x01']],
    ['topics', Array(5).fill(hash('01'))],
    ['data', '0xf'],
    ['data', null],
    ['blockHash', null],
    ['blockNumber', null],
    ['transactionHash', null],
    ['logIndex', null],
    ['removed', true],
  ])('rejects %s %j', (field, value) => {
    expect(() => readLog({ ...log, [field]: value })).toThrow(`log.${field} is `);
  });

  it('sorts logs by position, and rejects a repeated position', () => {
    const at = (height: number, logIndex: number) => ({ ...readLog(log), height, logIndex });
    expect(inChainOrder([at(2, 0), at(1, 10), at(1, 9)])).toEqual([at(1, 9), at(1, 10), at(2, 0)]);
    expect(() => inChainOrder([at(1, 0), at(2, 0), at(1, 0)])).toThrow(
      new UnreadableReply('log.logIndex is malformed'),
    );
  });
});

describe('readReceipt', () => {
  it('reads every field', () => {
    expect(readReceipt(receipt, hash('ee'))).toEqual({
      txHash: hash('ee'),
      blockHash: hash('aa'),
      height: 16,
      succeeded: true,
      from: address('01'),
      to: address('cd'),
      gasUsed: 21_000n,
      gasPriceAtomic: 2_000_000_000n,
      logs: [readLog(log)],
    });
    expect(readReceipt({ ...receipt, status: '0x0', to: null, logs: [] }, hash('ee'))).toMatchObject({
      succeeded: false,
      to: null,
      logs: [],
    });
    expect(readReceipt(null, hash('ee'))).toBeNull();
  });

  it.each([
    ['transactionHash', hash('ef')],
    ['blockHash', null],
    ['blockNumber', null],
    ['status', undefined],
    ['status', '0x2'],
    ['status', true],
    ['from', null],
    ['to', '0x'],
    ['gasUsed', '21000'],
    ['effectiveGasPrice', 21000],
    ['logs', undefined],
    ['logs', [{ ...log, transactionHash: hash('ef') }]],
    ['logs', [{ ...log, blockHash: hash('ab') }]],
    ['logs', [{ ...log, blockNumber: '0x11' }]],
  ])('rejects %s %j', (field, value) => {
    const read = () => readReceipt({ ...receipt, [field]: value }, hash('ee'));
    expect(read).toThrow(`receipt.${field} is `);
  });

  it('rejects two logs at one position', () => {
    expect(() => readReceipt({ ...receipt, logs: [log, log] }, hash('ee'))).toThrow(UnreadableReply);
  });
});

describe('readTransaction', () => {
  it('reads a mined and a pending transaction', () => {
    const mined = {
      hash: hash('ee'),
      from: address('01'),
      to: address('cd'),
      nonce: 7,
      valueAtomic: 10n ** 18n,
      data: '0x',
      blockHash: hash('aa'),
      height: 16,
    };
    expect(readTransaction(transaction, hash('ee'))).toEqual(mined);
    const waiting = { ...transaction, to: null, blockHash: null, blockNumber: null };
    expect(readTransaction(waiting, hash('ee'))).toEqual({
      ...mined,
      to: null,
      blockHash: null,
      height: null,
    });
    expect(readTransaction(null, hash('ee'))).toBeNull();
  });

  it.each([
    ['hash', hash('ef')],
    ['from', null],
    ['to', 'no address'],
    ['nonce', 7],
    ['value', '1.5'],
    ['input', undefined],
    ['blockHash', '0x'],
    ['blockNumber', null],
  ])('rejects %s %j', (field, value) => {
    const read = () => readTransaction({ ...transaction, [field]: value }, hash('ee'));
    expect(read).toThrow(`transaction.${field} is `);
  });
});
