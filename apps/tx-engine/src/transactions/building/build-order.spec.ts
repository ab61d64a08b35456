import { DomainError } from '@tollbridge/rpc';
import { findChain, type EvmChain } from '@tollbridge/chains';
import type { StoredQuote } from '../../quotes/quotes.repository';
import { dai, usdc, usdt, user } from '../../testing/sample-set';
import { checkedOrder, groupsOf, termsOf, type BuildOrder, type CheckedOrder } from './build-order';

const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const nowMs = 1_000_000_000;
const around = { chainOf: ({ chain }: { chain: string }) => findChain(chain) as EvmChain, nowMs };
const quote = (id: string, changes: Partial<StoredQuote> = {}): StoredQuote => ({
  id,
  owner: 'me',
  provider: 'test',
  from: usdt,
  to: usdc,
  slippageBps: 50,
  expiresAtMs: nowMs,
  amountInAtomic: 100n,
  amountOutAtomic: 99n,
  minAmountOutAtomic: 98n,
  ...changes,
});
const order = (changes: Partial<BuildOrder> = {}): BuildOrder => ({
  quoteId: 'q',
  userAddress: user,
  skipApprovals: false,
  ...changes,
});
const checked = (id: string, place = 0, changes: Partial<BuildOrder> = {}): CheckedOrder =>
  checkedOrder(order({ quoteId: id, ...changes }), place, quote(id), around);
const failureOf = (work: () => unknown): DomainError => {
  try {
    work();
  } catch (error) {
    return error as DomainError;
  }
  throw new Error('nothing was thrown');
};

describe('checkedOrder', () => {
  it('returns addresses with their checksum, and the signer as the default recipient', () => {
    expect(checked('q', 0, { userAddress: user.toLowerCase() })).toMatchObject({ user, recipient: user });
    expect(checked('q', 0, { recipient: other.toLowerCase() })).toMatchObject({ user, recipient: other });
  });

  it.each([
    ['userAddress', { userAddress: usdc.address! }],
    ['userAddress', { userAddress: usdc.address!, recipient: other }],
    ['recipient', { recipient: usdt.address! }],
  ])('rejects a token address as %s', (field, changes) => {
    const { code, details } = failureOf(() => checked('q', 0, changes));
    expect([code, details]).toEqual(['VALIDATION_ERROR', [expect.objectContaining({ field })]]);
  });

  it('validates each address for the chain where it receives tokens', () => {
    const across = quote('q', { to: dai });
    const to = (recipient: string) => () => checkedOrder(order({ recipient }), 0, across, around);
    expect(failureOf(to(dai.address!)).details).toMatchObject([{ field: 'recipient' }]);
    expect(to(other)()).toMatchObject({ recipient: other });
  });

  it('validates no address for an unknown quote', () => {
    expect(failureOf(() => checkedOrder(order(), 0, undefined, around)).code).toBe('INVALID_QUOTE');
  });
});

describe('groupsOf', () => {
  it('groups the orders of one signer on one chain in request order', () => {
    const orders = [checked('a'), checked('b', 1, { userAddress: other }), checked('c', 2)];
    const ids = groupsOf(orders).map((group) => group.map((one) => one.quote.id));
    expect(ids).toEqual([['a', 'c'], ['b']]);
  });

  it('merges repeated orders of a quote and retains both indexes', () => {
    const [group] = groupsOf([checked('a', 0), checked('b', 1), checked('a', 2)]);
    expect(group!.map((one) => [one.quote.id, one.places])).toEqual([
      ['a', [0, 2]],
      ['b', [1]],
    ]);
  });
});

describe('termsOf', () => {
  const terms = (changes: Partial<BuildOrder> = {}, settings = {}, group = ['q']) =>
    termsOf(
      checked('q', 0, changes),
      group.map((id) => checked(id)),
      settings,
    );

  it('returns equal terms for the same request with addresses in any spelling', () => {
    expect(terms({ userAddress: user.toLowerCase(), recipient: user }, undefined)).toBe(terms());
  });

  it('returns different terms for each changed field', () => {
    const all = [
      terms(),
      terms({ recipient: other }),
      terms({ deadline: 1_000_060 }),
      terms({ skipApprovals: true }),
      ...['gasLimit', 'maxFeePerGas', 'maxPriorityFeePerGas', 'gasPrice'].map((it) =>
        terms({}, { [it]: '1' }),
      ),
      terms({}, {}, ['q', 'r']),
      terms({}, {}, ['r', 'q']),
    ];
    expect(new Set(all).size).toBe(all.length);
  });
});
