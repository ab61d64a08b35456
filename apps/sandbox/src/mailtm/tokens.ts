import { createHmac, scryptSync, timingSafeEqual } from 'node:crypto';
import type { MailtmAccount } from './accounts.repository';

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = encoded({ typ: 'JWT', alg: 'HS256' });

/** The cost is low, because the passwords protect only sandbox accounts. */
export function digestOfPassword(password: string, salt: Buffer): Buffer {
  return scryptSync(password, salt, 32, { N: 1024 });
}

/**
 * Returns a JWT that a secret of this account signs. It survives restarts, and is valid until the account is deleted.
 */
export function tokenOf(account: MailtmAccount, nowMs: number): string {
  const { id, address } = account;
  const payload = encoded({ iat: Math.floor(nowMs / 1000), roles: ['ROLE_USER'], address, id });
  return `${header}.${payload}.${signature(account, payload)}`;
}

/** Returns the account id in the token without verifying it; `isGenuine` verifies it. */
export function claimedId(token: string): string | undefined {
  try {
    const { id } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      id?: unknown;
    };
    return typeof id === 'string' ? id : undefined;
  } catch {
    return undefined;
  }
}

export function isGenuine(token: string, account: MailtmAccount): boolean {
  const [first, payload = '', given = ''] = token.split('.');
  const wanted = Buffer.from(signature(account, payload));
  const actual = Buffer.from(given);
  return first === header && actual.length === wanted.length && timingSafeEqual(actual, wanted);
}

function signature({ passwordDigest }: MailtmAccount, payload: string): string {
  return createHmac('sha256', passwordDigest).update(`${header}.${payload}`).digest('base64url');
}
