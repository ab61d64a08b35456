import { rpcOver } from './testing/test-rpc';
import { down, twoNodes, whoAnswers } from './testing/two-nodes';

describe('head comparison', () => {
  it('marks a node as unhealthy that lags too far, and reports its head', async () => {
    const nodes = twoNodes();
    const { rpc, events, clock } = rpcOver(nodes);
    nodes.a.lag = 6;
    expect((await rpc.head()).height).toBe(100);
    expect(events).toMatchObject([
      { endpoint: '#1 http://a', reason: 'lagging', detail: 'lags by 6 blocks' },
    ]);
    expect(rpc.health()).toMatchObject([{ headHeight: 94, state: 'unhealthy' }, { headHeight: 100 }]);
    // The node still lags, so its pause becomes longer each time.
    clock.nowMs += 4_000;
    await rpc.head();
    expect(events).toMatchObject([
      {},
      { reason: 'lagging', failuresInARow: 2, untilMs: clock.nowMs + 2_000 },
    ]);
  });

  it('marks a node as healthy that has caught up', async () => {
    const nodes = twoNodes();
    const { rpc, clock } = rpcOver(nodes);
    nodes.a.lag = 6;
    await rpc.head();
    nodes.a.lag = 0;
    clock.nowMs += 4_000;
    expect(await whoAnswers(rpc, nodes)).toBe('a');
    expect(rpc.health()[0]!.failuresInARow).toBe(1);
    await rpc.head();
    expect(rpc.health()[0]!.failuresInARow).toBe(0);
  });

  it('tolerates a node that lags within the limit', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.a.lag = 5;
    expect((await rpc.head()).height).toBe(95);
    expect(events).toEqual([]);
  });

  it('runs at most every three seconds', async () => {
    const nodes = twoNodes();
    const { rpc, clock } = rpcOver(nodes);
    await rpc.head();
    const before = nodes.b.httpRequests;
    clock.nowMs += 2_999;
    await rpc.head();
    expect(nodes.b.httpRequests).toBe(before);
    clock.nowMs += 1;
    await rpc.head();
    expect(nodes.b.httpRequests).toBe(before + 1);
  });

  it('uses a lagging node when it is the last one', async () => {
    const nodes = twoNodes();
    const { rpc, clock } = rpcOver(nodes);
    nodes.a.lag = 50;
    await rpc.head();
    nodes.b.respond = down;
    expect((await rpc.head()).height).toBe(50);
    expect(rpc.health()[0]).toMatchObject({ state: 'unhealthy', reason: 'lagging' });
    // Without another node, the comparison cannot show that the node has caught up.
    clock.nowMs += 4_000;
    nodes.b.respond = down;
    await rpc.head();
    expect(rpc.health()[0]!.failuresInARow).toBe(1);
  });

  it('sends no request to an unhealthy node', async () => {
    const nodes = twoNodes();
    nodes.b.chainId = 1;
    const { rpc, clock } = rpcOver(nodes);
    await rpc.head();
    clock.nowMs += 4_000;
    await rpc.head();
    expect(nodes.b.asked).toEqual(['eth_chainId']);
  });

  it('ignores a node that is down', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.b.respond = down;
    expect((await rpc.head()).height).toBe(100);
    expect(events).toMatchObject([{ endpoint: '#2 http://b', reason: 'unavailable' }]);
  });
});
