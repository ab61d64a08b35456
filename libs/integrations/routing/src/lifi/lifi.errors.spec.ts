import { ProviderError } from '@tollbridge/http';
import { RouteRejection } from '../cross-chain-routes';
import { lifiError } from '../testing/scripted-lifi';
import { toRejection } from './lifi.errors';

const rejected = (body: unknown, status = 404) =>
  new ProviderError('lifi', { kind: 'rejected', message: `answered ${status}`, status, body });
const saying = (toolCode?: string, code = 1002) => (lifiError(code, toolCode) as { body: unknown }).body;

it.each<[unknown, string]>([
  [saying('AMOUNT_TOO_LOW'), 'belowMinimum'],
  [saying('FEES_HIGHER_THAN_AMOUNT'), 'belowMinimum'],
  [saying('INSUFFICIENT_LIQUIDITY'), 'noLiquidity'],
  [saying('AMOUNT_TOO_HIGH'), 'noLiquidity'],
  [saying('DIFFERENT_RECIPIENT_NOT_SUPPORTED'), 'badRecipient'],
  [saying('NO_POSSIBLE_ROUTE'), 'noRoute'],
  [saying('TOOL_TIMEOUT'), 'noRoute'],
  [saying('constructor'), 'noRoute'],
  [saying(), 'noRoute'],
  [saying(undefined, 1003), 'noRoute'],
  [saying(undefined, 1004), 'noRoute'],
  [saying(undefined, 1007), 'priceMoved'],
  [{ code: 1011, message: '/toAddress must match pattern' }, 'badRecipient'],
  [{ code: 1011, message: 'fromToken is not known' }, 'noRoute'],
  [{ code: 1011, message: '/toChain must be one of' }, 'noRoute'],
  [{ code: 1002, errors: 'none' }, 'noRoute'],
  [{ code: 1002, errors: [[[[{ code: 'AMOUNT_TOO_LOW' }]]]] }, 'belowMinimum'],
])('maps the error %j to a rejection', (body, reason) => {
  const rejection = toRejection(rejected(body));
  expect(rejection).toBeInstanceOf(RouteRejection);
  expect(rejection).toMatchObject({ reason });
});

it('uses the most useful of several tool errors', () => {
  const errors = ['NO_POSSIBLE_ROUTE', 'INSUFFICIENT_LIQUIDITY', 'AMOUNT_TOO_LOW'].map((code) => ({ code }));
  expect(toRejection(rejected({ code: 1002, errors }))).toMatchObject({ reason: 'belowMinimum' });
  const two = { code: 1002, errors: errors.slice(0, 2) };
  expect(toRejection(rejected(two))).toMatchObject({ reason: 'noLiquidity' });
});

it('reads only the beginning of an endless reply', () => {
  const endless = Array.from({ length: 1_000_000 }, () => ({ tool: 'x' }));
  expect(toRejection(rejected({ code: 1002, errors: endless }))).toMatchObject({ reason: 'noRoute' });
  const message = 'x'.repeat(4_000_000);
  expect(toRejection(rejected({ code: 1011, message }))).toBeUndefined();
});

it.each([1001, 1006, 1008, 1009, 1012])('marks %s as retryable with any status', (code) => {
  expect(toRejection(rejected({ code, message: 'm' }, 424))).toMatchObject({ kind: 'unavailable' });
});

const ours: unknown[] = [
  undefined,
  null,
  '<html>',
  5,
  [],
  {},
  { code: '1002' },
  { code: 1000 },
  { code: 1010 },
  { code: 1011, message: 'fromAmount is none' },
  { code: 1011 },
  { code: null },
];
it.each(ours.map((body) => [body]))('does not map %j to a rejection', (body) => {
  expect(toRejection(rejected(body))).toBeUndefined();
});

it.each(['unavailable', 'rateLimited', 'badReply', 'unknownOutcome'] as const)(
  'does not map the failure %s to a rejection',
  (kind) => {
    expect(toRejection(new ProviderError('lifi', { kind, message: 'x', body: saying() }))).toBeUndefined();
  },
);

it.each([[new Error('x')], ['x'], [undefined], [null]])('does not map %p to a rejection', (error) => {
  expect(toRejection(error)).toBeUndefined();
});
