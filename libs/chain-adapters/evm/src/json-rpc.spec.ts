import { decodeReplies, encodeRequests, nameNodeError } from './json-rpc';
import { MalformedReply } from './wire-fields';

const ok = (id: unknown, result: unknown = '0x1') => ({ jsonrpc: '2.0', id, result });
const failed = (id: unknown, message = 'no') => ({ jsonrpc: '2.0', id, error: { code: -32000, message } });
const decode = (body: unknown, count: number) => decodeReplies(JSON.stringify(body), 7, count);

describe('JSON-RPC envelopes', () => {
  it('send one request as an object and several as a list with ascending ids', () => {
    const request = { method: 'eth_chainId', params: [] };
    expect(JSON.parse(encodeRequests([request], 7))).toEqual({ jsonrpc: '2.0', id: 7, ...request });
    expect(JSON.parse(encodeRequests([request, request], 7))).toMatchObject([{ id: 7 }, { id: 8 }]);
  });

  it('order the replies of a batch like the requests', () => {
    expect(decode([ok(8, 'b'), failed(9), ok(7, 'a')], 3)).toEqual({
      replies: [{ result: 'a' }, { result: 'b' }, { error: { code: -32000, message: 'no' } }],
    });
  });

  it('accept a null result as a result, and an error with id null as the reply to a single request', () => {
    expect(decode(ok(7, null), 1)).toEqual({ replies: [{ result: null }] });
    expect(decode(failed(null), 1)).toEqual({ replies: [{ error: { code: -32000, message: 'no' } }] });
  });

  it.each([
    ['the bare error of most nodes', failed(null)],
    ['the list of one of geth', [failed(7)]],
  ])('accept %s as one error for a whole batch', (_title, body) => {
    expect(decode(body, 3)).toEqual({ rejection: { code: -32000, message: 'no' } });
  });

  it.each([
    ['a foreign id', ok(8), 1],
    ['a result with id null', ok(null), 1],
    ['a string id', ok('7'), 1],
    ['no version', { id: 7, result: 1 }, 1],
    ['neither result nor error', { jsonrpc: '2.0', id: 7 }, 1],
    ['an error without a code', { jsonrpc: '2.0', id: 7, error: { message: 'no' } }, 1],
    ['an error without a message', { jsonrpc: '2.0', id: 7, error: { code: 1 } }, 1],
    ['a code that is no integer', { jsonrpc: '2.0', id: 7, error: { code: 1.5, message: 'no' } }, 1],
    ['a list for a single request', [ok(7)], 1],
    ['null', null, 1],
    ['a single result for a batch', ok(7), 2],
    ['a batch with one reply missing', [ok(7), ok(8)], 3],
    ['a batch with one reply too many', [ok(7), ok(8), ok(9)], 2],
    ['a batch that answers one request twice', [ok(7), ok(7)], 2],
    ['a batch with a foreign id', [ok(7), ok(9)], 2],
  ])('reject %s', (_title, body, count) => {
    expect(() => decode(body, count)).toThrow(MalformedReply);
  });

  it('reject invalid JSON', () => {
    expect(() => decodeReplies('<html>', 7, 1)).toThrow(MalformedReply);
  });
});

// Texts as real nodes and providers send them.
describe('classification of node errors', () => {
  const nameOf = (method: string, code: number, message: string, data?: unknown) =>
    nameNodeError({ code, message, data }, method).reason;

  it.each([
    [-32005, 'query returned more than 10000 results. Try with this block range [0xBDE5F8, 0x102DBCC].'],
    [-32602, 'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range'],
    [-32600, 'You can make eth_getLogs requests with up to a 500 block range.'],
    [-32614, 'eth_getLogs is limited to a 10,000 range'],
    [-32602, 'range 1000000 exceeds limit of 10000'],
    [-32000, 'block range is larger than max block range, block range = 5120, max block range = 5000'],
    [-32000, 'exceed maximum block range: 5000'],
    [-32062, 'Block range is too large'],
    [-32602, 'query exceeds max block range 100000'],
    [-32602, 'query exceeds max results 20000, retry with the range 6000000-6000003'],
    [-32020, 'backend response too large'],
    [-32000, 'query timeout exceeded'],
  ])('detects a range that is too large: %i %s', (code, message) => {
    expect(nameOf('eth_getLogs', code, message)).toBe('rangeTooLarge');
    expect(nameOf('eth_getBalance', code, message)).not.toBe('rangeTooLarge');
  });

  it('detects a range that is too large in the data beside the message', () => {
    const data = { error_id: '4ed9', payload: 'range 9009594 is bigger than range limit 2000' };
    expect(nameOf('eth_getLogs', -32602, 'invalid params', data)).toBe('rangeTooLarge');
  });

  it.each([
    [-32000, 'header not found'],
    [-39001, 'Unknown block'],
    [-32602, 'BlockOutOfRangeError: block height is 0 but requested was 152'],
    [-32602, 'block range extends beyond current head block'],
    [-32000, 'invalid block range params'],
    [-32000, 'missing trie node 1f2e (path ) state 0x1f2e is not available'],
  ])('detects a block that the node lacks: %i %s', (code, message) => {
    expect(nameOf('eth_getLogs', code, message)).toBe('headerNotFound');
  });

  it.each([
    [-32005, 'project ID request rate exceeded'],
    [-32005, 'anything'],
    [429, 'Your app has exceeded its compute units per second capacity.'],
    [-32000, 'rate limit exceeded'],
    [-32000, 'limit exceeded'],
    [-32016, 'over rate limit'],
    [-32000, 'Too Many Requests'],
    [-32001, 'daily request count exceeded'],
    [-32003, 'monthly capacity limit reached'],
  ])('detects a request limit: %i %s', (code, message) => {
    expect(nameNodeError({ code, message }, 'eth_call')).toEqual({
      kind: 'rateLimited',
      reason: 'requestLimit',
    });
  });

  it.each([
    ['eth_getLogs', -32005, 'please limit the query to at most 1000 blocks'],
    ['eth_getLogs', 35, 'ranges over 10000 blocks are not supported on the free plan'],
    ['eth_getLogs', -32000, 'context deadline exceeded'],
    ['eth_getTransactionReceipt', 4444, 'pruned history unavailable'],
    ['eth_getBlockByNumber', -32603, 'anything'],
  ])('takes an unknown error of %s as a rejection of this node: %i %s', (method, code, message) => {
    expect(nameNodeError({ code, message }, method)).toEqual({
      kind: 'rejected',
      reason: expect.stringMatching(/^(readRejected|rangeTooLarge)$/),
    });
  });

  it.each([
    [-32601, 'Method not found'],
    [-32000, 'nonce too low'],
    [-32000, 'already known'],
    [-32000, 'exceeds block gas limit'],
    [-32000, 'insufficient funds for gas * price + value'],
  ])('returns an error of the call itself: %i %s', (code, message) => {
    expect(nameNodeError({ code, message }, 'eth_sendRawTransaction')).toEqual({
      kind: 'rejected',
      reason: 'nodeError',
    });
  });

  it.each([
    [3, 'execution reverted: limit exceeded'],
    [3, 'too many requests'],
    [-32000, 'VM Exception: revert header not found'],
    [-32000, 'execution reverted: rate limit exceeded'],
  ])('ignores the revert text of a contract: %i %s', (code, message) => {
    expect(nameOf('eth_call', code, message)).toBe('nodeError');
    expect(nameOf('eth_getLogs', code, message)).not.toBe('nodeError');
  });
});
