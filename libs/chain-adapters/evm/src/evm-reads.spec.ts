import { ScriptedNode, wireLog } from './testing/scripted-node';
import { digest, paidTopic, payContract, refOf, scriptedLog } from './testing/scripted-chain';
import { errorOf, rpcOver } from './testing/test-rpc';

const filter = { address: payContract, topics: [paidTopic], fromBlock: 0, toBlock: 99 };

function nodeWithLogs(): ScriptedNode {
  const node = new ScriptedNode();
  node.chain.mine(99, (height) => (height % 10 === 0 ? 2 : 0));
  return node;
}

/** Records the requested ranges, each as "from-to". */
function rangesOf(node: ScriptedNode, answer: (from: number, to: number) => unknown): string[] {
  const ranges: string[] = [];
  node.methods.set('eth_getLogs', ([param]) => {
    const { fromBlock, toBlock } = param as { fromBlock: string; toBlock: string };
    ranges.push(`${Number(fromBlock)}-${Number(toBlock)}`);
    const rejection = answer(Number(fromBlock), Number(toBlock));
    if (rejection) throw rejection;
    const blocks = node.chain.blocks.slice(Number(fromBlock), Number(toBlock) + 1);
    return blocks.flatMap((block) => block.logs).map(wireLog);
  });
  return ranges;
}

describe('EvmReads', () => {
  it('reads the head, single blocks and consecutive blocks', async () => {
    const node = nodeWithLogs();
    const { rpc } = rpcOver({ a: node });
    expect(await rpc.head()).toEqual(refOf(node.chain.head));
    expect(await rpc.blockByNumber(7)).toEqual(refOf(node.chain.blocks[7]!));
    expect(await rpc.blockByNumber(100)).toBeNull();
    expect(await rpc.blocks(5, 8)).toEqual(node.chain.blocks.slice(5, 9).map(refOf));
    expect(await rpc.blocks(8, 7)).toEqual([]);
    expect(await errorOf(rpc.blocks(98, 100))).toMatchObject({ kind: 'rejected', reason: 'headerNotFound' });
  });

  it('sends any method, single or in a batch, and throws the first error of a batch', async () => {
    const { rpc } = rpcOver({ a: new ScriptedNode() });
    expect(await rpc.call('eth_chainId')).toBe('0x2105');
    const chainId = { method: 'eth_chainId', params: [] };
    expect(await rpc.batch([chainId, chainId])).toEqual(['0x2105', '0x2105']);
    const unknown = { method: 'nope', params: [] };
    expect(await errorOf(rpc.batch([chainId, unknown]))).toMatchObject({ kind: 'rejected', code: -32601 });
  });

  it('sends many calls in one batch and returns null for a reverted call', async () => {
    const node = new ScriptedNode();
    node.methods.set('eth_call', ([call]) => {
      const { data } = call as { data: string };
      if (data === '0x01') throw { code: 3, message: 'execution reverted', data: '0x08c379a0' };
      if (data === '0x02') throw { code: -32000, message: 'out of gas' };
      return data;
    });
    const { rpc } = rpcOver({ a: node });
    const calls = ['0x', '0x01', '0x02', '0xabcd'].map((data) => ({ to: payContract, data }));

    expect(await rpc.ethCalls(calls)).toEqual(['0x', null, null, '0xabcd']);
    expect(await rpc.ethCalls(calls.slice(1, 2))).toEqual([null]);
    expect(await rpc.ethCalls([])).toEqual([]);
  });

  it('does not treat an error of a lagging or overloaded node as a revert', async () => {
    const node = new ScriptedNode();
    const { rpc } = rpcOver({ a: node });
    const calls = ['0x01', '0x02'].map((data) => ({ to: payContract, data }));
    node.methods.set('eth_call', () => {
      throw { code: -32000, message: 'header not found' };
    });
    expect(await errorOf(rpc.ethCalls(calls, 7))).toMatchObject({ reason: 'headerNotFound' });
    node.methods.set('eth_call', () => {
      throw { code: -32005, message: 'limit exceeded' };
    });
    expect(await errorOf(rpc.ethCalls(calls))).toMatchObject({ kind: 'rateLimited' });
  });

  it('returns the logs of a range in the order of the chain', async () => {
    const node = nodeWithLogs();
    const { rpc } = rpcOver({ a: node });
    expect(await rpc.logs(filter)).toEqual(node.chain.logsFrom(0));
    expect(
      await rpc.logs({ ...filter, address: payContract.toUpperCase().replace('0X', '0x') }),
    ).toHaveLength(18);
  });

  it('rejects an empty list from a node that has not seen the end of the range', async () => {
    const node = nodeWithLogs();
    node.lag = 10;
    const { rpc } = rpcOver({ a: node });
    expect(await errorOf(rpc.logs(filter))).toMatchObject({ kind: 'rejected', reason: 'headerNotFound' });
    expect(await rpc.logs({ ...filter, toBlock: 89 })).toHaveLength(16);
  });

  it('halves a range while the node reports it as too large', async () => {
    const node = nodeWithLogs();
    const tooLarge = { code: -32005, message: 'query returned more than 10000 results' };
    const ranges = rangesOf(node, (from, to) => to - from >= 30 && tooLarge);
    const { rpc } = rpcOver({ a: node });
    expect(await rpc.logs(filter)).toEqual(node.chain.logsFrom(0));
    expect(ranges).toEqual(['0-99', '0-49', '0-24', '25-49', '50-74', '75-99']);
    expect(rpc.health()[0]!.state).toBe('healthy');
  });

  it('fails when a single block is too large', async () => {
    const node = nodeWithLogs();
    const ranges = rangesOf(node, () => ({ code: -32602, message: 'range 1 exceeds limit of 0' }));
    const { rpc } = rpcOver({ a: node });
    expect(await errorOf(rpc.logs({ ...filter, toBlock: 1 }))).toMatchObject({ reason: 'rangeTooLarge' });
    expect(ranges).toEqual(['0-1', '0-0']);
  });

  it('halves a range after a reply that is too large, and keeps the node healthy', async () => {
    const node = nodeWithLogs();
    const ranges = rangesOf(node, () => null);
    const { rpc, events } = rpcOver({ a: node }, { maxReplyBytes: 4_000 });
    expect(await rpc.logs(filter)).toEqual(node.chain.logsFrom(0));
    expect(ranges).toEqual(['0-99', '0-49', '0-24', '25-49', '50-74', '75-99']);
    expect(events).toEqual([]);
    const strict = rpcOver({ a: node }, { maxReplyBytes: 500 });
    expect(await errorOf(strict.rpc.logs({ ...filter, fromBlock: 10, toBlock: 11 }))).toMatchObject({
      kind: 'badReply',
      reason: 'replyTooLarge',
    });
    expect(strict.rpc.health()[0]).toMatchObject({ state: 'unhealthy', reason: 'badReply' });
  });

  it.each([
    [-32005, 'please limit the query to at most 1000 blocks'],
    [35, 'ranges over 10000 blocks are not supported on the free plan'],
    [-32000, 'logs matched by query exceeds limit'],
    [-32000, 'context deadline exceeded'],
    [-32603, 'nicht heute'],
  ])(
    'requests smaller ranges from a single node after an unknown rejection: %i %s',
    async (code, message) => {
      const node = nodeWithLogs();
      const ranges = rangesOf(node, (from, to) => to - from >= 30 && { code, message });
      const { rpc, events } = rpcOver({ a: node });
      expect(await rpc.logs(filter)).toEqual(node.chain.logsFrom(0));
      expect(rpc.health()[0]).toMatchObject({ state: 'healthy', ranges: { atMost: 25 } });
      expect(events).toEqual([]);
      ranges.length = 0;
      expect(await rpc.logs(filter)).toHaveLength(18);
      expect(ranges).toEqual(['0-24', '25-49', '50-74', '75-99']);
    },
  );

  it('gives up after an unknown rejection of a single block', async () => {
    const node = nodeWithLogs();
    const ranges = rangesOf(node, () => ({ code: -32000, message: 'history is gone' }));
    const { rpc } = rpcOver({ a: node });
    expect(await errorOf(rpc.logs(filter))).toMatchObject({ kind: 'rejected', reason: 'readRejected' });
    expect(ranges).toEqual(['0-99', '0-49', '0-24', '0-11', '0-5', '0-2', '0-0']);
  });

  it.each([
    ['status 503', () => new Response('<h1>busy</h1>', { status: 503 })],
    ['status 429', () => new Response('', { status: 429 })],
    ['status 413', () => new Response('<h1>too large</h1>', { status: 413 })],
    ['a page', () => new Response('<h1>hello</h1>')],
  ])('requests smaller ranges in the next call after %s', async (_name, rejection) => {
    const node = nodeWithLogs();
    const { rpc } = rpcOver({ a: node });
    const honest = node.handle.bind(node);
    node.handle = async (init) => {
      const asked = [JSON.parse(String(init.body))].flat() as { method: string; params: unknown[] }[];
      const logs = asked.find(({ method }) => method === 'eth_getLogs');
      const [range] = (logs?.params ?? [{ fromBlock: '0x0', toBlock: '0x0' }]) as Record<string, string>[];
      return Number(range!['toBlock']) - Number(range!['fromBlock']) >= 30 ? rejection() : honest(init);
    };
    let found: unknown[] | undefined;
    for (let calls = 0; calls < 6 && !found; calls++) found = await rpc.logs(filter).catch(() => undefined);
    expect(found).toEqual(node.chain.logsFrom(0));
  });

  it('does not halve a range for any other error', async () => {
    const node = nodeWithLogs();
    const ranges = rangesOf(node, () => ({ code: -32601, message: 'eth_getLogs is disabled' }));
    const { rpc } = rpcOver({ a: node });
    expect(await errorOf(rpc.logs(filter))).toMatchObject({ kind: 'rejected', code: -32601 });
    expect(ranges).toEqual(['0-99']);
  });

  const good = scriptedLog({ height: 50, hash: digest('50') }, 0);
  it.each([
    ['of another contract', [{ ...good, address: `0x${'dd'.repeat(20)}` }]],
    ['with another topic', [{ ...good, topics: [digest('other')] }]],
    ['without the topic', [{ ...good, topics: [] }]],
    ['above the range', [{ ...good, height: 100 }]],
    ['below the range', [{ ...good, height: 0 }]],
    ['twice', [good, good]],
  ])('marks a node as unhealthy if it returns a log %s', async (_title, logs) => {
    const node = nodeWithLogs();
    node.methods.set('eth_getLogs', () => logs.map(wireLog));
    const { rpc } = rpcOver({ a: node });
    const error = await errorOf(rpc.logs({ ...filter, fromBlock: 1 }));
    expect(error).toMatchObject({ kind: 'badReply', reason: 'malformed' });
    expect(rpc.health()[0]).toMatchObject({ state: 'unhealthy', reason: 'badReply' });
  });

  it('matches any topic for null in a filter and accepts several contracts', async () => {
    const node = nodeWithLogs();
    const other = `0x${'dd'.repeat(20)}`;
    node.methods.set('eth_getLogs', ([param]) => {
      expect(param).toMatchObject({ address: [payContract, other], topics: [null, good.topics[1]] });
      return [wireLog({ ...good, address: other })];
    });
    const { rpc } = rpcOver({ a: node });
    const logs = await rpc.logs({
      ...filter,
      address: [payContract, other],
      topics: [null, good.topics[1]!],
    });
    expect(logs).toEqual([{ ...good, address: other }]);
  });

  it.each([
    ['no address', { address: [] }, RangeError],
    ['a bad address', { address: '0x12' }, TypeError],
    ['an end below its start', { fromBlock: 9, toBlock: 8 }, RangeError],
    ['a negative height', { fromBlock: -1 }, RangeError],
    ['a broken height', { toBlock: 1.5 }, RangeError],
  ])('rejects a filter with %s without a request', async (_title, change, error) => {
    const node = nodeWithLogs();
    const { rpc } = rpcOver({ a: node });
    await expect(rpc.logs({ ...filter, ...change })).rejects.toThrow(error);
    expect(node.httpRequests).toBe(0);
    expect(rpc.health()[0]!.state).toBe('healthy');
  });

  it('rejects an invalid transaction hash and requests a valid one in lower case', async () => {
    const node = new ScriptedNode();
    const asked: unknown[] = [];
    for (const method of ['eth_getTransactionReceipt', 'eth_getTransactionByHash']) {
      node.methods.set(method, (params) => (asked.push(params[0]), null));
    }
    const { rpc } = rpcOver({ a: node });
    await expect(rpc.receipt('0x12')).rejects.toThrow(TypeError);
    await expect(rpc.transaction('12'.repeat(32))).rejects.toThrow(TypeError);
    expect(await rpc.receipt(`0x${'AB'.repeat(32)}`)).toBeNull();
    expect(await rpc.transaction(`0x${'AB'.repeat(32)}`)).toBeNull();
    expect(asked).toEqual([`0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(32)}`]);
  });

  it('calls contracts at a height, a tag or a block', async () => {
    const node = new ScriptedNode();
    const asked: unknown[][] = [];
    node.methods.set('eth_call', (params) => (asked.push(params), '0xAB'));
    const { rpc } = rpcOver({ a: node });
    const call = { to: payContract, data: '0x01' };
    expect(await rpc.ethCall(call)).toBe('0xab');
    await rpc.ethCall({ ...call, from: payContract, valueAtomic: 255n }, 16);
    await rpc.ethCall(call, { blockHash: digest('b') });
    expect(asked).toEqual([
      [call, 'latest'],
      [{ ...call, from: payContract, value: '0xff' }, '0x10'],
      [call, { blockHash: digest('b') }],
    ]);
    node.methods.set('eth_call', () => null);
    expect(await errorOf(rpc.ethCall(call))).toMatchObject({ kind: 'badReply' });
  });
});
