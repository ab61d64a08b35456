/** The address of a node, and the headers with its key. */
export interface NodeUrl {
  /** The part before `/api/v2` and `/api/v3`. It may have a query with a key. */
  baseUrl: string;
  headers: Record<string, string>;
}

const path = '/api/v2/jsonRPC';

/**
 * Parses a URL of `CHAINS_FILE`: the URL of toncenter's JSON-RPC, for example `https://toncenter.com/api/v2/jsonRPC`.
 * The URL of the index is derived from it. User info of the URL is the API key, which is sent as `X-API-Key`. A query
 * is sent with every request.
 * @throws Error that identifies the URL by its position, because the URL may contain a key
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
