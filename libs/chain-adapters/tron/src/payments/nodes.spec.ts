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

  it('are not used when they come back from a failure in another network', async () => {
    const adapter = adapterOf(['one']);
    await adapter.readReport(txId, { contractAddress: contract });
    one.isDead = true;
    await kindOf(adapter.readReport(txId, { contractAddress: contract }));
    [one.isDead, one.chainId] = [false, 0xcd8690dc];
    expect(await kindOf(adapter.readReport(txId, { contractAddress: contract }))).toBe('unavailable');
    expect(one.count('eth_getTransactionReceipt')).toBe(1);
  });

  it('are asked nothing below wallet while they are of another network', async () => {
    one.chainId = 1;
    expect(await kindOf(adapterOf(['one']).paymentFeeAtomic())).toBe('unavailable');
    expect(one.count('wallet/getchainparameters')).toBe(0);
  });

  it('are followed by the next one when they lack a block', async () => {
    one.errors.set('eth_getLogs', { code: -32000, message: 'header not found' });
    expect(await adapterOf().nextUpdate(known(99), 10)).toMatchObject({ kind: 'advance' });
    expect(two.count('eth_getLogs')).toBe(1);
  });

  it('reject a request for all', async () => {
    one.errors.set('eth_call', { code: -32000, message: 'REVERT opcode executed' });
    const [, usdtToken] = chainOf([]).tokens;
    expect(await kindOf(adapterOf().balanceAtomic(payer, usdtToken!))).toBe('rejected');
    expect(two.count('eth_call')).toBe(0);
  });

  it('are not asked for a while after a rate limit', async () => {
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
