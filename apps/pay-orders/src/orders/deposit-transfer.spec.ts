import { findChain, findToken, sampleAddress } from '@tollbridge/chains';
import { depositTransferOf } from './deposit-transfer';
import type { OrderDeposit } from './order';
import { anOrderDeposit } from './testing/order.builder';

const chain = findChain('ton')!;
const token = findToken(chain, 'USDT')!;
const nowMs = 1_800_000_000_000;
const address = sampleAddress(chain);
const deposit = anOrderDeposit({ address, decimals: token.decimals });
const order = { status: 'waiting_payment' as const, expiresAtMs: nowMs + 60_000, deposit };

type Changes = Partial<Omit<typeof order, 'status' | 'deposit'>> & {
  status?: 'waiting_payment' | 'settling' | 'settled' | 'failed' | 'expired';
  deposit?: Partial<OrderDeposit>;
};
const transferOf = ({ deposit: changed, ...changes }: Changes = {}, on = chain, isPaidInVain = false) =>
  depositTransferOf(
    { ...order, ...changes, deposit: { ...deposit, ...changed } },
    { chain: on, token: findToken(on, token.symbol) ?? token, nowMs, isPaidInVain },
  );

describe('depositTransferOf', () => {
  it('transfers exactly the deposit, with its memo', () => {
    expect(transferOf({ deposit: { memo: '4711' } })).toEqual({
      token,
      receiver: address,
      amountAtomic: 1_650n,
      memo: '4711',
      expiresAtMs: order.expiresAtMs,
    });
  });

  it.each(['waiting_payment', 'settling'] as const)(
    'transfers the missing amount of an incomplete deposit for an order that is %s',
    (status) => {
      const incomplete = { state: 'incomplete', depositedAmount: 1_000n } as const;
      expect(transferOf({ status, deposit: incomplete })).toMatchObject({ amountAtomic: 650n });
    },
  );

  it('transfers the whole amount again when the submitted transaction does not pay it', () => {
    expect(transferOf({ status: 'settling' }, chain, true)).toMatchObject({ amountAtomic: 1_650n });
  });

  it.each<[string, Changes]>([
    ['a submitted transaction may be the deposit', { status: 'settling' }],
    ['the provider has seen the deposit', { deposit: { state: 'seen' } }],
    [
      'the deposit is being processed',
      { status: 'settling', deposit: { state: 'processing', depositedAmount: 1_650n } },
    ],
    ['the order is settled', { status: 'settled', deposit: { state: 'delivered', depositedAmount: 1_650n } }],
    ['the order has failed', { status: 'failed' }],
    ['the order has expired', { status: 'expired' }],
    ['the order is past its expiry', { expiresAtMs: nowMs }],
    ['the whole deposit arrived', { deposit: { state: 'incomplete', depositedAmount: 1_650n } }],
    ['more than the deposit arrived', { deposit: { state: 'incomplete', depositedAmount: 1_651n } }],
    ['the received amount is unknown', { deposit: { state: 'incomplete' } }],
  ])('rejects with ORDER_NOT_WAITING when %s', (_name, changes) => {
    expect(() => transferOf(changes)).toThrow(expect.objectContaining({ code: 'ORDER_NOT_WAITING' }));
  });

  it('rejects with ORDER_NOT_WAITING an order without a deposit', () => {
    expect(() =>
      depositTransferOf({ ...order, deposit: null }, { chain, token, nowMs, isPaidInVain: false }),
    ).toThrow(expect.objectContaining({ code: 'ORDER_NOT_WAITING' }));
  });

  it.each<[string, Changes]>([
    [
      'the address is of another chain',
      { deposit: { address: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' } },
    ],
    ['the amount has other decimals than the token', { deposit: { decimals: 9 } }],
  ])('rejects with ROUTE_UNAVAILABLE when %s', (_name, changes) => {
    expect(() => transferOf(changes)).toThrow(expect.objectContaining({ code: 'ROUTE_UNAVAILABLE' }));
  });

  it('rejects with ROUTE_UNAVAILABLE on a chain where transfers cannot carry the memo', () => {
    const sui = findChain('sui')!;
    const changes = { deposit: { address: sampleAddress(sui), memo: '4711' } };
    expect(() => transferOf(changes, sui)).toThrow(expect.objectContaining({ code: 'ROUTE_UNAVAILABLE' }));
    expect(() => transferOf({ deposit: { address: sampleAddress(sui) } }, sui)).not.toThrow();
  });
});
