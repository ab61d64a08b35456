import { tronToHexAddress } from '@tollbridge/onchain/tron';
import { FakeNode, hashOf } from '../testing/fake-node';
import {
  chainOf,
  contract,
  feeReceiver,
  merchant,
  otherContract,
  paidLog,
  payer,
  receiptOf,
  txId,
  usdt,
} from '../testing/fixtures';
import { adapterOver, kindOf, known, signed, transfer } from '../testing/test-adapter';

let one: FakeNode;
let two: FakeNode;
let warnings: Record<string, unknown>[];

beforeEach(() => {
  [one, two, warnings] = [new FakeNode(), new FakeNode(), []];
});

const adapterOf = () => adapterOver({ one, two, warnings }, ['one']);

describe('payments on Tron', () => {
  it('finds payments with one request for any number of orders', async () => {
    await adapterOf().nextUpdate(known(99), 10);
    expect(one.count('eth_getLogs')).toBe(1);
    expect(one.asked.length).toBeLessThanOrEqual(5);
  });

  it('catches up in steps of 2,000 blocks, with one request each', async () => {
    one.height = 30_000;
    const update = await adapterOf().nextUpdate(known(1_000), 10);
    expect(update).toMatchObject({ kind: 'advance', head: { height: 30_000 } });
    expect(update.kind === 'advance' && update.blocks.at(-1)!.height).toBe(3_000);
    expect(one.count('eth_getLogs')).toBe(1);
  });

  it('returns addresses in base58', async () => {
    one.results.set('eth_getLogs', [paidLog(100)]);
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({
      payments: [
        {
          payer,
          txHash: txId,
          blockHash: hashOf(100),
          logIndex: 3,
          fields: { token_in_address: usdt, merchant, fee_receiver: feeReceiver, amount_in: '100000000' },
        },
      ],
    });
  });

  it.each([
    ['a log of another contract', [paidLog(100, otherContract)]],
    ['a log of another block', [paidLog(99)]],
    ['the same log twice', [paidLog(100), paidLog(100)]],
    ['a log without topics', [{ ...paidLog(100), topics: [] }]],
    ['a log with a wrong number of digits', [{ ...paidLog(100), data: '0x123' }]],
    ['an object', { logs: [] }],
  ])('rejects %s', async (_name, logs) => {
    one.results.set('eth_getLogs', logs);
    expect(await kindOf(adapterOf().nextUpdate(known(99), 10))).toBe('badReply');
  });

  it('skips a payment with truncated data', async () => {
    const log = paidLog(100);
    one.results.set('eth_getLogs', [{ ...log, data: String(log['data']).slice(0, -128) }]);
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({ payments: [] });
  });

  it('finds payments to former contracts too', async () => {
    one.results.set('eth_getLogs', [paidLog(100, otherContract)]);
    const nodes = { one, two, warnings };
    const adapter = adapterOver(nodes, ['one'], { formerPayContracts: [otherContract] });
    const update = await adapter.nextUpdate(known(99), 10);
    expect(update).toMatchObject({ payments: [{ txHash: txId }] });
  });

  it("includes only payments to the order's contract in reports", async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, [paidLog(98, otherContract)]));
    expect(await adapterOf().readReport(txId, { contractAddress: contract })).toEqual({
      state: 'succeeded',
      height: 98,
      payments: [],
      paysOtherContract: true,
    });
  });

  it('reports a failed payment when the transaction was reverted', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, [paidLog(98)], '0x0'));
    expect(await adapterOf().readReport(txId, { contractAddress: contract })).toEqual({
      state: 'failed',
      height: 98,
    });
  });

  it('does not report a missing payment when the node fails', async () => {
    one.answers.set('wallet/gettransactionfrompending', { body: '{"Error":"class java.lang.Exception"}' });
    const report = adapterOf().readReport(txId, { contractAddress: contract });
    expect(await kindOf(report)).toBe('badReply');
  });

  it('reports a pending payment while a node has it, but no block includes it', async () => {
    const { txID, ...transaction } = signed(transfer);
    const report = () => adapterOf().readReport(txID, { contractAddress: contract });
    expect(await report()).toEqual({ state: 'notFound' });
    one.answers.set('wallet/gettransactionfrompending', { body: JSON.stringify({ txID, ...transaction }) });
    expect(await report()).toEqual({ state: 'pending' });
    // A node cannot invent a transaction: these bytes do not match the id.
    one.answers.set('wallet/gettransactionfrompending', {
      body: JSON.stringify({ txID, raw_data_hex: '00' }),
    });
    expect(await kindOf(report())).toBe('badReply');
  });
});

describe('transfers on Tron', () => {
  const wanted = { txHash: txId, token: { address: usdt }, receiver: merchant };
  const seenIn = { height: 98, hash: hashOf(98) };

  it.each([
    ['unmined without a receipt', null, 'unmined'],
    ['unavailable while the chain still has the block of the transaction', seenIn, 'unavailable'],
    ['unmined when another block has replaced that block', { ...seenIn, hash: hashOf(1) }, 'unmined'],
    ['unavailable when the node lacks that block', { height: 101, hash: hashOf(101) }, 'unavailable'],
  ])('returns %s', async (_name, seen, kind) => {
    expect(await adapterOf().readTransfers([{ ...wanted, seenIn: seen }])).toMatchObject([{ kind }]);
  });

  it('counts only a successful transfer in the block of its height', async () => {
    const { txID, ...transaction } = signed(transfer);
    const receipt = { ...receiptOf(98, []), transactionHash: `0x${txID}` };
    one.answers.set('wallet/gettransactionbyid', { body: JSON.stringify({ txID, ...transaction }) });
    const read = () =>
      adapterOf().readTransfers([
        { txHash: txID, token: { address: null }, receiver: merchant, seenIn: null },
      ]);
    one.results.set('eth_getTransactionReceipt', receipt);
    expect(await read()).toMatchObject([
      { kind: 'mined', confirmations: 3, transfers: [{ amountAtomic: 5n }] },
    ]);
    one.results.set('eth_getTransactionReceipt', { ...receipt, status: '0x0' });
    expect(await read()).toMatchObject([{ kind: 'mined', isSuccessful: false, transfers: [] }]);
    one.results.set('eth_getTransactionReceipt', { ...receipt, blockHash: `0x${hashOf(7)}` });
    expect(await read()).toEqual([{ kind: 'unavailable' }]);
  });

  it('reads transfers with one request below wallet/ at a time', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, []));
    const handle = one.handle;
    let [open, most] = [0, 0];
    one.handle = async (...request) => {
      most = Math.max(most, ++open);
      return handle(...request).finally(() => open--);
    };
    await adapterOf().readTransfers(Array.from({ length: 5 }, () => ({ ...wanted, seenIn: null })));
    expect(one.count('wallet/gettransactionbyid')).toBe(5);
    expect(most).toBe(1);
  });

  it('returns unavailable when the node lacks the signed transaction', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, []));
    expect(await adapterOf().readTransfers([{ ...wanted, seenIn: null }])).toEqual([{ kind: 'unavailable' }]);
  });

  it.each([
    ['a text', '1000'],
    ['more than 256 bits', `0x${'f'.repeat(65)}`],
    ['nothing', null],
    ['less than a word', '0x01'],
  ])('rejects a balance that is %s', async (_name, result) => {
    one.results.set('eth_getBalance', result === '0x01' ? '0x' : result);
    one.results.set('eth_call', result);
    const [usdtToken, coin] = ['USDT', 'TRX'].map((symbol) =>
      chainOf([]).tokens.find((it) => it.symbol === symbol)!,
    );
    expect(await kindOf(adapterOf().balanceAtomic(payer, usdtToken!))).toBe('badReply');
    expect(await kindOf(adapterOf().balanceAtomic(payer, coin!))).toBe('badReply');
  });
});

describe('coins that contracts send on Tron', () => {
  const block = { height: 98, hash: hashOf(98), timeMs: 0 };
  const hex = (address: string) => tronToHexAddress(address);
  /** A full node's answer for a contract wallet that sends 7 sun, with the fields in the node's order. */
  const internal = (changes: object = {}) => ({
    hash: 'ab'.repeat(32),
    caller_address: hex(otherContract),
    transferTo_address: hex(merchant),
    callValueInfo: [{ callValue: 7 }],
    note: '63616c6c',
    ...changes,
  });
  const received = (info: object) => {
    one.answers.set('wallet/gettransactioninfobyid', { body: JSON.stringify(info) });
    return adapterOf().receivedCoins({ txHash: txId, receiver: merchant, block });
  };
  const listed = (...list: unknown[]) => received({ id: txId, internal_transactions: list });

  it('reports coins that reach an account by an internal transaction', async () => {
    expect(await listed(internal({ callValueInfo: [{}] }), internal())).toBe(true);
  });

  it.each([
    ['to another account', { transferTo_address: hex(payer) }],
    ['that was rejected', { rejected: true }],
    ['without coins', { callValueInfo: [{}] }],
    ['with a TRC-10 token', { callValueInfo: [{ callValue: 7, tokenId: '1000001' }] }],
    ['without values', { callValueInfo: undefined }],
  ])('reports no coins for an internal transaction %s', async (_name, changes) => {
    expect(await listed(internal(changes))).toBe(false);
  });

  it('returns null if the node lists no internal transactions, or lacks the transaction', async () => {
    expect(await received({ id: txId })).toBeNull();
    expect(await received({})).toBeNull();
  });

  it.each([
    ['of another transaction', { id: 'aa'.repeat(32), internal_transactions: [] }],
    ['with an object as the list', { id: txId, internal_transactions: {} }],
    ['with a wrong address', { id: txId, internal_transactions: [internal({ transferTo_address: '41' })] }],
  ])('rejects an answer %s', async (_name, info) => {
    expect(await kindOf(received(info))).toBe('badReply');
  });
});
