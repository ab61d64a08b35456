import { DomainError, type Auth, type Permission } from '@tollbridge/bus';
import type { KnownKey } from './known-keys';

/** @throws DomainError FORBIDDEN when an operation wants more than the key may. */
export function checkAllowed(auth: Auth, { kind, permissions }: KnownKey): void {
  if (auth === 'public') return;
  if (auth.key === 'secret' && kind === 'publishable')
    throw new DomainError(
      'FORBIDDEN',
      'This call needs the secret of the key; the publishable half cannot make it.',
      { details: { reason: 'secret_required' } },
    );
  if (!permissions.includes(auth.permission)) throw permissionMissing(auth.permission);
}

export function permissionMissing(permission: Permission): DomainError {
  const details = { reason: 'permission_missing', permission };
  return new DomainError('FORBIDDEN', `This key does not have the permission ${permission}.`, { details });
}
