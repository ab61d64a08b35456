import { JsonRpcClient, parseRetryAfter } from './json-rpc-client';
import { parseRpcUrl } from './rpc-url';
import { fetchFrom, ScriptedNode } from './testing/scripted-node';
import { errorOf } from './testing/test-rpc';

const key = 's3cr3tkey0123456';
const chainId = { method: 'eth_chainId', params: [] };

function clientOf(node: ScriptedNode): JsonRpcClient {
  return new JsonRpcClient(parseRpcUrl(`http://a/v2/${key}`, 1), {
    fetch: fetchFrom({ a: node }),
    timeoutMs: 5_000,
    maxReplyBytes: 1_000_000,
    now: () => Date.parse('2026-11-20T10:00:00Z'),
  });
}

const answering = (status: number, body: string, headers: Record<string, string> = {}): ScriptedNode => {
  const node = new ScriptedNode();
  node.respond = () => new Response(body, { status, headers });
  return node;
};

const failing = (error: object): ScriptedNode => {
  const node = new ScriptedNode();
  node.methods.set('eth_call', () => {
    throw error;
  });
  return node;
};

const call = { method: 'eth_call', params: [] };
const errorReply = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } });

describe('JsonRpcClient', () => {
  it('sends at most 100 requests in a batch and preserves their order', async () => {
    const node = new ScriptedNode();
    node.methods.set('echo', ([value]) => value);
    const requests = Array.from({ length: 250 }, (_, index) => ({ method: 'echo', params: [index] }));
    const results = await clientOf(node).send(requests);
    expect(results).toEqual(requests.map((_, index) => index));
    expect(node.httpRequests).toBe(3);
  });

  it('never reuses an id', async () => {
    const node = new ScriptedNode();
    const ids: number[] = [];
    node.respond = (_signal, body) => {
      const batch = [JSON.parse(body)].flat() as { id: number }[];
      ids.push(...batch.map(({ id }) => id));
      const replies = batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x1' }));
      return Response.json(batch.length === 1 ? replies[0] : replies);
    };
    const client = clientOf(node);
    await Promise.all([client.send([chainId, chainId]), client.send([chainId])]);
    await client.send([chainId]);
    expect(ids).toEqual([1, 2, 3, 4]);
  });

  it('sends nothing for an empty batch', async () => {
    const node = new ScriptedNode();
    expect(await clientOf(node).send([])).toEqual([]);
    expect(node.httpRequests).toBe(0);
  });

  it.each([
    ['Batch of more than 3 requests are not allowed', (error: object) => error],
    ['batch too large', (error: object) => [error]],
  ])('learns the batch limit from an error: %s', async (message, shape) => {
    const node = new ScriptedNode();
    const sizes: number[] = [];
    node.respond = (_signal, body) => {
      const batch = [JSON.parse(body)].flat() as { id: number }[];
      sizes.push(batch.length);
      if (batch.length > 3) {
        return Response.json(shape({ jsonrpc: '2.0', id: batch[0]!.id, error: { code: -32600, message } }));
      }
      const replies = batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: id }));
      return Response.json(batch.length === 1 ? replies[0] : replies);
    };
    const client = clientOf(node);
    expect(await client.send(Array(13).fill(chainId))).toHaveLength(13);
    expect(sizes).toEqual([13, 6, 3, 3, 3, 3, 1]);
    sizes.length = 0;
    await client.send(Array(6).fill(chainId));
    expect(sizes).toEqual([3, 3]);
  });

  it('throws any other error of a batch unchanged', async () => {
    const error = await errorOf(clientOf(answering(200, errorReply(-32005, 'slow down'))).send([call, call]));
    expect(error).toMatchObject({ kind: 'rateLimited', code: -32005 });
  });

  it.each([
    [200, '<html>', 'badReply', 'malformed'],
    [200, '', 'badReply', 'malformed'],
    [200, '{"id":1}', 'badReply', 'malformed'],
    [502, '<html>', 'unavailable', 'httpStatus'],
    [404, '', 'unavailable', 'httpStatus'],
    // A gateway wraps its error as JSON-RPC. The error concerns the key, not the request.
    [401, errorReply(-32600, 'Must be authenticated!'), 'unavailable', 'httpStatus'],
    [402, errorReply(-32600, 'unpaid'), 'unavailable', 'httpStatus'],
    [403, errorReply(-32600, 'blocked'), 'unavailable', 'httpStatus'],
    [429, errorReply(-32000, 'execution reverted'), 'rateLimited', 'requestLimit'],
    // Some nodes send their own errors with an HTTP error status.
    [400, errorReply(-32602, 'invalid params'), 'rejected', 'nodeError'],
    [500, errorReply(-32000, 'nonce too low'), 'rejected', 'nodeError'],
  ])('interprets status %i with body %j as %s (%s)', async (status, body, kind, reason) => {
    expect(await errorOf(clientOf(answering(status, body)).send([call]))).toMatchObject({ kind, reason });
  });

  it('preserves code, message and data of a node error', async () => {
    const revert = { code: 3, message: 'execution reverted: no', data: '0x08c379a0' };
    const error = await errorOf(clientOf(failing(revert)).send([call]));
    expect(error).toMatchObject({
      kind: 'rejected',
      code: 3,
      nodeMessage: revert.message,
      data: revert.data,
    });
    expect(error.message).toBe('#1 http://a/…: eth_call answered error 3: execution reverted: no');
  });

  it('redacts a key that a node quotes in message and data, and truncates long messages', async () => {
    const message = `bad key ${key} ${'x'.repeat(10_000)}`;
    const error = await errorOf(
      clientOf(failing({ code: -32000, message, data: { url: `/v2/${key}` } })).send([call]),
    );
    expect(JSON.stringify([error.message, error.stack, error.nodeMessage, error.data])).not.toContain(key);
    expect(error.data).toEqual({ url: '/v2/…' });
    expect(error.message.length).toBeLessThanOrEqual(500);
    const text = await errorOf(clientOf(failing({ code: 1, message: 'no', data: key })).send([call]));
    expect(text.data).toBe('…');
  });

  it('omits data that it cannot redact', async () => {
    const client = new JsonRpcClient(parseRpcUrl('http://a/?key=12345678', 1), {
      fetch: fetchFrom({ a: failing({ code: 1, message: 'no', data: { account: 12345678 } }) }),
      timeoutMs: 5_000,
      maxReplyBytes: 1_000,
      now: () => 0,
    });
    expect((await errorOf(client.send([call]))).data).toBeNull();
  });

  it.each([
    ['429 in seconds', answering(429, '', { 'retry-after': '12' }), 12_000],
    ['429 as a date', answering(429, '', { 'retry-after': 'Fri, 20 Nov 2026 10:00:30 GMT' }), 30_000],
    ['503', answering(503, '', { 'retry-after': '5' }), 5_000],
    ['429 without Retry-After', answering(429, ''), undefined],
    ["Infura's data", failing({ code: -32005, message: 'rate', data: { backoff_seconds: 2.5 } }), 2_500],
  ])('returns the pause that the node requests: %s', async (_title, node, retryAfterMs) => {
    expect((await errorOf(clientOf(node).send([call]))).retryAfterMs).toBe(retryAfterMs);
  });

  it.each([
    ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    [null, null],
  ])('parses Retry-After %j as %j', (header, waitMs) => {
    expect(parseRetryAfter(header, Date.parse('2026-11-20T10:00:00Z'))).toBe(waitMs);
  });
});
