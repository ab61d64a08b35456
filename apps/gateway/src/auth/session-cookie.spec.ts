import { newKeyText } from '@tollbridge/api-keys';
import type { IncomingMessage } from 'node:http';
import { presentedCredentials } from './presented-credentials';
import { SessionCookie } from './session-cookie';

const token = newKeyText('test', 'session');
const other = newKeyText('test', 'session');
const plain = new SessionCookie('http://127.0.0.1:3000');
const secure = new SessionCookie('https://api.example.com');

const request = (headers: Record<string, string>): IncomingMessage =>
  ({ headers, rawHeaders: Object.entries(headers).flat() }) as unknown as IncomingMessage;
const dashboard = { 'x-tollbridge-dashboard': '1' };
const stored = { ...dashboard, cookie: `tollbridge_session=${token}` };

describe('SessionCookie', () => {
  it('returns the token when other cookies are present', () => {
    expect(plain.read(request(stored))).toBe(token);
    const among = { ...dashboard, cookie: `a=1; tollbridge_session=${token};b=tollbridge_session` };
    expect(plain.read(request(among))).toBe(token);
  });

  it.each([
    ['without the header of the dashboard', { cookie: stored.cookie }],
    ['with another value of the header', { ...stored, 'x-tollbridge-dashboard': '0' }],
    ['with the header twice, which Node joins', { ...stored, 'x-tollbridge-dashboard': '1, 1' }],
    ['without a cookie', dashboard],
    ['with cookies of other names', { ...dashboard, cookie: `x_tollbridge_session=${token}; session=1` }],
    ['from another site', { ...stored, 'sec-fetch-site': 'cross-site' }],
    ['from another host of the domain', { ...stored, 'sec-fetch-site': 'same-site' }],
  ])('returns missing %s', (_title, headers) => {
    expect(plain.read(request(headers))).toBe('missing');
  });

  it.each([
    ['two tokens', `tollbridge_session=${token}; tollbridge_session=${other}`],
    ['the same token twice', `tollbridge_session=${token}; tollbridge_session=${token}`],
    ['a long text', `tollbridge_session=tb_test_ws_${'x'.repeat(4_000)}`],
    ['an API key', `tollbridge_session=${newKeyText('test', 'secret')}`],
    ['nothing', 'tollbridge_session='],
    ['quotes', `tollbridge_session="${token}"`],
  ])('returns malformed for %s', (_title, cookie) => {
    expect(plain.read(request({ ...dashboard, cookie }))).toBe('malformed');
  });

  it('has a name over https that another host of the domain cannot set', () => {
    expect(secure.read(request(stored))).toBe('missing');
    expect(secure.read(request({ ...dashboard, cookie: `__Host-${stored.cookie}` }))).toBe(token);
    expect(secure.toStore(token, '2026-11-27T12:00:00.000Z')).toBe(
      `__Host-tollbridge_session=${token}; Path=/; HttpOnly; SameSite=Strict; Secure; Expires=Fri, 27 Nov 2026 12:00:00 GMT`,
    );
  });

  it('deletes the cookie with the same attributes that set it', () => {
    expect(plain.toDelete).toBe('tollbridge_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
  });
});

describe('presentedCredentials with a cookie', () => {
  it('returns the session of the cookie', () => {
    expect(presentedCredentials(request(stored), plain)).toEqual({
      kind: 'presented',
      session: token,
      isCookie: true,
    });
  });

  it('ignores the cookie of a request with another credential, valid or not', () => {
    expect(presentedCredentials(request({ ...stored, authorization: `Bearer ${other}` }), plain)).toEqual({
      kind: 'presented',
      session: other,
    });
    expect(presentedCredentials(request({ ...stored, 'x-api-key': 'the-key' }), plain)).toEqual({
      kind: 'presented',
      key: 'the-key',
    });
    expect(presentedCredentials(request({ ...stored, authorization: '' }), plain)).toEqual({
      kind: 'malformed',
    });
  });

  it('ignores the cookie where cookies do not authenticate', () => {
    expect(presentedCredentials(request(stored))).toEqual({ kind: 'missing' });
  });
});
