import { isUuid } from '@tollbridge/rpc';
import type { IncomingMessage } from 'node:http';
import { cookieValues } from '../../http/cookie-values';

// Two cookies, so that a late reply to a first visit cannot replace the checkout that another tab has started.
const keyName = 'tollbridge_checkout_key';
const checkoutName = 'tollbridge_checkout';
// A checkout can be paid for a day, and its payment may then be in flight for days.
const maxAgeSeconds = 7 * 24 * 60 * 60;

/**
 * Binds a browser with all of its tabs to one checkout of a PayLink at a time: docs/decisions/0095. The cookie's path
 * binds it to the PayLink. The first visit stores the key of the first checkout. Each click stores the id of the newest
 * checkout, which has priority.
 */
export class PayLinkCookie {
  private readonly attributes: string;

  /** @param publicUrl with https, browsers keep the cookie in frames of shops too, separately for each shop */
  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:');
    const site = isSecure ? 'SameSite=None; Secure; Partitioned' : 'SameSite=Lax';
    this.attributes = `HttpOnly; Max-Age=${maxAgeSeconds}; ${site}`;
  }

  /** Undefined without a usable value. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const valueOf = (name: string) => {
      const values = cookieValues(headers.cookie, name);
      return values.length === 1 ? values.find(isUuid) : undefined;
    };
    return valueOf(checkoutName) ?? valueOf(keyName);
  }

  /** The value of `Set-Cookie` for a first visit. @param linkId the id in the path of the page */
  toStoreKey(linkId: string, key: string): string {
    return this.toStore(keyName, linkId, key);
  }

  /** The value of `Set-Cookie` for a click. @param linkId the id in the path of the page */
  toStoreCheckout(linkId: string, checkoutId: string): string {
    return this.toStore(checkoutName, linkId, checkoutId);
  }

  private toStore(name: string, linkId: string, value: string): string {
    return `${name}=${value}; Path=/l/${encodeURIComponent(linkId)}; ${this.attributes}`;
  }
}
