import { ProviderError } from '@tollbridge/http';
import { RouteRefusal, type RefusalReason } from '@tollbridge/routing';
import { usdc } from '../testing/sample-set';
import { buildFailure, providerFailure } from './quote-failure';

it.each<[RefusalReason, string]>([
  ['noRoute', 'ROUTE_UNAVAILABLE'],
  ['noLiquidity', 'QUOTE_UNAVAILABLE'],
  ['priceMoved', 'QUOTE_UNAVAILABLE'],
  ['belowMinimum', 'QUOTE_UNAVAILABLE'],
  ['badRecipient', 'QUOTE_UNAVAILABLE'],
])('a refusal (%s) is %s for a quote, and never a missing route for a build', (reason, code) => {
  const refusal = new RouteRefusal(reason);
  expect(providerFailure(refusal, usdc)).toMatchObject({ code, details: { reason } });
  expect(buildFailure(refusal, usdc)).toMatchObject({ code: 'QUOTE_UNAVAILABLE', details: { reason } });
});

it('a provider that fails is told as such, and a mistake of ours is none of its', () => {
  const away = new ProviderError('across', { kind: 'unavailable', message: 'away' });
  const mistake = new TypeError('undefined is no function');
  expect(buildFailure(away, usdc)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(() => buildFailure(mistake, usdc)).toThrow(mistake);
});
