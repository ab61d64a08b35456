import { ProviderError } from '@tollbridge/http';
import { DomainError } from '@tollbridge/rpc';
import { readFailure, readUpstream } from './gift-failures';

describe('readFailure', () => {
  it.each(['unavailable', 'rejected', 'rateLimited', 'badReply'] as const)(
    'converts %s of the provider to UPSTREAM_UNAVAILABLE',
    (kind) => {
      const error = new ProviderError('reloadly', { kind, message: 'failed', status: 403 });
      expect(readFailure(error)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', status: 502 });
    },
  );

  it('does not convert an error of this app', () => {
    const own = new DomainError('NOT_FOUND');
    expect(readFailure(own)).toBe(own);
  });
});

describe('readUpstream', () => {
  it('returns the value, or throws the converted failure', async () => {
    expect(await readUpstream(Promise.resolve(1))).toBe(1);
    const error = new ProviderError('reloadly', { kind: 'badReply', message: 'failed' });
    await expect(readUpstream(Promise.reject(error))).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  });
});
