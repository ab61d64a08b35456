import type { Environment } from '@tollbridge/config';
import { canonicalWallet } from '@tollbridge/wallet-proof';
import type { IncomingMessage } from 'node:http';

/** The wallet that `x-wallet` names, in its canonical form; `missing`, or `malformed` for what is no address. */
export type NamedWallet = { wallet: string } | 'missing' | 'malformed';

/** Node joins a header that stands twice by a comma, which no address has: two are refused, also two equal ones. */
export function walletHeader(
  { headers }: Pick<IncomingMessage, 'headers'>,
  environment: Environment,
): NamedWallet {
  const named = headers['x-wallet'];
  if (named === undefined) return 'missing';
  const wallet = typeof named === 'string' ? canonicalWallet(named, environment) : null;
  return wallet === null ? 'malformed' : { wallet };
}
