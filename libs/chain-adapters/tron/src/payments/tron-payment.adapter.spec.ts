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
import { adapterOver, kindOf, known, signedTransfer } from '../testing/test-adapter';

let one: FakeNode;
let two: FakeNode;
let warnings: Record<string, unknown>[];

beforeEach(() => {
  [one, two, warnings] = [new FakeNode(), new FakeNode(), []];
});

const adapterOf = () => adapterOver({ one, two, warnings }, ['one']);

describe('Payments on Tron', () => {
  it('are found with one question, whatever the number of orders', async () => {
    await adapterOf().nextUpdate(known(99), 10);
    expect(one.count('eth_getLogs')).toBe(1);
    expect(one.asked.length).toBeLessThanOrEqual(5);
  });

  it('are caught up in steps of 2,000 blocks, with one question each', async () => {
    one.height = 30_000;
    const update = await adapterOf().nextUpdate(known(1_000), 10);
    expect(update).toMatchObject({ kind: 'advance', head: { height: 30_000 } });
    expect(update.kind === 'advance' && update.blocks.at(-1)!.height).toBe(3_000);
    expect(one.count('eth_getLogs')).toBe(1);
  });

  it('are read with addresses in base58', async () => {
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
    ['a log with a wrong amount of digits', [{ ...paidLog(100), data: '0x123' }]],
    ['an object', { logs: [] }],
  ])('are not read from %s', async (_name, logs) => {
    one.results.set('eth_getLogs', logs);
    expect(await kindOf(adapterOf().nextUpdate(known(99), 10))).toBe('badReply');
  });

  it('are passed over when their data is cut off', async () => {
    const log = paidLog(100);
    one.results.set('eth_getLogs', [{ ...log, data: String(log['data']).slice(0, -128) }]);
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({ payments: [] });
  });

  it('are found on former contracts too', async () => {
    one.results.set('eth_getLogs', [paidLog(100, otherContract)]);
    const nodes = { one, two, warnings };
    const adapter = adapterOver(nodes, ['one'], { formerPayContracts: [otherContract] });
    const update = await adapter.nextUpdate(known(99), 10);
    expect(update).toMatchObject({ payments: [{ txHash: txId }] });
  });

  it('count in reports only from the contract of the order', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, [paidLog(98, otherContract)]));
    expect(await adapterOf().readReport(txId, { contractAddress: contract })).toEqual({
      state: 'succeeded',
      height: 98,
      payments: [],
      paysOtherContract: true,
    });
  });

  it('are failed when the transaction was reverted', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, [paidLog(98)], '0x0'));
    expect(await adapterOf().readReport(txId, { contractAddress: contract })).toEqual({
      state: 'failed',
      height: 98,
    });
  });

  it('are not missing when the node fails', async () => {
    one.answers.set('wallet/gettransactionfrompending', { body: '{"Error":"class java.lang.Exception"}' });
    const report = adapterOf().readReport(txId, { contractAddress: contract });
    expect(await kindOf(report)).toBe('badReply');
  });

  it('are pending while a node has them in no block', async () => {
    const { txID, ...transaction } = signedTransfer();
    const report = () => adapterOf().readReport(txID, { contractAddress: contract });
    expect(await report()).toEqual({ state: 'notFound' });
    one.answers.set('wallet/gettransactionfrompending', { body: JSON.stringify({ txID, ...transaction }) });
    expect(await report()).toEqual({ state: 'pending' });
    // A node cannot make up a transaction: these are not the bytes of this id.
    one.answers.set('wallet/gettransactionfrompending', {
      body: JSON.stringify({ txID, raw_data_hex: '00' }),
    });
    expect(await kindOf(report())).toBe('badReply');
  });
});

describe('Transfers on Tron', () => {
  const wanted = { txHash: txId, token: { address: usdt }, receiver: merchant };
  const seenIn = { height: 98, hash: hashOf(98) };

  it.each([
    ['unmined without a receipt', null, 'unmined'],
    ['unavailable while the block in which it was seen is there', seenIn, 'unavailable'],
    ['unmined when another block took that place', { ...seenIn, hash: hashOf(1) }, 'unmined'],
    ['unavailable when the node lacks that block', { height: 101, hash: hashOf(101) }, 'unavailable'],
  ])('are %s', async (_name, seen, kind) => {
    expect(await adapterOf().readTransfers([{ ...wanted, seenIn: seen }])).toMatchObject([{ kind }]);
  });

  it('count only when they succeeded, in the block of their height', async () => {
    const { txID, ...transaction } = signedTransfer();
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

  it('are read with one request below wallet at a time', async () => {
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

  it('are unavailable when the node does not have what was signed', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, []));
    expect(await adapterOf().readTransfers([{ ...wanted, seenIn: null }])).toEqual([{ kind: 'unavailable' }]);
  });

  it.each([
    ['a text', '1000'],
    ['more than 256 bits', `0x${'f'.repeat(65)}`],
    ['nothing', null],
    ['less than a word', '0x01'],
  ])('are not believed: a balance that is %s', async (_name, result) => {
    one.results.set('eth_getBalance', result === '0x01' ? '0x' : result);
    one.results.set('eth_call', result);
    const [usdtToken, coin] = ['USDT', 'TRX'].map((symbol) =>
      chainOf([]).tokens.find((it) => it.symbol === symbol)!,
    );
    expect(await kindOf(adapterOf().balanceAtomic(payer, usdtToken!))).toBe('badReply');
    expect(await kindOf(adapterOf().balanceAtomic(payer, coin!))).toBe('badReply');
  });
});
