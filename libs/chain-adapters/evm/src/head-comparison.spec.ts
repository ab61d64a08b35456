import { rpcOver } from './testing/test-rpc';
import { down, twoNodes, whoAnswers } from './testing/two-nodes';

describe('heads', () => {
  it('unhealthy a node that lags more than it may, and show where it stands', async () => {
    const nodes = twoNodes();
    const { rpc, events, clock } = rpcOver(nodes);
    nodes.a.lag = 6;
    expect((await rpc.head()).height).toBe(100);
    expect(events).toMatchObject([
      { endpoint: '#1 http://a', reason: 'lagging', detail: 'lags by 6 blocks' },
    ]);
    expect(rpc.health()).toMatchObject([{ headHeight: 94, state: 'unhealthy' }, { headHeight: 100 }]);
    // It lags on, so it stays away longer each time it comes back.
    clock.nowMs += 4_000;
    await rpc.head();
    expect(events).toMatchObject([
      {},
      { reason: 'lagging', failuresInARow: 2, untilMs: clock.nowMs + 2_000 },
    ]);
  });

  it('forgive a node that has caught up', async () => {
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

  it('leave a node in peace that lags no more than it may', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.a.lag = 5;
    expect((await rpc.head()).height).toBe(95);
    expect(events).toEqual([]);
  });

  it('are compared every three seconds at most', async () => {
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

  it('let a lagging node serve when it is the last one (Z3)', async () => {
    const nodes = twoNodes();
    const { rpc, clock } = rpcOver(nodes);
    nodes.a.lag = 50;
    await rpc.head();
    nodes.b.respond = down;
    expect((await rpc.head()).height).toBe(50);
    expect(rpc.health()[0]).toMatchObject({ state: 'unhealthy', reason: 'lagging' });
    // A single endpoint cannot be shown to have caught up.
    clock.nowMs += 4_000;
    nodes.b.respond = down;
    await rpc.head();
    expect(rpc.health()[0]!.failuresInARow).toBe(1);
  });

  it('are not asked of a node that is unhealthy', async () => {
    const nodes = twoNodes();
    nodes.b.chainId = 1;
    const { rpc, clock } = rpcOver(nodes);
    await rpc.head();
    clock.nowMs += 4_000;
    await rpc.head();
    expect(nodes.b.asked).toEqual(['eth_chainId']);
  });

  it('are not compared with a node that is down', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.b.respond = down;
    expect((await rpc.head()).height).toBe(100);
    expect(events).toMatchObject([{ endpoint: '#2 http://b', reason: 'unavailable' }]);
  });
});
