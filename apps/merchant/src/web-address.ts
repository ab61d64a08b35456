import type { Environment } from '@tollbridge/config';

const maxLength = 1_024;

/** The error of a page or image URL; undefined for a valid one. This service never requests the URL. */
export function webAddressError(text: string, environment: Environment): string | undefined {
  if (text.length > maxLength) return `must have at most ${maxLength} characters`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:\/\/[^/\\]/i.test(text) || !/^[\x21-\x7e]+$/.test(text)) return mustBe(environment);
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or a password';
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  const isAllowed = url.protocol === 'https:' || (environment === 'sandbox' && isLocal);
  return isAllowed ? undefined : mustBe(environment);
}

const mustBe = (environment: Environment): string =>
  environment === 'sandbox'
    ? 'must be an address that begins with https://, or http:// on this machine'
    : 'must be an address that begins with https://';
