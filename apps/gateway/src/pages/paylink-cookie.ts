import { isUuid } from '@tollbridge/rpc';
import type { IncomingMessage } from 'node:http';
import { cookieValues } from '../http/cookie-values';

const name = 'tollbridge_checkout';
// As long as a checkout can be paid.
const maxAgeSeconds = 24 * 60 * 60;

/**
 * Binds a browser to one checkout of a PayLink at a time, in all its tabs: docs/decisions/0095. Its path binds it to the
 * PayLink. Its value is the id of the newest checkout, or the key of the first one.
 */
export class PayLinkCookie {
  private readonly attributes: string;

  /** @param publicUrl with https, browsers keep the cookie in frames of shops too, apart for each shop */
  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:');
    const site = isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
    this.attributes = `HttpOnly; Max-Age=${maxAgeSeconds}; ${site}`;
  }

  /** Undefined without a usable value. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const values = cookieValues(headers.cookie, name);
    return values.length === 1 ? values.find(isUuid) : undefined;
  }

  /** The value of `Set-Cookie`. @param linkId as the path of the page has it */
  toStore(linkId: string, value: string): string {
    return `${name}=${value}; Path=/l/${encodeURIComponent(linkId)}; ${this.attributes}`;
  }
}
