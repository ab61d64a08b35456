import { readFields, UnreadableReply } from '@tollbridge/http';

/**
 * Builds a request. Toncenter's JSON-RPC (api/v2) accepts requests of JSON-RPC 2.0, but has its own format of replies.
 */
export const toncenterBody = (method: string, params: object): object => ({
  id: '1',
  jsonrpc: '2.0',
  method,
  params,
});

export function readToncenterResult(reply: unknown): unknown {
  const { ok, result } = readFields(reply, 'the reply');
  if (ok !== true || result === undefined) throw new UnreadableReply('the reply has no result');
  return result;
}
