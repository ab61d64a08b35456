import { approval, hashOf, setOf } from '../testing/sample-set';
import { gasCost, gasUsed, nextToSend, seen, withTransaction, type SeenReceipt } from './transaction-set';

const receipt = (height: number, changes: Partial<SeenReceipt> = {}): SeenReceipt => ({
  ...{ succeeded: true, height, blockHash: hashOf('01'), gasUsed: 40_000n, gasPriceAtomic: 10n },
  ...changes,
});
const view = (height: number, receipts: Record<string, SeenReceipt> = {}) => ({
  height,
  receipts: new Map(Object.entries(receipts).map(([byte, it]) => [hashOf(byte), it])),
});
const submitted = withTransaction(setOf({ state: 'submitted' }), 0, { status: 'pending', sentAtMs: 5 });

it('an approval that is mined lets the swap be sent, and the set stay submitted', () => {
  const now = seen(submitted, view(10, { aa: receipt(10) }), 7);
  expect(now.state).toBe('submitted');
  expect(now.transactions[0]).toMatchObject({
    ...{ status: 'confirmed', confirmations: 1, minedAtMs: 7, gasUsedUnits: 40_000n, gasPricePerGas: 10n },
    block: { height: 10 },
  });
  expect(nextToSend(submitted)).toBeUndefined();
  expect(nextToSend(now)).toBe(1);
});

it('a swap that is mined makes the set confirming, and counts blocks', () => {
  const both = { aa: receipt(10), bb: receipt(11) };
  const now = seen(submitted, view(11, both), 7);
  expect(now.state).toBe('confirming');
  expect(seen(now, view(13, both), 9).transactions.map(({ confirmations }) => confirmations)).toEqual([3, 3]);
  expect(seen(now, view(13, both), 9).transactions[1]!.minedAtMs).toBe(7);
  // A node that is behind has the receipt, not the head.
  expect(seen(now, view(5, both), 9).transactions[1]!.confirmations).toBe(1);
});

it('a set whose process was killed before it noted the sending is found mined', () => {
  const killed = { ...setOf({ state: 'submitting' as const }), transactions: setOf().transactions.slice(1) };
  const now = seen(killed, view(11, { bb: receipt(11) }), 7);
  expect(now).toMatchObject({ state: 'confirming', transactions: [{ status: 'confirmed', sentAtMs: 7 }] });
});

it('a reorganisation takes the swap back, and what was delivered on its strength', () => {
  const both = { aa: receipt(10), bb: receipt(11) };
  const delivery = {
    txHash: hashOf('dd'),
    height: 5,
    blockHash: hashOf('0d'),
    amountAtomic: 99n,
    confirmations: 1,
    atMs: 8,
  };
  const mined = { ...seen(submitted, view(11, both), 7), delivery };
  const now = seen(mined, view(12, { aa: receipt(10) }), 9);
  expect(now).toMatchObject({ state: 'submitted', delivery: null });
  expect(now.transactions[1]).toMatchObject({
    ...{ status: 'pending', block: null, gasUsedUnits: null, confirmations: 0 },
  });
  expect(seen(now, view(13, { ...both, bb: receipt(13) }), 10).state).toBe('confirming');
});

it('a node that has not come so far takes nothing back', () => {
  const mined = seen(submitted, view(11, { aa: receipt(10), bb: receipt(11) }), 7);
  expect(seen(mined, view(9), 9)).toEqual(mined);
  expect(seen(mined, view(11), 9).state).toBe('submitted');
});

it('one that reverts keeps the next one from being sent', () => {
  const now = seen(submitted, view(10, { aa: receipt(10, { succeeded: false }) }), 7);
  expect(now.transactions[0]!.status).toBe('failed');
  expect(nextToSend(now)).toBeUndefined();
});

it('what is not signed is not looked for', () => {
  const built = setOf({ transactions: [approval] });
  expect(seen(built, view(10, { aa: receipt(10) }), 7).transactions).toEqual(built.transactions);
});

it('gas is summed over what is mined; its cost is unknown where a node does not tell the price', () => {
  const both = { aa: receipt(10), bb: receipt(11, { gasUsed: 2n, gasPriceAtomic: 5n }) };
  const now = seen(submitted, view(11, both), 7);
  expect([gasUsed(now), gasCost(now)]).toEqual([40_002n, 400_010n]);
  expect([gasUsed(submitted), gasCost(submitted)]).toEqual([0n, 0n]);
  const silent = seen(submitted, view(11, { ...both, bb: receipt(11, { gasPriceAtomic: null }) }), 7);
  expect(gasCost(silent)).toBeNull();
});
