import {
  DomainError,
  isWalletAuth,
  keyPrincipal,
  walletPrincipal,
  type Auth,
  type Permission,
} from '@tollbridge/rpc';
import type { ApiKey } from './cached-keys';
import { unauthorized } from './rejections';
import type { NamedWallet } from './wallet-header';

/** The wallet in the header of a request with a key, and the wallet's proof. */
export interface WalletProof {
  named: NamedWallet;
  /** The wallet of the session token in the request. */
  session: string | undefined;
  /** In the sandbox, the header `x-wallet` needs no further proof. */
  isSandbox: boolean;
}

/**
 * The principal of a request with an API key: the key if it has the permission, otherwise the proven wallet. So the
 * budget of the key applies where possible. Key and wallet always belong to the same merchant.
 * @throws DomainError UNAUTHORIZED for a wallet of another merchant or without a proof; FORBIDDEN for a key without a
 * wallet
 */
export function principalWithKey(auth: Auth, key: ApiKey, proof: WalletProof): string {
  checkSameMerchant(auth, key.owner, proof);
  const rejection = keyRejection(auth, key);
  if (!rejection) return keyPrincipal(key.keyId, key.owner, key.kind);
  const { named, session, isSandbox } = proof;
  if (!acceptsWallet(auth) || (named.kind === 'missing' && session === undefined)) throw rejection;
  if (named.kind === 'missing') throw unauthorized('wallet_missing');
  // Outside the sandbox the header proves nothing, so a key must not act as the wallet in the header.
  if (!isSandbox && session === undefined)
    throw isWalletAuth(auth) ? unauthorized('wallet_unproven') : rejection;
  return walletPrincipal(key.owner);
}

function checkSameMerchant(auth: Auth, owner: string, { named, session }: WalletProof): void {
  if (session !== undefined && session !== owner) throw unauthorized('wallet_mismatch');
  if (session !== undefined || acceptsWallet(auth)) checkNamed(owner, named);
}

const acceptsWallet = (auth: Auth): boolean =>
  auth !== 'public' && (isWalletAuth(auth) || auth.orWallet === true);

function keyRejection(auth: Auth, { kind, permissions }: ApiKey): DomainError | undefined {
  if (auth === 'public') return undefined;
  if (isWalletAuth(auth))
    return forbidden(
      'wallet_required',
      'This operation needs a wallet, and an API key was sent. Send x-wallet with its session token.',
    );
  if (auth.key === 'secret' && kind === 'publishable')
    return forbidden(
      'secret_required',
      'This operation needs the secret of the API key, and the publishable key was sent. Send the secret.',
    );
  return permissions.includes(auth.permission) ? undefined : permissionMissing(auth.permission);
}

/**
 * @param wallet the wallet of the session
 * @throws DomainError FORBIDDEN when only a key is accepted, UNAUTHORIZED without the header or with another wallet
 */
export function checkSession(auth: Auth, wallet: string, named: NamedWallet): void {
  if (auth !== 'public' && !acceptsWallet(auth))
    throw forbidden(
      'key_required',
      'This operation needs an API key, and a wallet session was sent. Send the API key.',
    );
  if (auth !== 'public' && named.kind === 'missing') throw unauthorized('wallet_missing');
  checkNamed(wallet, named);
}

function checkNamed(wallet: string, named: NamedWallet): void {
  if (named.kind === 'malformed') throw unauthorized('wallet_malformed');
  if (named.kind === 'named' && named.wallet !== wallet) throw unauthorized('wallet_mismatch');
}

/** The wallet of a request without a key and without a session. @throws DomainError UNAUTHORIZED */
export function walletByName(auth: Auth, named: NamedWallet, isSandbox: boolean): string {
  if (!acceptsWallet(auth)) throw unauthorized('missing');
  if (named.kind === 'missing') throw isWalletAuth(auth) ? unauthorized('wallet_missing') : merchantMissing();
  if (named.kind === 'malformed') throw unauthorized('wallet_malformed');
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

function forbidden(reason: string, message: string): DomainError {
  return new DomainError('FORBIDDEN', message, { details: { reason } });
}
