import { api, nextCursorOf, replyOf, type Schemas } from '../../api/client';

const mostPages = 5;

/** The record among the newest 500: the API lists records and reads no single one. Null when it is not there. */
export async function findTransaction(id: string): Promise<Schemas['TransactionRecord'] | null> {
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const query = { limit: 100, ...(cursor && { cursor }) };
    const { data, headers } = await replyOf(api.GET('/api/transactions', { params: { query } }));
    const found = data.find((record) => record.id === id);
    if (found) return found;
    cursor = nextCursorOf(headers);
    if (!cursor) return null;
  }
  return null;
}
