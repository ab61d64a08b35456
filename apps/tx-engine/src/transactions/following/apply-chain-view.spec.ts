import { hashOf } from '../../testing/sample-set';
import { aTransactionSet, approval } from '../testing/transaction-set.builder';
import {
  gasCost,
  gasUsed,
  nextToSend,
  applyChainView,
  withTransaction,
  type ReceiptView,
} from '../transaction-set';

const receipt = (height: number, changes: Partial<ReceiptView> = {}): ReceiptView => ({
  succeeded: true,
  height,
  blockHash: hashOf('01'),
  gasUsed: 40_000n,
  gasPriceAtomic: 10n,
  ...changes,
});
const view = (height: number, receipts: Record<string, ReceiptView> = {}) => ({
  height,
  receipts: new Map(Object.entries(receipts).map(([byte, it]) => [hashOf(byte), it])),
});
const submitted = withTransaction(aTransactionSet({ state: 'submitted' }), 0, {
  status: 'pending',
  sentAtMs: 5,
});

it('allows the swap after a mined approval and stays submitted', () => {
  const now = applyChainView(submitted, view(10, { aa: receipt(10) }), 7);
  expect(now.state).toBe('submitted');
  expect(now.transactions[0]).toMatchObject({
    status: 'confirmed',
    confirmations: 1,
    minedAtMs: 7,
    gasUsedUnits: 40_000n,
    gasPricePerGas: 10n,
    block: { height: 10 },
  });
  expect(nextToSend(submitted)).toBeUndefined();
  expect(nextToSend(now)).toBe(1);
});

it('transitions to confirming with a mined swap and counts confirmations', () => {
  const both = { aa: receipt(10), bb: receipt(11) };
  const now = applyChainView(submitted, view(11, both), 7);
  expect(now.state).toBe('confirming');
  expect(
    applyChainView(now, view(13, both), 9).transactions.map(({ confirmations }) => confirmations),
  ).toEqual([3, 3]);
  expect(applyChainView(now, view(13, both), 9).transactions[1]!.minedAtMs).toBe(7);
  // A node that is behind may have the receipt before the head.
  expect(applyChainView(now, view(5, both), 9).transactions[1]!.confirmations).toBe(1);
});

it('transitions a set with mined transactions although the broadcast was not recorded', () => {
  const killed = {
    ...aTransactionSet({ state: 'submitting' as const }),
    transactions: aTransactionSet().transactions.slice(1),
  };
  const now = applyChainView(killed, view(11, { bb: receipt(11) }), 7);
  expect(now).toMatchObject({ state: 'confirming', transactions: [{ status: 'confirmed', sentAtMs: 7 }] });
});

it('undoes a swap and its delivery after a reorganisation', () => {
  const both = { aa: receipt(10), bb: receipt(11) };
  const delivery = {
    txHash: hashOf('dd'),
    height: 5,
    blockHash: hashOf('0d'),
    amountAtomic: 99n,
    confirmations: 1,
    atMs: 8,
  };
  const mined = { ...applyChainView(submitted, view(11, both), 7), delivery };
  const now = applyChainView(mined, view(12, { aa: receipt(10) }), 9);
  expect(now).toMatchObject({ state: 'submitted', delivery: null });
  expect(now.transactions[1]).toMatchObject({
    status: 'pending',
    block: null,
    gasUsedUnits: null,
    confirmations: 0,
  });
  expect(applyChainView(now, view(13, { ...both, bb: receipt(13) }), 10).state).toBe('confirming');
});

it('undoes nothing while the node is behind', () => {
  const mined = applyChainView(submitted, view(11, { aa: receipt(10), bb: receipt(11) }), 7);
  expect(applyChainView(mined, view(9), 9)).toEqual(mined);
  expect(applyChainView(mined, view(11), 9).state).toBe('submitted');
});

it('does not send the next transaction after a revert', () => {
  const now = applyChainView(submitted, view(10, { aa: receipt(10, { succeeded: false }) }), 7);
  expect(now.transactions[0]!.status).toBe('failed');
  expect(nextToSend(now)).toBeUndefined();
});

it('ignores unsigned transactions', () => {
  const built = aTransactionSet({ transactions: [approval] });
  expect(applyChainView(built, view(10, { aa: receipt(10) }), 7).transactions).toEqual(built.transactions);
});

it('sums the gas of mined transactions, with an unknown cost if a price is missing', () => {
  const both = { aa: receipt(10), bb: receipt(11, { gasUsed: 2n, gasPriceAtomic: 5n }) };
  const now = applyChainView(submitted, view(11, both), 7);
  expect([gasUsed(now), gasCost(now)]).toEqual([40_002n, 400_010n]);
  expect([gasUsed(submitted), gasCost(submitted)]).toEqual([0n, 0n]);
  const silent = applyChainView(
    submitted,
    view(11, { ...both, bb: receipt(11, { gasPriceAtomic: null }) }),
    7,
  );
  expect(gasCost(silent)).toBeNull();
});
