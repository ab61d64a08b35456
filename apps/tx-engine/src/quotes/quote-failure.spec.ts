import { ProviderError } from '@tollbridge/http';
import { RouteRejection, type RejectionReason } from '@tollbridge/routing';
import { usdc } from '../testing/sample-set';
import { buildFailure, providerFailure } from './quote-failure';

it.each<[RejectionReason, string]>([
  ['noRoute', 'ROUTE_UNAVAILABLE'],
  ['noLiquidity', 'QUOTE_UNAVAILABLE'],
  ['priceMoved', 'QUOTE_UNAVAILABLE'],
  ['belowMinimum', 'QUOTE_UNAVAILABLE'],
  ['badRecipient', 'QUOTE_UNAVAILABLE'],
])('maps the rejection %s to %s for a quote, and never to ROUTE_UNAVAILABLE for a build', (reason, code) => {
  const rejection = new RouteRejection(reason);
  expect(providerFailure(rejection, usdc)).toMatchObject({ code, details: { reason } });
  expect(buildFailure(rejection, usdc)).toMatchObject({ code: 'QUOTE_UNAVAILABLE', details: { reason } });
});

it('maps a provider failure to UPSTREAM_UNAVAILABLE and rethrows programming errors', () => {
  const away = new ProviderError('across', { kind: 'unavailable', message: 'away' });
  const mistake = new TypeError('undefined is not a function');
  expect(buildFailure(away, usdc)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
  expect(() => buildFailure(mistake, usdc)).toThrow(mistake);
});
