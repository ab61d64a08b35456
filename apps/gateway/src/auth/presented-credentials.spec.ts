import { newKeyText } from '@tollbridge/api-keys';
import type { IncomingMessage } from 'node:http';
import { presentedCredentials } from './presented-credentials';

/** Headers as Node parses them: with original names, and only the first of several `authorization` headers. */
function request(...lines: [name: string, value: string][]): IncomingMessage {
  const headers: Record<string, string> = {};
  for (const [name, value] of lines) headers[name.toLowerCase()] ??= value;
  return { headers, rawHeaders: lines.flat() } as unknown as IncomingMessage;
}

describe('presentedCredentials with an API key', () => {
  it.each([
    ['Authorization', 'Bearer the-key'],
    ['authorization', 'bearer the-key'],
    ['AUTHORIZATION', 'BEARER   the-key'],
    ['Authorization', ' Bearer the-key '],
    ['X-API-Key', 'the-key'],
    ['x-api-key', ' the-key '],
  ] as const)('reads the key from %s: %j', (name, value) => {
    expect(presentedCredentials(request(['Accept', '*/*'], [name, value]))).toEqual({
      kind: 'presented',
      key: 'the-key',
    });
  });

  it('accepts the same key more than once', () => {
    const both = request(['X-Api-Key', 'the-key'], ['Authorization', 'Bearer the-key']);
    expect(presentedCredentials(both)).toEqual({ kind: 'presented', key: 'the-key' });
    const twice = request(['Authorization', 'Bearer the-key'], ['authorization', 'bearer the-key']);
    expect(presentedCredentials(twice)).toEqual({ kind: 'presented', key: 'the-key' });
  });

  it('returns missing without both headers', () => {
    expect(presentedCredentials(request())).toEqual({ kind: 'missing' });
    expect(presentedCredentials(request(['Cookie', 'key=the-key'], ['X-Wallet', 'the-key']))).toEqual({
      kind: 'missing',
    });
  });
});

describe('presentedCredentials with a payment in Authorization', () => {
  it.each(['Payment eyJ9', 'payment eyJ9', 'Payment  eyJ9', 'Payment'])(
    'ignores the payment: %j',
    (value) => {
      expect(presentedCredentials(request(['Authorization', value]))).toEqual({ kind: 'missing' });
      const both = request(['Authorization', value], ['X-API-Key', 'the-key']);
      expect(presentedCredentials(both)).toEqual({ kind: 'presented', key: 'the-key' });
    },
  );

  it('ignores no other scheme than Payment', () => {
    for (const value of ['Payments eyJ9', 'Bearer Payment x'])
      expect(presentedCredentials(request(['Authorization', value]))).toEqual({ kind: 'malformed' });
  });
});

describe('presentedCredentials with a session token', () => {
  const session = newKeyText('test', 'session');

  it.each(['Authorization', 'X-API-Key'])('reads the token from %s', (name) => {
    const value = name === 'Authorization' ? `Bearer ${session}` : session;
    expect(presentedCredentials(request([name, value]))).toEqual({ kind: 'presented', session });
  });

  it('reads a session token and an API key from one request, in either order', () => {
    const lines: [string, string][] = [
      ['Authorization', `Bearer ${session}`],
      ['X-API-Key', 'the-key'],
    ];
    expect(presentedCredentials(request(...lines))).toEqual({ kind: 'presented', key: 'the-key', session });
    expect(presentedCredentials(request(...lines.reverse()))).toEqual({
      kind: 'presented',
      key: 'the-key',
      session,
    });
  });

  it('returns malformed for two different session tokens', () => {
    const other = newKeyText('test', 'session');
    const both = request(['Authorization', `Bearer ${session}`], ['X-API-Key', other]);
    expect(presentedCredentials(both)).toEqual({ kind: 'malformed' });
  });
});

describe('presentedCredentials with a malformed credential', () => {
  it.each([
    [['Authorization', '']],
    [['X-API-Key', '']],
    [['X-API-Key', ' ']],
    [['Authorization', 'Bearer']],
    [['Authorization', 'Bearer ']],
    [['Authorization', 'the-key']],
    [['Authorization', 'Basic dGhlLWtleQ==']],
    [['Authorization', 'Bearer the key']],
    [['Authorization', 'Bearer the-key, Bearer the-key']],
    [['Authorization', 'Bearer thé-key']],
    [['Authorization', 'Bearer\tthe-key']],
    [['Authorization', `Bearer ${'k'.repeat(129)}`]],
    [['X-API-Key', 'k'.repeat(15_000)]],
  ] as [string, string][][])('returns malformed for %j', (line) => {
    expect(presentedCredentials(request(line))).toEqual({ kind: 'malformed' });
  });

  it.each([
    [
      [
        ['Authorization', 'Bearer one'],
        ['X-API-Key', 'other'],
      ],
    ],
    [
      [
        ['X-API-Key', 'one'],
        ['X-API-Key', 'other'],
      ],
    ],
    [
      [
        ['Authorization', 'Bearer one'],
        ['Authorization', 'Bearer other'],
      ],
    ],
    [
      [
        ['Authorization', 'Bearer one'],
        ['Authorization', 'Basic one'],
      ],
    ],
    [
      [
        ['Authorization', 'Bearer one'],
        ['X-API-Key', ''],
      ],
    ],
  ] as [string, string][][][])('returns malformed for conflicting credentials: %j', (lines) => {
    expect(presentedCredentials(request(...lines))).toEqual({ kind: 'malformed' });
  });
});
