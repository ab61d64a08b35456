import type { ChainAdapter, TransferRead } from '@tollbridge/chain-port';
import { aReceivedTransfer, minedTransfers } from '@tollbridge/chain-port/testing';
import { findChain, findToken, sampleAddress } from '@tollbridge/chains';
import { ManualClock } from '@tollbridge/testing';
import { SubmittedTransactions } from './submitted-transactions';
import { anOrder, anOrderDeposit } from './testing/order.builder';

const chain = findChain('eip155:42161')!;
const clock = new ManualClock();
const txHash = `0x${'ab'.repeat(32)}`;
const mined = minedTransfers({ transfers: [] });
const transfer = aReceivedTransfer({ txHash, from: sampleAddress(chain) });

/** A deposit order, and the service with a fake adapter that returns `read`, `report` and `coins`. */
function submitted(
  read: TransferRead | Error,
  payToken = 'USDC',
  { report = 'notFound', coins }: { report?: string; coins?: boolean | null | undefined } = {},
) {
  const adapter = {
    chain,
    // Omitted on chains where the transfers show all coins.
    ...(coins !== undefined && { receivedCoins: async () => coins }),
    readTransfers: async () => {
      if (read instanceof Error) throw read;
      return [read];
    },
    readReport: async () => ({ state: report }),
  } as unknown as ChainAdapter;
  const order = anOrder({
    method: 'CrossChain',
    direct: null,
    payChain: chain.id,
    payToken,
    payTx: txHash,
    deposit: anOrderDeposit({
      address: sampleAddress(chain),
      decimals: findToken(chain, payToken)!.decimals,
    }),
    updatedAtMs: clock.now(),
  });
  return { order, transactions: new SubmittedTransactions({ find: () => adapter } as never, clock) };
}

describe('SubmittedTransactions for a deposit', () => {
  it.each<[string, TransferRead, string]>([
    ['paying', { ...mined, transfers: [transfer] }, 'notFound'],
    ['failed', { ...mined, isSuccessful: false }, 'notFound'],
    ['unrelated', mined, 'notFound'],
    ['unseen', { kind: 'unmined', chainTimeMs: 0 }, 'notFound'],
    ['pending', { kind: 'unmined', chainTimeMs: 0 }, 'pending'],
  ])('returns the state %s', async (state, read, report) => {
    const { order, transactions } = submitted(read, 'USDC', { report });
    expect(await transactions.stateOf(order, txHash)).toBe(state);
  });

  it.each<[string, boolean | null | undefined]>([
    ['paying', true],
    ['unrelated', false],
    ['mined', null],
    // This chain has no `receivedCoins`.
    ['unrelated', undefined],
  ])('returns the state %s without a transfer when receivedCoins returns %s', async (state, coins) => {
    const { order, transactions } = submitted(mined, 'ETH', { coins });
    expect(await transactions.stateOf(order, txHash)).toBe(state);
  });

  it('counts the transaction as in flight while no node answers, and for two minutes while no node has it', async () => {
    const silent = submitted(new Error('no node answers'));
    const unseen = submitted({ kind: 'unmined', chainTimeMs: 0 });
    expect(await unseen.transactions.isInFlight(unseen.order)).toBe(true);
    clock.advance(120_000);
    expect(await silent.transactions.isInFlight(silent.order)).toBe(true);
    expect(await unseen.transactions.isInFlight(unseen.order)).toBe(false);
  });

  it('counts a mined transaction as in flight for ten minutes without knowing its coins, and longer once coins arrived', async () => {
    const arrived = submitted(mined, 'ETH', { coins: true });
    const unknown = submitted(mined, 'ETH', { coins: null });
    clock.advance(9 * 60_000);
    expect(await unknown.transactions.isInFlight(unknown.order)).toBe(true);
    clock.advance(60_000);
    expect(await unknown.transactions.isInFlight(unknown.order)).toBe(false);
    expect(await arrived.transactions.isInFlight(arrived.order)).toBe(true);
  });

  it.each<[boolean, TransferRead]>([
    [true, { ...mined, transfers: [transfer] }],
    [false, { ...mined, isSuccessful: false }],
    [false, mined],
  ])('isInFlight returns %s, and false unless the order is settling', async (isInFlight, read) => {
    const { order, transactions } = submitted(read);
    expect(await transactions.isInFlight(order)).toBe(isInFlight);
    expect(await transactions.isInFlight({ ...order, status: 'waiting_payment' })).toBe(false);
  });
});
