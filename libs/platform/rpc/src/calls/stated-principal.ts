import type { CallContext } from './call-context';
import { DomainError } from '../errors/domain-error';
import { isWalletAuth, type Auth, type Operation } from '../declarations/operation';

type Kind = 'secret' | 'publishable' | 'wallet' | 'payer' | 'none';

// The principal of an app has neither a key nor a wallet.
const kinds: Readonly<Record<string, Kind>> = {
  key: 'secret',
  'page-key': 'publishable',
  wallet: 'wallet',
  payer: 'payer',
};

/**
 * Verifies in the service that the operation accepts the kind of principal. The gateway verifies the permissions. This
 * second check limits a mistake in the gateway: a key must not manage keys, and a page must not act for a wallet.
 * @throws DomainError UNAUTHORIZED
 */
export function checkPrincipal(
  { auth, sale }: Pick<Operation, 'auth'> & Partial<Pick<Operation, 'sale'>>,
  { principal }: Pick<CallContext, 'principal'>,
): void {
  if (auth === 'public') return;
  const kind = kinds[principal.slice(0, Math.max(0, principal.indexOf(':')))] ?? 'none';
  const isAccepted = kind === 'payer' ? sale !== undefined : isTaken(auth, kind);
  if (!isAccepted) throw new DomainError('UNAUTHORIZED');
}

function isTaken(auth: Exclude<Auth, 'public'>, kind: Kind): boolean {
  if (isWalletAuth(auth)) return kind === 'wallet';
  if (kind === 'wallet') return auth.orWallet === true;
  return kind === 'secret' || (kind === 'publishable' && auth.key === 'publishable');
}
