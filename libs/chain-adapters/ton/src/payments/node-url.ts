/** Where a node answers, and its key. */
export interface NodeUrl {
  /** Before `/api/v2` and `/api/v3`; may have a query with a key. */
  baseUrl: string;
  headers: Record<string, string>;
}

const path = '/api/v2/jsonRPC';

/**
 * Reads a URL of `CHAINS_FILE`: that of toncenter's JSON-RPC, such as `https://toncenter.com/api/v2/jsonRPC`. The index
 * is beside it. User info of the URL is the API key, sent as `X-API-Key`; a query is sent with every request.
 * @throws Error that names the URL by its position: it may hold a key
 */
export function parseNodeUrl(text: string, position: number): NodeUrl {
  const url = new URL(text);
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || !url.pathname.endsWith(path))
    throw new Error(`RPC URL number ${position} of TON must be an http(s) URL that ends with ${path}`);
  const key = decodeURIComponent(url.password || url.username);
  url.username = '';
  url.password = '';
  url.hash = '';
  url.pathname = url.pathname.slice(0, -path.length);
  return { baseUrl: url.href, headers: key === '' ? {} : { 'x-api-key': key } };
}
