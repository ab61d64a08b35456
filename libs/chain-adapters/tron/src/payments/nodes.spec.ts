import { ProviderError } from '@tollbridge/http';
import { tronNodes } from '../open';
import { FakeNode, fetchFrom, hashOf } from '../testing/fake-node';
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
import { TronPaymentAdapter } from './tron-payment.adapter';

let one: FakeNode;
let two: FakeNode;
let warnings: Record<string, unknown>[];

beforeEach(() => {
  [one, two, warnings] = [new FakeNode(), new FakeNode(), []];
});

function adapterOf(hosts: readonly string[] = ['one', 'two']): TronPaymentAdapter {
  const chain = chainOf(hosts);
  const log = { warn: (about: object) => void warnings.push({ ...about }) };
  return new TronPaymentAdapter(chain, tronNodes(chain, log, { fetch: fetchFrom({ one, two }) }));
}

const known = (height: number) => [
  {
    height,
    hash: hashOf(height),
    parentHash: hashOf(height - 1),
    timeMs: 1_800_000_000_000 + height * 3_000,
  },
];
const kindOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'answered',
    (error: ProviderError) => error.kind,
  );

describe('Nodes of Tron', () => {
  it('are asked in their order, the next one when one is dead', async () => {
    one.isDead = true;
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({
      kind: 'advance',
      head: { height: 100 },
    });
    expect(warnings).toMatchObject([{ chain: 'tron', node: 1, reason: 'unavailable' }]);
  });

  it('are left out while they lag', async () => {
    one.height = 90;
    two.results.set('eth_getLogs', [paidLog(100)]);
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({
      payments: [{ height: 100 }],
      head: { height: 100 },
    });
    expect(warnings).toMatchObject([{ node: 1, reason: 'lagging' }]);
  });

  it('never answer for blocks that they do not have', async () => {
    // Within the allowed lag; its empty list must not pass for "no payments".
    one.height = 99;
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({ kind: 'idle', head: { height: 99 } });
  });

  it.each([
    ['of another network', (node: FakeNode) => void (node.chainId = 0xcd8690dc)],
    ['without a network', (node: FakeNode) => void node.results.set('eth_chainId', null)],
    ['that answers a page', (node: FakeNode) => void node.answers.set('jsonrpc', { body: '<html>' })],
    ['without JSON-RPC', (node: FakeNode) => void node.answers.set('jsonrpc', { status: 404, body: '{}' })],
    ['with a wrong key', (node: FakeNode) => void node.answers.set('jsonrpc', { status: 401, body: 'x' })],
  ])('are not used %s', async (_name, spoil) => {
    spoil(one);
    two.results.set('eth_getTransactionReceipt', receiptOf(98, [paidLog(98)]));
    const report = await adapterOf().readReport(txId, { contractAddress: contract });
    expect(report).toMatchObject({ state: 'succeeded', height: 98 });
    expect(one.count('eth_getTransactionReceipt')).toBe(0);
    spoil(two);
    expect(await kindOf(adapterOf().readReport(txId, { contractAddress: contract }))).toMatch(
      /unavailable|badReply/,
    );
  });

  it('wait when they are told to', async () => {
    one.answers.set('wallet/getchainparameters', { status: 429, body: '' });
    expect(await kindOf(adapterOf(['one']).paymentFeeAtomic())).toBe('rateLimited');
  });

  it.each([
    ['no parameters', '{}'],
    ['an error', '{"Error":"class java.lang.NullPointerException"}'],
    ['a list', '[]'],
    ['no JSON', '<html>'],
    ['a truncated answer', '{"chainParameter":[{"key":"getEner'],
  ])('are not believed when they answer %s', async (_name, body) => {
    one.answers.set('wallet/getchainparameters', { body });
    expect(await kindOf(adapterOf(['one']).paymentFeeAtomic())).toBe('badReply');
  });
});

describe('Payments on Tron', () => {
  it('are found with one question, whatever the number of orders', async () => {
    await adapterOf(['one']).nextUpdate(known(99), 10);
    expect(one.count('eth_getLogs')).toBe(1);
    expect(one.asked.length).toBeLessThanOrEqual(5);
  });

  it('are caught up in steps of 2,000 blocks, with one question each', async () => {
    one.height = 30_000;
    const update = await adapterOf(['one']).nextUpdate(known(1_000), 10);
    expect(update).toMatchObject({ kind: 'advance', head: { height: 30_000 } });
    expect(update.kind === 'advance' && update.blocks.at(-1)!.height).toBe(3_000);
    expect(one.count('eth_getLogs')).toBe(1);
  });

  it('are read with addresses in base58', async () => {
    one.results.set('eth_getLogs', [paidLog(100)]);
    expect(await adapterOf(['one']).nextUpdate(known(99), 10)).toMatchObject({
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
    expect(await kindOf(adapterOf(['one']).nextUpdate(known(99), 10))).toBe('badReply');
  });

  it('are passed over when their data is cut off', async () => {
    const log = paidLog(100);
    one.results.set('eth_getLogs', [{ ...log, data: String(log['data']).slice(0, -128) }]);
    expect(await adapterOf(['one']).nextUpdate(known(99), 10)).toMatchObject({ payments: [] });
  });

  it('count in reports only from the contract of the order', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, [paidLog(98, otherContract)]));
    expect(await adapterOf(['one']).readReport(txId, { contractAddress: contract })).toEqual({
      state: 'succeeded',
      height: 98,
      payments: [],
      paysOtherContract: true,
    });
  });

  it('are pending while a node has them in no block', async () => {
    const { readReport } = {
      readReport: () => adapterOf(['one']).readReport(txId, { contractAddress: contract }),
    };
    expect(await readReport()).toEqual({ state: 'notFound' });
    one.answers.set('wallet/gettransactionfrompending', {
      body: JSON.stringify({ txID: txId, raw_data_hex: '00' }),
    });
    // Not the bytes of this id: a node cannot make up a transaction.
    expect(await kindOf(readReport())).toBe('badReply');
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
    expect(await adapterOf(['one']).readTransfers([{ ...wanted, seenIn: seen }])).toMatchObject([{ kind }]);
  });

  it('are unavailable when the node does not have what was signed', async () => {
    one.results.set('eth_getTransactionReceipt', receiptOf(98, []));
    expect(await adapterOf(['one']).readTransfers([{ ...wanted, seenIn: null }])).toEqual([
      { kind: 'unavailable' },
    ]);
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
    expect(await kindOf(adapterOf(['one']).balanceAtomic(payer, usdtToken!))).toBe('badReply');
    expect(await kindOf(adapterOf(['one']).balanceAtomic(payer, coin!))).toBe('badReply');
  });
});
