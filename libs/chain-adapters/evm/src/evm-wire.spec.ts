import { inChainOrder, readBlock, readBlockAt, readLog, readReceipt, readTransaction } from './evm-wire';
import { MalformedReply, quantityField, safeNumberField } from './wire-fields';

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
    expect(quantityField(value, 'it')).toBe(amount);
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
    expect(() => quantityField(value, 'it')).toThrow(new MalformedReply('it'));
  });

  it('rejects a height above the safe integers', () => {
    expect(safeNumberField('0x1fffffffffffff', 'it')).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => safeNumberField('0x20000000000000', 'it')).toThrow(MalformedReply);
  });
});

describe('block', () => {
  it('is parsed with lower-case hashes', () => {
    const expected = { height: 16, hash: hash('aa'), parentHash: hash('bb'), timestamp: 0x65e3c1a0 };
    expect(readBlock(block)).toEqual(expected);
    expect(readBlockAt(block, 16)).toEqual(expected);
  });

  it('can be missing, but not of another height', () => {
    expect(readBlockAt(null, 16)).toBeNull();
    expect(() => readBlockAt(block, 17)).toThrow(new MalformedReply('block.number'));
  });

  it.each([
    ['number', null],
    ['number', 16],
    ['hash', null],
    ['hash', '0x12'],
    ['parentHash', undefined],
    ['timestamp', '1700000000'],
  ])('is rejected with %s %j', (field, value) => {
    expect(() => readBlock({ ...block, [field]: value })).toThrow(new MalformedReply(`block.${field}`));
  });

  it.each([[undefined], ['0x10'], [[block]]])('is rejected as %j', (value) => {
    expect(() => readBlockAt(value, 16)).toThrow(new MalformedReply('block'));
  });
});

describe('log', () => {
  it('is parsed in lower case', () => {
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
  ])('is rejected with %s %j', (field, value) => {
    expect(() => readLog({ ...log, [field]: value })).toThrow(new MalformedReply(`log.${field}`));
  });

  it('is sorted by position, and a repeated position is rejected', () => {
    const at = (height: number, logIndex: number) => ({ ...readLog(log), height, logIndex });
    expect(inChainOrder([at(2, 0), at(1, 10), at(1, 9)])).toEqual([at(1, 9), at(1, 10), at(2, 0)]);
    expect(() => inChainOrder([at(1, 0), at(2, 0), at(1, 0)])).toThrow(new MalformedReply('log.logIndex'));
  });
});

describe('receipt', () => {
  it('is parsed', () => {
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
  ])('is rejected with %s %j', (field, value) => {
    const read = () => readReceipt({ ...receipt, [field]: value }, hash('ee'));
    expect(read).toThrow(new MalformedReply(`receipt.${field}`));
  });

  it('is rejected with two logs at one position', () => {
    expect(() => readReceipt({ ...receipt, logs: [log, log] }, hash('ee'))).toThrow(MalformedReply);
  });
});

describe('transaction', () => {
  it('is parsed, mined or pending', () => {
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
  ])('is rejected with %s %j', (field, value) => {
    const read = () => readTransaction({ ...transaction, [field]: value }, hash('ee'));
    expect(read).toThrow(new MalformedReply(`transaction.${field}`));
  });
});
