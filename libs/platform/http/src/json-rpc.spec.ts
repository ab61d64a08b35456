import { jsonRpcBody, jsonRpcRequest, readJsonRpcReplies, readJsonRpcReply } from './json-rpc';
import { UnreadableReply, type Fields } from './reply-fields';

const ok = (id: unknown, result: unknown = '0x1') => ({ jsonrpc: '2.0', id, result });
const failed = (id: unknown, message = 'no') => ({ jsonrpc: '2.0', id, error: { code: -32000, message } });
const readError = ({ code, message }: Fields) => {
  if (code === 'unreadable') throw new UnreadableReply('error.code is malformed');
  return { code, message };
};
const decode = (body: unknown, count: number) =>
  readJsonRpcReplies(JSON.parse(JSON.stringify(body)), readError, { firstId: 7, count });

describe('JSON-RPC envelopes', () => {
  it('sends one request as an object and several as a list with ascending ids', () => {
    const request = { method: 'eth_chainId', params: [] };
    expect(jsonRpcBody([request], 7)).toEqual({ jsonrpc: '2.0', id: 7, ...request });
    expect(jsonRpcBody([request, request], 7)).toMatchObject([{ id: 7 }, { id: 8 }]);
  });

  it('returns the replies of a batch in the order of the requests', () => {
    expect(decode([ok(8, 'b'), failed(9), ok(7, 'a')], 3)).toEqual({
      replies: [{ result: 'a' }, { result: 'b' }, { error: { code: -32000, message: 'no' } }],
    });
  });

  it('accepts a null result, and an error with id null as the reply to a single request', () => {
    expect(decode(ok(7, null), 1)).toEqual({ replies: [{ result: null }] });
    expect(decode(failed(null), 1)).toEqual({ replies: [{ error: { code: -32000, message: 'no' } }] });
  });

  it.each([
    ['a single error object, as most nodes send it', failed(null)],
    ['a list with one error, as geth sends it', [failed(7)]],
  ])('accepts %s as one error for a whole batch', (_title, body) => {
    expect(decode(body, 3)).toEqual({ rejection: { code: -32000, message: 'no' } });
  });

  it.each([
    ['a foreign id', ok(8), 1],
    ['a result with id null', ok(null), 1],
    ['a string id', ok('7'), 1],
    ['no version', { id: 7, result: 1 }, 1],
    ['neither result nor error', { jsonrpc: '2.0', id: 7 }, 1],
    ['an error that is not an object', { jsonrpc: '2.0', id: 7, error: 'no' }, 1],
    ['an error that its reader rejects', { jsonrpc: '2.0', id: 7, error: { code: 'unreadable' } }, 1],
    ['a list for a single request', [ok(7)], 1],
    ['null', null, 1],
    ['a single result for a batch', ok(7), 2],
    ['a batch with one reply missing', [ok(7), ok(8)], 3],
    ['a batch with one reply too many', [ok(7), ok(8), ok(9)], 2],
    ['a batch that answers one request twice', [ok(7), ok(7)], 2],
    ['a batch with a foreign id', [ok(7), ok(9)], 2],
  ])('rejects %s', (_title, body, count) => {
    expect(() => decode(body, count)).toThrow(UnreadableReply);
  });

  it('accepts a bigint id, which an exact parser returns', () => {
    const reply = (id: bigint) => ({ jsonrpc: '2.0', id, result: 5n });
    expect(readJsonRpcReply(reply(1n), readError)).toEqual({ result: 5n });
    expect(() => readJsonRpcReply(reply(2n), readError)).toThrow('id is malformed');
  });

  it('posts one request to the base URL, with the signal of the caller', () => {
    const { signal } = new AbortController();
    const body = { jsonrpc: '2.0', id: 1, method: 'getSlot', params: [] };
    expect(jsonRpcRequest('getSlot', [])).toEqual({ method: 'POST', path: '', body });
    expect(jsonRpcRequest('getSlot', [], signal)).toEqual({ method: 'POST', path: '', body, signal });
  });
});
