import {
  ChainAdapters,
  type ChainAdapter,
  type TransferRead,
  type WantedTransfers,
} from '@tollbridge/chain-port';
import { aReceivedTransfer, minedTransfers } from '@tollbridge/chain-port/testing';
import { findChain } from '@tollbridge/chains';
import { Deliveries } from './deliveries';

const chain = findChain('base')!;
const merchantAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const expected = { settleChain: chain.id, settleToken: 'USDC', merchantAddress };
const hash = `0x${'ab'.repeat(32)}`;
const base64 = 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=';
const transfer = aReceivedTransfer({ txHash: hash });
const mined = minedTransfers({ confirmations: chain.confirmations, transfers: [transfer] });

/** A reader that returns the same observation for every transaction. */
function deliveriesOn(shown: TransferRead): { deliveries: Deliveries; asked: WantedTransfers[] } {
  const asked: WantedTransfers[] = [];
  const readTransfers = (wanted: readonly WantedTransfers[]) => {
    asked.push(...wanted);
    return Promise.resolve(wanted.map(() => shown));
  };
  const adapter = { chain, readTransfers } as Partial<ChainAdapter> as ChainAdapter;
  return { deliveries: new Deliveries(new ChainAdapters([adapter])), asked };
}

describe('Deliveries', () => {
  it("reads the merchant's settle token, once for each transaction", async () => {
    const { deliveries, asked } = deliveriesOn(mined);
    const token = chain.tokens.find(({ symbol }) => symbol === 'USDC')!;
    const named = [hash, hash.toUpperCase().replace('0X', '0x')];
    expect(await deliveries.read(expected, named)).toEqual({ kind: 'read', transfers: [transfer] });
    expect(asked).toEqual([{ txHash: hash, token, receiver: merchantAddress, seenIn: null }]);
  });

  it.each<[string, TransferRead]>([
    ['lacks confirmations', { ...mined, confirmations: chain.confirmations - 1 }],
    ['is in no block', { kind: 'unmined', chainTimeMs: 0 }],
    ['cannot be read', { kind: 'unavailable' }],
  ])('waits while the transaction %s', async (_name, shown) => {
    expect(await deliveriesOn(shown).deliveries.read(expected, [hash])).toEqual({ kind: 'pending' });
  });

  it("waits for the first transaction in the provider's list", async () => {
    expect(await deliveriesOn(mined).deliveries.read(expected, [])).toEqual({ kind: 'pending' });
  });

  it.each([
    ['another format', [base64]],
    ['another format, together with a valid one', [hash, base64]],
  ])('reads nothing when the provider returns a hash of %s', async (_name, hashes) => {
    const { deliveries, asked } = deliveriesOn(mined);
    expect(await deliveries.read(expected, hashes)).toEqual({ kind: 'misnamed' });
    expect(asked).toEqual([]);
  });

  it('returns a delivery on a chain without an adapter as unread', async () => {
    const elsewhere = { ...expected, settleChain: 'ton' };
    expect(await deliveriesOn(mined).deliveries.read(elsewhere, [base64])).toEqual({ kind: 'unread' });
  });
});
