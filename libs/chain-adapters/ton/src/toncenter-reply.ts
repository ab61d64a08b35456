import { readFields, UnreadableReply } from '@tollbridge/http';

/** Toncenter's JSON-RPC (api/v2) takes requests of JSON-RPC 2.0, and has its own form of replies. */
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
