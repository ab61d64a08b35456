import { UnreadableReply } from '@tollbridge/http';
import { nameNodeError, readNodeError } from './json-rpc';

describe('the error of a node', () => {
  it('has its code, message and data', () => {
    const error = { code: -32000, message: 'no', data: '0x' };
    expect(readNodeError({ ...error, stack: 'at' })).toEqual(error);
    expect(readNodeError({ code: 3, message: '' })).toEqual({ code: 3, message: '' });
  });

  it.each([
    ['a code', { message: 'no' }],
    ['a message', { code: 1 }],
    ['an integer as its code', { code: 1.5, message: 'no' }],
    ['a string as its message', { code: 1, message: null }],
  ])('requires %s', (_title, error) => {
    expect(() => readNodeError(error)).toThrow(UnreadableReply);
  });
});

// Messages from real nodes and providers.
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

  it('detects a range error in error.data if the message does not report it', () => {
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
  ])('treats an unknown error of %s as a rejection by this node: %i %s', (method, code, message) => {
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
