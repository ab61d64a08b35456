import { hashOf, oneChain, router, usdc, usdt, user } from '../../testing/sample-set';
import { nextState, type SetTransaction, type TransactionSet } from '../transaction-set';

/** A swap on Base that was not executed. */
export function aSetTransaction(changes: Partial<SetTransaction> = {}): SetTransaction {
  return {
    chainId: 8453,
    to: router,
    data: '0x12',
    valueAtomic: 0n,
    gasLimitUnits: 140_000n,
    nonce: 7,
    fees: { isLegacy: false, maxFeePerGas: 20n, maxPriorityFeePerGas: 1n },
    type: 'swap',
    description: 'Swap',
    gasUnits: 100_000n,
    signed: null,
    status: 'waiting',
    sentAtMs: null,
    block: null,
    minedAtMs: null,
    gasUsedUnits: null,
    gasPricePerGas: null,
    confirmations: 0,
    ...changes,
  };
}

/** The approval before that swap. */
export const approval = aSetTransaction({ type: 'approval', description: 'Allow', gasUnits: 46_000n });

/** A built set with signed transactions. Their hashes are 0xaa… and 0xbb…. */
export function aTransactionSet(changes: Partial<TransactionSet> = {}): TransactionSet {
  return {
    id: '0199aa11-93d0-7e52-b1c4-0a7d2e6f4c18',
    owner: 'me',
    quoteId: 'q',
    batchId: null,
    terms: '',
    replacedBy: null,
    savedUsd: '0.00',
    state: nextState('building', 'built'),
    version: 1,
    provider: 'test',
    from: usdt,
    to: usdc,
    user,
    recipient: user,
    amountInAtomic: 100n,
    amountOutAtomic: 99n,
    minAmountOutAtomic: 98n,
    steps: oneChain,
    transactions: [
      { ...approval, signed: { raw: '0xaa', hash: hashOf('aa') } },
      aSetTransaction({ nonce: 8, signed: { raw: '0xbb', hash: hashOf('bb') } }),
    ],
    estimatedSeconds: 10,
    gasCostUsd: '0.10',
    validUntilMs: 2_000_000,
    originConfirmations: 3,
    destinationConfirmations: 2,
    delivery: null,
    failure: null,
    createdAtMs: 1_000_000,
    executedAtMs: 1_010_000,
    endedAtMs: null,
    ...changes,
  };
}
