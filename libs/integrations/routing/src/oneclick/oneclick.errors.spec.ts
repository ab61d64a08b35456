import { maxAmount } from '@tollbridge/money';
import { ProviderError } from '@tollbridge/http';
import { RouteRejection } from '../cross-chain-routes';
import { toRejection } from './oneclick.errors';

const rejected = (message: unknown, status = 400) =>
  new ProviderError('oneclick', {
    kind: 'rejected',
    message: `answered ${status}`,
    status,
    body: { message, correlationId: 'c', timestamp: '2026-11-20T12:00:00Z', path: '/v0/quote' },
  });
const rejectionOf = (message: unknown, status?: number) => {
  const error = toRejection(rejected(message, status));
  expect(error).toBeInstanceOf(RouteRejection);
  const { reason, minimum } = error as RouteRejection;
  return minimum ? { reason, minimum } : { reason };
};
const below = (minimum?: RouteRejection['minimum']) =>
  minimum ? { reason: 'belowMinimum', minimum } : { reason: 'belowMinimum' };

it.each<[unknown, object]>([
  ['Amount is too low for bridge, try at least 12345', below({ amountOutAtomic: 12_345n })],
  [`Amount is too low for bridge, try at least ${maxAmount}`, below({ amountOutAtomic: maxAmount })],
  [`Amount is too low for bridge, try at least ${maxAmount + 1n}`, below()],
  [`Amount is too low for bridge, try at least ${'9'.repeat(79)}`, below()],
  ['Amount is too low for bridge, try at least 007', below()],
  ['Amount is too low for bridge', below()],
  ['Temporary swap limits: minimum swap amount is $1,000', below({ usd: '1000' })],
  ['Minimum swap amount is $10', below({ usd: '10' })],
  ['Minimum swap amount is $0.50', below({ usd: '0.50' })],
  ['Minimum swap amount is $1,000.', below({ usd: '1000' })],
  ['Minimum swap amount is $1,234,567.25', below({ usd: '1234567.25' })],
  ['Failed to get quote', { reason: 'noLiquidity' }],
  ['No liquidity available', { reason: 'noLiquidity' }],
  ['Quoting for this pair is not available', { reason: 'noRoute' }],
  ['tokenIn is not valid', { reason: 'noRoute' }],
  ['tokenOut is not valid', { reason: 'noRoute' }],
  ['recipient is not valid', { reason: 'badRecipient' }],
  ['refundTo is not valid', { reason: 'badRefundAddress' }],
  ['refundTo should not be empty', { reason: 'badRefundAddress' }],
  [['refundTo should not be empty', 'refundTo must be a string'], { reason: 'badRefundAddress' }],
  [['recipient is not valid'], { reason: 'badRecipient' }],
  [['originAsset must be a string', 'recipient is not valid'], { reason: 'noRoute' }],
  ['An unknown message', { reason: 'noRoute' }],
  ['Minimum swap amount is $,', { reason: 'noRoute' }],
  [undefined, { reason: 'noRoute' }],
  [null, { reason: 'noRoute' }],
  [[], { reason: 'noRoute' }],
  [{ recipient: 1 }, { reason: 'noRoute' }],
  [5, { reason: 'noRoute' }],
])('maps the message %j to a rejection', (message, expected) => {
  expect(rejectionOf(message)).toEqual(expected);
});

it.each([[undefined], [null], ['<html>'], [[]], [5]])('ignores the body %p, which has no message', (body) => {
  const error = new ProviderError('oneclick', {
    kind: 'rejected',
    message: 'answered 400',
    status: 400,
    body,
  });
  expect(toRejection(error)).toMatchObject({ reason: 'noRoute' });
});

it('reads only the beginning of an endless message', () => {
  expect(rejectionOf('1'.repeat(4_000_000))).toEqual({ reason: 'noRoute' });
  expect(rejectionOf(Array.from({ length: 100_000 }, () => 'try at least '))).toEqual({ reason: 'noRoute' });
});

it.each(['Internal server error', ['Internal server error']])(
  'marks %j with status 400 as retryable',
  (message) => {
    expect(toRejection(rejected(message))).toMatchObject({ kind: 'unavailable', mayBeRepeated: true });
  },
);

it.each([401, 403])('treats status %s as an error of our key', (status) => {
  expect(toRejection(rejected('recipient is not valid', status))).toBeUndefined();
});

it.each(['unavailable', 'rateLimited', 'badReply', 'unknownOutcome'] as const)(
  'does not map the failure %s to a rejection',
  (kind) => {
    const body = { message: 'recipient is not valid' };
    expect(toRejection(new ProviderError('oneclick', { kind, message: 'x', body }))).toBeUndefined();
  },
);

it.each([[new Error('recipient')], ['recipient'], [undefined], [null]])(
  'does not map %p to a rejection',
  (error) => {
    expect(toRejection(error)).toBeUndefined();
  },
);
