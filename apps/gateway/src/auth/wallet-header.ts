import type { Environment } from '@tollbridge/config';
import { canonicalWallet } from '@tollbridge/wallet-proof';
import type { IncomingMessage } from 'node:http';

/** The wallet of `x-wallet` in its canonical form; `malformed` when the header is not an address. */
export type NamedWallet = { kind: 'named'; wallet: string } | { kind: 'missing' } | { kind: 'malformed' };

const missing: NamedWallet = { kind: 'missing' };

/**
 * Node joins repeated headers by a comma, which no address contains. So repeated headers are malformed, even with equal
 * values.
 */
export function walletHeader(
  { headers }: Pick<IncomingMessage, 'headers'>,
  environment: Environment,
): NamedWallet {
  const named = headers['x-wallet'];
  if (named === undefined) return missing;
  const wallet = typeof named === 'string' ? canonicalWallet(named, environment) : null;
  return wallet === null ? { kind: 'malformed' } : { kind: 'named', wallet };
}
