import { isSessionText } from '@tollbridge/api-keys';
import type { IncomingMessage } from 'node:http';
import { cookieValues } from '../http/cookie-values';

/** A browser sends this header to another origin only after a preflight, and no reply permits that with cookies. */
export const dashboardHeader = 'x-tollbridge-dashboard';

// A session token has 50 characters.
const maxLength = 128;
const attributes = 'Path=/; HttpOnly; SameSite=Strict';

/** The cookie that contains the session token of the dashboard. Scripts cannot read it. */
export class SessionCookie {
  readonly name: string;
  private readonly attributes: string;

  /** @param publicUrl with https, the cookie gets the prefix that prevents other hosts of the domain from setting it */
  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith('https:');
    this.name = isSecure ? '__Host-tollbridge_session' : 'tollbridge_session';
    this.attributes = isSecure ? `${attributes}; Secure` : attributes;
  }

  /**
   * The token in a request of the dashboard. A request without the dashboard's header counts as one without a cookie.
   */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | 'missing' | 'malformed' {
    const { cookie, 'sec-fetch-site': site } = headers;
    if (headers[dashboardHeader] !== '1' || cookie === undefined) return 'missing';
    if (site !== undefined && site !== 'same-origin') return 'missing';
    const values = cookieValues(cookie, this.name);
    if (values.length === 0) return 'missing';
    const [token = ''] = values;
    return values.length > 1 || token.length > maxLength || !isSessionText(token) ? 'malformed' : token;
  }

  /** The value of `Set-Cookie` that stores the token. @param expiresAt ISO time */
  toStore(token: string, expiresAt: string): string {
    return `${this.name}=${token}; ${this.attributes}; Expires=${new Date(expiresAt).toUTCString()}`;
  }

  /** The value of `Set-Cookie` that deletes the cookie. */
  get toDelete(): string {
    return `${this.name}=; ${this.attributes}; Max-Age=0`;
  }
}
