import type { MinedTransfers, ReceivedTransfer } from '../transfers';

/** A transfer of five units from a payer. */
export const aReceivedTransfer = (changes: Partial<ReceivedTransfer> = {}): ReceivedTransfer => ({
  txHash: `0x${'ab'.repeat(32)}`,
  logIndex: 0,
  from: 'payer',
  amountAtomic: 5n,
  ...changes,
});

/** A successful transaction with one transfer and three confirmations. */
export const minedTransfers = (changes: Partial<MinedTransfers> = {}): MinedTransfers => ({
  kind: 'mined',
  block: { height: 1, hash: 'block', timeMs: 0 },
  confirmations: 3,
  isSuccessful: true,
  transfers: [aReceivedTransfer()],
  otherTransfers: [],
  paysOrder: false,
  reference: null,
  ...changes,
});
