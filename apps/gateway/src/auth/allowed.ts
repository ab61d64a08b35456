import { DomainError, isWalletAuth, type Auth, type Permission } from '@tollbridge/bus';
import type { KnownKey } from './known-keys';
import { unauthorized } from './refusals';
import type { NamedWallet } from './wallet-header';

/** @throws DomainError FORBIDDEN when an operation wants more than the key may. */
export function checkAllowed(auth: Auth, { kind, permissions }: KnownKey): void {
  if (auth === 'public') return;
  if (isWalletAuth(auth))
    throw forbidden('wallet_required', 'This call is made by the wallet itself, not with an API key.');
  if (auth.key === 'secret' && kind === 'publishable')
    throw forbidden(
      'secret_required',
      'This call needs the secret of the key; the publishable half cannot make it.',
    );
  if (!permissions.includes(auth.permission)) throw permissionMissing(auth.permission);
}

/** Where a wallet or a key will do, both may be sent, if they belong together. */
export function checkSameWallet(auth: Auth, owner: string, named: NamedWallet): void {
  if (auth !== 'public' && !isWalletAuth(auth) && auth.orWallet) checkNamed(owner, named);
}

/**
 * @param wallet the one that has signed in
 * @throws DomainError FORBIDDEN where only a key will do, UNAUTHORIZED where another wallet is named, or none.
 */
export function checkSession(auth: Auth, wallet: string, named: NamedWallet): void {
  const needsKey = auth !== 'public' && !isWalletAuth(auth) && !auth.orWallet;
  if (needsKey) throw forbidden('key_required', 'This call is made with an API key, not by a wallet.');
  if (auth !== 'public' && named === 'missing') throw unauthorized('wallet_missing');
  checkNamed(wallet, named);
}

function checkNamed(wallet: string, named: NamedWallet): void {
  if (named === 'malformed') throw unauthorized('wallet_malformed');
  if (named !== 'missing' && named.wallet !== wallet) throw unauthorized('wallet_mismatch');
}

/** The wallet that is believed by its name alone. @throws DomainError UNAUTHORIZED */
export function believedWallet(auth: Auth, named: NamedWallet, isSandbox: boolean): string {
  const isWalletsAlone = isWalletAuth(auth);
  const isForWallets = auth !== 'public' && (isWalletsAlone || auth.orWallet === true);
  if (!isForWallets) throw unauthorized('missing');
  if (named === 'missing') throw isWalletsAlone ? unauthorized('wallet_missing') : merchantMissing();
  if (named === 'malformed') throw unauthorized('wallet_malformed');
  if (!isSandbox) throw unauthorized('wallet_unproven');
  return named.wallet;
}

function merchantMissing(): DomainError {
  return unauthorized(
    'missing',
    'This call needs the secret of an API key, as Authorization: Bearer or as X-API-Key, or the header x-wallet with the address of your wallet.',
  );
}

export function permissionMissing(permission: Permission): DomainError {
  const details = { reason: 'permission_missing', permission };
  return new DomainError('FORBIDDEN', `This key does not have the permission ${permission}.`, { details });
}

function forbidden(reason: string, sentence: string): DomainError {
  return new DomainError('FORBIDDEN', sentence, { details: { reason } });
}
