import type { SendHttp } from '@tollbridge/http';
import { EvmRpc } from './rpc-pool';
import { digest, paidTopic, payContract, scriptedLog } from './testing/scripted-chain';
import { fetchFrom, ScriptedNode, wireLog } from './testing/scripted-node';
import { errorOf, rpcOver } from './testing/test-rpc';
import { down, twoNodes, whoAnswers } from './testing/two-nodes';

describe('EvmRpc failover', () => {
  it('prefers the first URL', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    expect(await whoAnswers(rpc, nodes)).toBe('a');
    expect(nodes.b.httpRequests).toBe(0);
  });

  it.each([
    ['rejects the connection', down, 'unavailable'],
    ['answers 502', () => new Response('', { status: 502 }), 'unavailable'],
    ['answers 401', () => new Response('', { status: 401 }), 'unavailable'],
    ['answers HTML', () => new Response('<html>'), 'badReply'],
    ['answers 429', () => new Response('', { status: 429 }), 'rateLimited'],
    ['sends a reply that is too large', () => new Response('x'.repeat(2_000)), 'badReply'],
  ] as const)('calls the next URL immediately when the first %s', async (_title, respond, reason) => {
    const nodes = twoNodes();
    const { rpc, events, clock } = rpcOver(nodes, { maxReplyBytes: 1_000 });
    nodes.a.respond = respond;
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(events).toEqual([
      {
        chainId: 8453,
        endpoint: '#1 http://a',
        reason,
        untilMs: clock.nowMs + 1_000,
        failuresInARow: 1,
        detail: expect.stringContaining('#1 http://a: '),
      },
    ]);
    expect(rpc.health()).toMatchObject([
      { state: 'unhealthy', reason },
      { state: 'healthy', reason: null },
    ]);

    const requests = nodes.a.httpRequests;
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(nodes.a.httpRequests).toBe(requests);
    nodes.a.respond = null;
    clock.nowMs += 1_000;
    expect(await whoAnswers(rpc, nodes)).toBe('a');
  });

  it('times out a call and calls the next URL', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
    try {
      const nodes = twoNodes();
      const { rpc, events } = rpcOver(nodes);
      nodes.a.respond = (signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      let answer: string | null = null;
      void whoAnswers(rpc, nodes).then((name) => (answer = name));
      await jest.advanceTimersByTimeAsync(4_999);
      expect([answer, nodes.a.httpRequests, nodes.b.httpRequests]).toEqual([null, 1, 0]);
      await jest.advanceTimersByTimeAsync(1);
      expect(answer).toBe('b');
      expect(events).toMatchObject([
        { reason: 'unavailable', detail: '#1 http://a: no answer within 5000 ms' },
      ]);
    } finally {
      jest.useRealTimers();
    }
  });

  it('marks errors that follow an endpoint that may have executed the request', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    for (const node of [nodes.a, nodes.b])
      node.methods.set('eth_sendRawTransaction', () => {
        throw { code: -32000, message: 'insufficient funds' };
      });
    const send = () => errorOf(rpc.call('eth_sendRawTransaction', ['0x02']));
    expect(await send()).toMatchObject({ kind: 'rejected', isAfterSilence: false });
    nodes.a.respond = down;
    expect(await send()).toMatchObject({ kind: 'rejected', isAfterSilence: true });
  });

  it('returns an error of the call itself without calling another URL', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.a.methods.set('eth_call', () => {
      throw { code: 3, message: 'execution reverted: rate limit exceeded', data: '0x08c379a0' };
    });
    const error = await errorOf(rpc.ethCall({ to: payContract, data: '0x' }));
    expect(error).toMatchObject({ kind: 'rejected', reason: 'nodeError', code: 3, data: '0x08c379a0' });
    expect([nodes.b.httpRequests, events.length]).toEqual([0, 0]);
  });

  it.each([
    ['a block that it lacks', { code: -32000, message: 'header not found' }, 0],
    ['its request limit', { code: -32005, message: 'limit exceeded' }, 1],
  ])('calls the next URL when the first replies with %s', async (_title, rejection, timesUnhealthy) => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.a.methods.set('eth_call', () => {
      throw rejection;
    });
    nodes.b.methods.set('eth_call', () => '0x01');
    expect(await rpc.ethCall({ to: payContract, data: '0x' })).toBe('0x01');
    expect(events).toHaveLength(timesUnhealthy);
  });

  it('calls the next URL for logs that the first cannot return even for one block', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    nodes.a.methods.set('eth_getLogs', () => {
      throw { code: -32602, message: 'range 1 exceeds limit of 0' };
    });
    const log = scriptedLog(nodes.a.chain.blocks[1]!, 0);
    nodes.b.methods.set('eth_getLogs', () => [wireLog(log)]);
    const filter = { address: payContract, topics: [paidTopic], fromBlock: 0, toBlock: 3 };
    expect(await rpc.logs(filter)).toEqual([log]);
  });

  it('calls the next URL for a range with an unknown rejection, and halves it only when both reject it', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    const asked: string[] = [];
    const reject = (name: string, most: number) => {
      nodes[name as 'a' | 'b'].methods.set('eth_getLogs', ([param]) => {
        const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string };
        const blocks = Number(toBlock) - Number(fromBlock) + 1;
        asked.push(`${name} ${blocks}`);
        if (blocks > most) throw { code: -32000, message: 'not like this' };
        return [];
      });
    };
    const filter = { address: payContract, topics: [paidTopic], fromBlock: 0, toBlock: 3 };
    reject('a', 2);
    reject('b', 100);
    await rpc.logs(filter);
    expect(asked).toEqual(['a 4', 'b 4']);

    asked.length = 0;
    reject('a', 1);
    reject('b', 1);
    await rpc.logs(filter);
    expect(asked.slice(0, 3)).toEqual(['a 2', 'b 4', 'a 1']);
    expect(rpc.health().map(({ state }) => state)).toEqual(['healthy', 'healthy']);
  });

  it('calls the next URL for a receipt with an unknown rejection', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.a.methods.set('eth_getTransactionReceipt', () => {
      throw { code: 4444, message: 'pruned history unavailable' };
    });
    nodes.b.methods.set('eth_getTransactionReceipt', () => null);
    expect(await rpc.receipt(`0x${'11'.repeat(32)}`)).toBeNull();
    expect(events).toEqual([]);
  });

  it('calls one URL for all parts of a range that it halves', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    nodes.a.methods.set('eth_getLogs', ([param]) => {
      const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string };
      if (fromBlock !== toBlock) throw { code: -32602, message: 'range 2 exceeds limit of 1' };
      return [];
    });
    await rpc.logs({ address: payContract, topics: [paidTopic], fromBlock: 0, toBlock: 3 });
    expect(nodes.b.httpRequests).toBe(0);
  });

  it('calls the next URL for consecutive blocks when the first lacks one', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.a.lag = 1;
    expect((await rpc.blocks(99, 100)).map((block) => block.height)).toEqual([99, 100]);
    expect(events).toEqual([]);
  });

  it('calls no unhealthy URL for a block that a healthy one lacks', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    nodes.b.respond = down;
    nodes.a.lag = 1;
    await errorOf(rpc.blocks(99, 100));
    const before = nodes.b.httpRequests;
    expect(await errorOf(rpc.blocks(99, 100))).toMatchObject({ reason: 'headerNotFound' });
    expect(nodes.b.httpRequests).toBe(before);
  });

  it('rejects the receipt of another transaction from every URL', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    const asked = digest('asked');
    const receipt = (transactionHash: string) => ({
      transactionHash,
      blockHash: digest('block'),
      blockNumber: '0x10',
      status: '0x1',
      from: payContract,
      to: payContract,
      gasUsed: '0x5208',
      logs: [],
    });
    nodes.a.methods.set('eth_getTransactionReceipt', () => receipt(digest('foreign')));
    nodes.b.methods.set('eth_getTransactionReceipt', () => receipt(asked));
    expect(await rpc.receipt(asked)).toMatchObject({ txHash: asked, succeeded: true });
    expect(events).toMatchObject([
      { reason: 'badReply', detail: '#1 http://a: receipt.transactionHash is malformed' },
    ]);
  });

  it('throws the last error after one attempt per URL when none replies', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    nodes.a.respond = down;
    nodes.b.respond = () => new Response('', { status: 429 });
    expect(await errorOf(rpc.call('who'))).toMatchObject({ kind: 'rateLimited', endpoint: '#2 http://b' });
    expect([nodes.a.httpRequests, nodes.b.httpRequests]).toEqual([1, 1]);
  });

  it('counts concurrent failures as one failure', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    nodes.a.respond = down;
    const names = await Promise.all(Array.from({ length: 20 }, () => whoAnswers(rpc, nodes)));
    expect(new Set(names)).toEqual(new Set(['b']));
    expect(events.map((event) => event.failuresInARow)).toEqual([1]);
    await whoAnswers(rpc, nodes);
    expect(rpc.health()[0]!.failuresInARow).toBe(1);
  });

  it('survives an observer that throws', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes, { onUnhealthy: down });
    nodes.a.respond = down;
    expect(await whoAnswers(rpc, nodes)).toBe('b');
  });

  it('requires a URL', () => {
    expect(() => new EvmRpc({ chainId: 1, urls: [], maxLagBlocks: 1 })).toThrow(RangeError);
  });
});

describe('EvmRpc with unhealthy endpoints only', () => {
  it('tries each URL once per call, in the order of their recovery', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    nodes.b.respond = down;
    nodes.a.respond = () => new Response('', { status: 503, headers: { 'retry-after': '2' } });
    await errorOf(rpc.call('who'));
    nodes.a.respond = null;
    nodes.b.respond = null;
    expect(await whoAnswers(rpc, nodes)).toBe('b');
    expect(rpc.health()).toMatchObject([{ state: 'unhealthy' }, { state: 'healthy' }]);
  });

  it('tries only the URL that recovers first', async () => {
    const nodes = twoNodes();
    const { rpc, clock } = rpcOver(nodes);
    nodes.a.respond = down;
    nodes.b.respond = down;
    await errorOf(rpc.call('who'));
    clock.nowMs += 1_000;
    nodes.b.respond = null;
    await whoAnswers(rpc, nodes);
    nodes.b.respond = down;
    await errorOf(rpc.call('who'));
    // URL a is now unhealthy for two seconds, and URL b for one second, as the failure before has expired.
    const before = [nodes.a.httpRequests, nodes.b.httpRequests];
    await errorOf(rpc.call('who'));
    expect([nodes.a.httpRequests, nodes.b.httpRequests]).toEqual([before[0], before[1]! + 1]);
  });

  it('recovers within a second when it has only one URL', async () => {
    const a = new ScriptedNode();
    const { rpc, clock } = rpcOver({ a });
    a.respond = down;
    for (let call = 1; call <= 5; call += 1) {
      expect(await errorOf(rpc.call('who'))).toMatchObject({ kind: 'unavailable', reason: 'connection' });
      expect(a.httpRequests).toBe(call);
      expect(rpc.health()[0]!.untilMs).toBe(clock.nowMs + 1_000);
    }
    a.respond = null;
    expect(await whoAnswers(rpc, { a })).toBe('a');
    expect(rpc.health()[0]!.state).toBe('healthy');
  });

  it('recovers after any reply, even a revert', async () => {
    const a = new ScriptedNode();
    const { rpc } = rpcOver({ a });
    a.respond = down;
    await errorOf(rpc.call('who'));
    a.respond = null;
    expect(await errorOf(rpc.call('who'))).toMatchObject({ kind: 'rejected', code: -32601 });
    expect(rpc.health()[0]!.state).toBe('healthy');
  });

  it('waits for the Retry-After of the only URL', async () => {
    const a = new ScriptedNode();
    const { rpc, clock } = rpcOver({ a });
    a.respond = () => new Response('', { status: 429, headers: { 'retry-after': '30' } });
    expect(await errorOf(rpc.call('who'))).toMatchObject({ kind: 'rateLimited', retryAfterMs: 30_000 });
    clock.nowMs += 29_999;
    expect(await errorOf(rpc.call('who'))).toMatchObject({
      kind: 'rateLimited',
      reason: 'allUnhealthy',
      retryAfterMs: 1,
      message: 'chain 8453: every endpoint is unhealthy: #1 http://a rateLimited for 1 ms',
    });
    expect(a.httpRequests).toBe(1);
    a.respond = null;
    clock.nowMs += 1;
    expect(await whoAnswers(rpc, { a })).toBe('a');
  });
});

describe('pinned reads', () => {
  it('uses one URL, and restarts on the next one when it fails', async () => {
    const nodes = twoNodes();
    const { rpc } = rpcOver(nodes);
    for (const [name, node] of Object.entries(nodes)) node.methods.set('who', () => name);
    const seen: string[] = [];
    const work = rpc.pinned(async (reads) => {
      for (let read = 0; read < 3; read += 1) {
        seen.push(String(await reads.call('who')));
        if (seen.length === 2) nodes.a.respond = down;
      }
      return 'done';
    });
    expect(await work).toBe('done');
    expect(seen).toEqual(['a', 'a', 'b', 'b', 'b']);
  });

  it('rethrows errors of the work itself', async () => {
    const nodes = twoNodes();
    const { rpc, events } = rpcOver(nodes);
    const mistake = new Error('mistake');
    await expect(rpc.pinned(() => Promise.reject(mistake))).rejects.toBe(mistake);
    expect(events).toEqual([]);
  });
});

describe('keys in URLs', () => {
  it('hides keys in errors, events and health reports', async () => {
    const key = 's3cr3tkey0123456';
    const urls = [`http://user:${key}@a/v2/${key}?k=${key}`, `http://gone/${key}`];
    const a = new ScriptedNode();
    const shown: unknown[] = [];
    const fetchThatTalks: SendHttp = (url, request) =>
      fetchFrom({ a })(url, request).catch(() => {
        throw new TypeError(`cannot fetch ${url}`, { cause: { code: `E ${url}` } });
      });
    const { rpc } = rpcOver({}, { urls, fetch: fetchThatTalks, onUnhealthy: (event) => shown.push(event) });
    a.methods.set('eth_call', () => {
      throw { code: -32000, message: `no such key ${key}`, data: key };
    });
    const errors = [await errorOf(rpc.call('eth_call'))];
    a.methods.set('eth_getTransactionReceipt', () => key);
    errors.push(await errorOf(rpc.receipt(digest('tx'))));
    a.respond = down;
    errors.push(await errorOf(rpc.call('eth_call')));
    for (const error of errors) shown.push(error.message, error.stack, { ...error });
    shown.push(rpc.health());
    expect(shown.length).toBeGreaterThan(12);
    expect(JSON.stringify(shown)).not.toContain(key);
    expect(JSON.stringify(shown)).toContain('#1 http://a/…');
  });
});
