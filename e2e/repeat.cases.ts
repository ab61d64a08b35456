import { randomUUID } from 'node:crypto';
import type { Harness } from './harness';
import type { Payer } from './payer';
import { swapCases, type SwapsHarness } from './swaps.cases';

/** A harness that other tests also use. Its fields are set when the first case runs. */
export interface RepeatHarness extends SwapsHarness {
  harness: Harness;
  payer: Payer;
}

export interface Raw {
  status: number;
  text: string;
  isReplayed: boolean;
}

/** A request with an idempotency key. */
export interface Repeatable {
  path: string;
  body: unknown;
  key: string;
  /** Default: the key of the sandbox's merchant; empty for none. */
  credential?: string;
}

export const createOrder = '/api/v1/pay/create-order';
const unknownQuote = {
  quoteId: '01a1faec-0000-7000-8000-000000000000',
  userAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
};
const usd = 10n ** 6n;

/** Changes that make the body a different one. */
const changes: Record<string, object> = {
  [createOrder]: { merchant_id: 'another' },
  '/v1/quote': { slippageBps: 77 },
  '/v1/transaction/build': { skipApprovals: true },
};

/** Swaps, then repeated calls. A drill kills the processes that handle these calls. */
export function repeatCases(it: RepeatHarness): void {
  describe('swaps', () => swapCases(it));
  eachReply(it, 'replays a reply in the style %s of %s to %s byte for byte', async (first, call) => {
    expect(await post(it, call)).toEqual({ ...first, isReplayed: true });
    const changed = { ...(call.body as object), ...changes[call.path] };
    const other = await post(it, { ...call, body: changed });
    expect(other.status).toBe(422);
    expect(other.text).toContain('IDEMPOTENCY_KEY_REUSED');
  });
  test('accepts the same key from two callers, and rejects a key of 300 characters', async () => {
    const call = { path: createOrder, body: it.payer.terms(), key: randomUUID() };
    const [one, other] = [await post(it, call), await post(it, { ...call, credential: '' })];
    expect([one.isReplayed, other.isReplayed]).toEqual([false, false]);
    expect(other.text).not.toBe(one.text);
    expect((await post(it, { ...call, key: 'x'.repeat(300) })).status).toBe(400);
  });
}

/**
 * One test for each reply style, for results and for failures.
 * @param check receives the first reply, its call, and its service
 */
export function eachReply(
  it: RepeatHarness,
  title: string,
  check: (first: Raw, call: Repeatable, service: string) => Promise<void>,
): void {
  // The simulator of the route provider has no liquidity for this amount.
  const unroutable = () => it.payer.terms({ pay_token: 'USDT', merchant_amount: '25006401' });
  const wish = () => it.swapper.wish({ from: 'USDT', to: 'USDC', amount: usd });

  test.each<[string, string, string, () => unknown, number]>([
    ['bare', 'pay-orders', createOrder, () => it.payer.terms(), 200],
    ['bare', 'pay-orders', createOrder, () => unroutable(), 422],
    ['envelope', 'tx-engine', '/v1/quote', wish, 200],
    ['envelope', 'tx-engine', '/v1/transaction/build', () => unknownQuote, 404],
  ])(title, async (_style, service, path, bodyOf, status) => {
    const call = { path, body: bodyOf(), key: randomUUID() };
    const first = await post(it, call);
    expect(first).toMatchObject({ status, isReplayed: false });
    await check(first, call, service);
  });
}

/** The raw reply to a call. */
export async function post(
  { harness, payer }: RepeatHarness,
  { path, body, key, credential }: Repeatable,
): Promise<Raw> {
  const secret = credential ?? payer.sandbox.merchant.secret;
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': key,
    ...(secret && { authorization: `Bearer ${secret}` }),
  };
  const reply = await fetch(harness.gateway + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return {
    status: reply.status,
    text: await reply.text(),
    isReplayed: reply.headers.get('idempotent-replayed') === 'true',
  };
}
