import { DomainError, isWalletAuth, type Auth, type Permission } from '@tollbridge/bus';
import type { KnownKey } from './known-keys';
import { unauthorized } from './refusals';
import type { NamedWallet } from './wallet-header';

/** @throws DomainError FORBIDDEN when an operation wants more than the key may. */
export function checkAllowed(auth: Auth, { kind, permissions }: KnownKey): void {
  if (auth === 'public') return;
  if (isWalletAuth(auth))
    throw forbidden(
      'wallet_required',
      'This operation needs a wallet, and an API key was sent. Send x-wallet with its session token.',
    );
  if (auth.key === 'secret' && kind === 'publishable')
    throw forbidden(
      'secret_required',
      'This operation needs the secret of the API key, and the publishable key was sent. Send the secret.',
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
  if (needsKey)
    throw forbidden(
      'key_required',
      'This operation needs an API key, and a wallet session was sent. Send the API key.',
    );
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
    'This operation needs the secret of an API key, or a wallet. Send the secret as Authorization: Bearer or X-API-Key, or the header x-wallet.',
  );
}

export function permissionMissing(permission: Permission): DomainError {
  const details = { reason: 'permission_missing', permission };
  return new DomainError(
    'FORBIDDEN',
    `The API key does not have the permission ${permission}. Use a key that has it, or add it to this key.`,
    { details },
  );
}

function forbidden(reason: string, sentence: string): DomainError {
  return new DomainError('FORBIDDEN', sentence, { details: { reason } });
}
