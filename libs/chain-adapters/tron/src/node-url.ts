import { parseRpcUrl, type RpcUrl } from '@tollbridge/evm';

/**
 * Returns the URL of one part of a node (`jsonrpc`, `wallet/getcontractinfo`). A TronGrid key in the user info is sent
 * as a header. A query is kept in every request.
 * @param position of the node in `CHAINS_FILE`, from 1, for its name in errors
 * @throws TypeError that identifies the URL only by its position
 */
export function nodeUrl(base: string, position: number, path: string): RpcUrl {
  const { href, ...rest } = parseRpcUrl(base, position);
  const url = new URL(href);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  const key = apiKeyIn(base);
  return { ...rest, href: url.href, headers: key === '' ? {} : { 'TRON-PRO-API-KEY': key } };
}

function apiKeyIn(base: string): string {
  const { username, password } = new URL(base);
  try {
    return decodeURIComponent(password || username);
  } catch {
    return password || username;
  }
}
