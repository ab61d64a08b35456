import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

export const tokenLifeSeconds = 3_600;

/** Bearer tokens of users, with an expiry. A restart invalidates all of them, as the provider may do at any time. */
export class LasoTokens {
  private readonly key = randomBytes(32);

  issue(userId: string, nowMs: number): object {
    return {
      id_token: this.sign({ userId, use: 'id', endsAtMs: nowMs + tokenLifeSeconds * 1_000 }),
      refresh_token: this.sign({ userId, use: 'refresh', endsAtMs: null }),
      expires_in: String(tokenLifeSeconds),
    };
  }

  /** Returns the user of a token; undefined when the token is not valid for this use. */
  userOf(token: string, use: 'id' | 'refresh', nowMs: number): string | undefined {
    const [body = '', mac = ''] = token.split('.');
    const [given, expected] = [Buffer.from(mac), Buffer.from(this.mac(body))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const read = JSON.parse(Buffer.from(body, 'base64url').toString());
    const isOver = read.endsAtMs !== null && read.endsAtMs <= nowMs;
    return read.use === use && !isOver ? read.userId : undefined;
  }

  private sign(content: object): string {
    const body = Buffer.from(JSON.stringify(content)).toString('base64url');
    return `${body}.${this.mac(body)}`;
  }

  private readonly mac = (body: string): string =>
    createHmac('sha256', this.key).update(body).digest('base64url');
}
