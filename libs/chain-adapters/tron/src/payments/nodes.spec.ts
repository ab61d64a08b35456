import { FakeNode } from '../testing/fake-node';
import { chainOf, contract, paidLog, payer, receiptOf, txId } from '../testing/fixtures';
import { adapterOver, kindOf, known } from '../testing/test-adapter';

let one: FakeNode;
let two: FakeNode;
let warnings: Record<string, unknown>[];

beforeEach(() => {
  [one, two, warnings] = [new FakeNode(), new FakeNode(), []];
});

const adapterOf = (hosts = ['one', 'two']) => adapterOver({ one, two, warnings }, hosts);

describe('Tron nodes', () => {
  it('calls nodes in their order, and the next one when one is down', async () => {
    one.isDead = true;
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({
      kind: 'advance',
      head: { height: 100 },
    });
    expect(warnings).toMatchObject([{ chain: 'tron', node: 1, reason: 'unavailable' }]);
  });

  it('skips a node while it lags', async () => {
    one.height = 90;
    two.results.set('eth_getLogs', [paidLog(100)]);
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({
      payments: [{ height: 100 }],
      head: { height: 100 },
    });
    expect(warnings).toMatchObject([{ node: 1, reason: 'lagging' }]);
  });

  it("rejects a node's answer for blocks that it does not have", async () => {
    // The node lags within the allowed limit. Its empty list must not be treated as "no payments".
    one.height = 99;
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({ kind: 'idle', head: { height: 99 } });
  });

  it.each([
    ['of another network', (node: FakeNode) => void (node.chainId = 0xcd8690dc)],
    ['without a network', (node: FakeNode) => void node.results.set('eth_chainId', null)],
    ['that returns a web page', (node: FakeNode) => void node.answers.set('jsonrpc', { body: '<html>' })],
    ['without JSON-RPC', (node: FakeNode) => void node.answers.set('jsonrpc', { status: 404, body: '{}' })],
    ['with a wrong key', (node: FakeNode) => void node.answers.set('jsonrpc', { status: 401, body: 'x' })],
  ])('skips a node %s', async (_name, spoil) => {
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

  it('skips a node that is in another network after it recovers', async () => {
    const adapter = adapterOf(['one']);
    await adapter.readReport(txId, { contractAddress: contract });
    one.isDead = true;
    await kindOf(adapter.readReport(txId, { contractAddress: contract }));
    [one.isDead, one.chainId] = [false, 0xcd8690dc];
    expect(await kindOf(adapter.readReport(txId, { contractAddress: contract }))).toBe('unavailable');
    expect(one.count('eth_getTransactionReceipt')).toBe(1);
  });

  it('sends no request below wallet/ to a node of another network', async () => {
    one.chainId = 1;
    expect(await kindOf(adapterOf(['one']).paymentFeeAtomic())).toBe('unavailable');
    expect(one.count('wallet/getchainparameters')).toBe(0);
  });

  it('calls the next node when one lacks a block', async () => {
    one.errors.set('eth_getLogs', { code: -32000, message: 'header not found' });
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({ kind: 'advance' });
    expect(two.count('eth_getLogs')).toBe(1);
  });

  it('calls no other node after a node rejected the request', async () => {
    one.errors.set('eth_call', { code: -32000, message: 'REVERT opcode executed' });
    const [, usdtToken] = chainOf([]).tokens;
    expect(await kindOf(adapterOf().balanceAtomic(payer, usdtToken!))).toBe('rejected');
    expect(two.count('eth_call')).toBe(0);
  });

  it('reports the rate limit of a node', async () => {
    one.answers.set('wallet/getchainparameters', { status: 429, body: '' });
    expect(await kindOf(adapterOf(['one']).paymentFeeAtomic())).toBe('rateLimited');
  });

  it('pauses a node after its rate limit, and uses it again afterwards', async () => {
    let nowMs = 1_800_000_000_000;
    const adapter = adapterOver({ one, two, warnings, clock: { now: () => nowMs } }, ['one', 'two']);
    const path = 'wallet/getchainparameters';
    const chainParameter = ['getEnergyFee', 'getTransactionFee', 'getMaxFeeLimit'].map((key) => ({
      key,
      value: 1,
    }));
    one.answers.set(path, { status: 429, body: '' });
    two.answers.set(path, { body: JSON.stringify({ chainParameter }) });
    await kindOf(adapter.paymentFeeAtomic());
    expect(warnings).toMatchObject([{ node: 1, reason: 'rateLimited', failuresInARow: 1 }]);
    const untilMs = Number(warnings[0]!['untilMs']);
    // Jitter makes the pause between half a second and a second.
    expect(untilMs - nowMs).toBeGreaterThanOrEqual(500);
    expect(untilMs - nowMs).toBeLessThanOrEqual(1_000);
    nowMs = untilMs - 1;
    await kindOf(adapter.paymentFeeAtomic());
    expect([one.count(path), two.count(path)]).toEqual([1, 2]);
    nowMs = untilMs;
    await kindOf(adapter.paymentFeeAtomic());
    expect([one.count(path), two.count(path)]).toEqual([2, 3]);
  });

  it.each([
    ['no parameters', '{}'],
    ['an error', '{"Error":"class java.lang.NullPointerException"}'],
    ['a list', '[]'],
    ['no JSON', '<html>'],
    ['a truncated answer', '{"chainParameter":[{"key":"getEner'],
  ])('rejects the answer: %s', async (_name, body) => {
    one.answers.set('wallet/getchainparameters', { body });
    expect(await kindOf(adapterOf(['one']).paymentFeeAtomic())).toBe('badReply');
  });
});
