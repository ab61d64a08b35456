import type { UnhealthyReason } from '@tollbridge/chain-nodes';
import { ScriptedNode } from './testing/scripted-node';
import { errorOf, rpcOver } from './testing/test-rpc';
import { down, rejectConnection, twoNodes, whoAnswers } from './testing/two-nodes';

const fiveMinutesMs = 300_000;

describe('the chain id check', () => {
  it('runs before the first use, with one request for all waiting calls', async () => {
    const a = new ScriptedNode();
    const { rpc } = rpcOver({ a });
    await Promise.all([rpc.head(), rpc.head(), rpc.head()]);
    expect(a.asked.filter((method) => method === 'eth_chainId')).toHaveLength(1);
    expect(a.asked[0]).toBe('eth_chainId');
  });

  it('excludes a node of another chain for five minutes and logs it', async () => {
    const nodes = twoNodes();
    nodes.a.chainId = 1;
    const { rpc, events, clock } = rpcOver(nodes);
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(nodes.a.asked).toEqual(['eth_chainId']);
    expect(events).toEqual([
      expect.objectContaining({
        reason: 'wrongChain',
        untilMs: clock.nowMs + fiveMinutesMs,
        detail: '#1 http://a: serves chain 1, not 8453',
      }),
    ]);
    clock.nowMs += fiveMinutesMs;
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(events).toHaveLength(2);
    expect(nodes.a.asked).toEqual(['eth_chainId', 'eth_chainId']);
  });

  it('excludes the only node when it serves another chain', async () => {
    const a = new ScriptedNode();
    a.chainId = 1;
    const { rpc } = rpcOver({ a });
    expect(await errorOf(rpc.head())).toMatchObject({ kind: 'unavailable', reason: 'wrongChain' });
    expect(await errorOf(rpc.head())).toMatchObject({ kind: 'unavailable', reason: 'allUnhealthy' });
    expect(a.asked).toEqual(['eth_chainId']);
  });

  it('repeats every five minutes', async () => {
    const nodes = twoNodes();
    const { rpc, events, clock } = rpcOver(nodes);
    await whoAnswers(rpc, nodes);
    nodes.a.chainId = 1;
    clock.nowMs += fiveMinutesMs - 1;
    expect(await whoAnswers(rpc, nodes)).toBe('a');
    clock.nowMs += 1;
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(events).toMatchObject([{ reason: 'wrongChain' }]);
  });

  it('repeats when an endpoint recovers', async () => {
    const nodes = twoNodes();
    const { rpc, events, clock } = rpcOver(nodes);
    await whoAnswers(rpc, nodes);
    nodes.a.respond = down;
    await whoAnswers(rpc, nodes);
    nodes.a.respond = null;
    nodes.a.chainId = 1;
    clock.nowMs += 1_000;
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(events.map((event) => event.reason)).toEqual(['unavailable', 'wrongChain']);
  });

  it.each<[string, () => unknown, UnhealthyReason]>([
    ['missing', rejectConnection, 'unavailable'],
    ['malformed', () => 8453, 'badReply'],
  ])('marks a node as unhealthy when its reply is %s', async (_title, answer, reason) => {
    const nodes = twoNodes();
    nodes.a.methods.set('eth_chainId', answer);
    const { rpc, events } = rpcOver(nodes);
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(events).toMatchObject([{ reason }]);
  });
});
