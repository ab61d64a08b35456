import { RpcEndpoint } from './rpc-endpoint';
import { fetchFrom, ScriptedNode } from './testing/scripted-node';

describe('RpcEndpoint', () => {
  it('stays healthy after an error of the caller', async () => {
    const events: unknown[] = [];
    const endpoint = new RpcEndpoint('http://a', 1, {
      chainId: 8453,
      fetch: fetchFrom({ a: new ScriptedNode() }),
      timeoutMs: 5_000,
      maxReplyBytes: 1_000_000,
      now: () => 0,
      random: () => 1,
      maxCooldownMs: 1_000,
      onUnhealthy: (event) => events.push(event),
    });
    const mistake = new TypeError('mistake');
    const request = endpoint.request([{ method: 'eth_chainId', params: [] }], () => {
      throw mistake;
    });
    await expect(request).rejects.toBe(mistake);
    expect([endpoint.isUnhealthy, events]).toEqual([false, []]);
  });
});
