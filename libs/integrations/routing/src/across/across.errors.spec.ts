import { ProviderError } from '@tollbridge/http';
import { RouteRejection } from '../cross-chain-routes';
import { toRejection } from './across.errors';

const rejected = (body: unknown, status = 400) =>
  new ProviderError('across', { kind: 'rejected', message: `answered ${status}`, status, body });
const coded = (code: unknown, param?: unknown) => ({ type: 'AcrossApiError', code, param, message: 'm' });

it.each<[object, string]>([
  [coded('AMOUNT_TOO_LOW'), 'belowMinimum'],
  [coded('AMOUNT_TOO_HIGH'), 'noLiquidity'],
  [coded('SWAP_LIQUIDITY_INSUFFICIENT'), 'noLiquidity'],
  [coded('SWAP_QUOTE_UNAVAILABLE'), 'noLiquidity'],
  [coded('SWAP_SLIPPAGE_INSUFFICIENT'), 'noLiquidity'],
  [coded('ROUTE_NOT_ENABLED'), 'noRoute'],
  [coded('SWAP_TYPE_NOT_GUARANTEED'), 'noRoute'],
  [coded('SIMULATION_ERROR'), 'noRoute'],
  [coded('INVALID_PARAM', 'outputToken'), 'noRoute'],
  [coded('INVALID_PARAM', 'recipient'), 'badRecipient'],
])('maps the error %j to a rejection', (body, reason) => {
  const rejection = toRejection(rejected(body));
  expect(rejection).toBeInstanceOf(RouteRejection);
  expect(rejection).toMatchObject({ reason });
});

it('maps an unknown token to noRoute, and a 404 without a code to a configuration error', () => {
  expect(toRejection(rejected(coded('NOT_FOUND'), 404))).toMatchObject({ reason: 'noRoute' });
  expect(toRejection(rejected('<html>', 404))).toBeUndefined();
});

it.each(['UNEXPECTED_ERROR', 'UPSTREAM_RPC_ERROR', 'UPSTREAM_HTTP_ERROR', 'UPSTREAM_GATEWAY_TIMEOUT'])(
  'marks %s as retryable with any status',
  (code) => expect(toRejection(rejected(coded(code)))).toMatchObject({ kind: 'unavailable' }),
);

const ours: unknown[] = [
  undefined,
  null,
  'text',
  5,
  [],
  {},
  coded(undefined),
  coded(5),
  coded({}),
  coded('MISSING_PARAM', 'amount'),
  coded('INVALID_PARAM', 'amount'),
  coded('INVALID_PARAM'),
  ...['__proto__', 'constructor', 'toString'].map((code) => coded(code)),
];
it.each(ours.map((body) => [body]))('does not map %j to a rejection', (body) => {
  expect(toRejection(rejected(body))).toBeUndefined();
});

it.each(['unavailable', 'rateLimited', 'badReply', 'unknownOutcome'] as const)(
  'does not map the failure %s to a rejection',
  (kind) => {
    const error = new ProviderError('across', { kind, message: 'x', body: coded('AMOUNT_TOO_LOW') });
    expect(toRejection(error)).toBeUndefined();
  },
);

it.each([[new Error('AMOUNT_TOO_LOW')], ['AMOUNT_TOO_LOW'], [undefined], [null]])(
  'does not map %p to a rejection',
  (error) => {
    expect(toRejection(error)).toBeUndefined();
  },
);
