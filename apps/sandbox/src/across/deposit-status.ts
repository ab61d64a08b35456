import type { Clock } from '@tollbridge/database';
import type { Deposit, DepositsRepository, DepositStage } from './deposits.repository';
import { lateIndexMs } from './magic-amounts';
import type { DepositState, DepositStatus } from './wire';

const states: Readonly<Record<DepositStage, DepositState>> = {
  pending: 'pending',
  filling: 'pending',
  filled: 'filled',
  expired: 'expired',
  refunding: 'expired',
  refunded: 'refunded',
};

/** Deposits of a transaction that the provider already reports, in order. */
export async function indexedDeposits(
  txHash: string,
  { deposits, clock }: { deposits: DepositsRepository; clock: Clock },
): Promise<Deposit[]> {
  const found = await deposits.byTransaction(txHash);
  return found.filter((deposit) => isIndexed(deposit, clock));
}

export const isIndexed = ({ outcome, seenAtMs }: Deposit, clock: Clock): boolean =>
  outcome !== 'lateIndex' || clock.now() >= seenAtMs + lateIndexMs;

export const stateOf = ({ stage }: Deposit): DepositState => states[stage];

/** Reply of `GET /deposit/status`. */
export function depositStatus(deposit: Deposit, index: number, count: number): DepositStatus {
  const { txHash, fillTx, refundTx } = deposit;
  return {
    status: stateOf(deposit),
    originChainId: deposit.originChainId,
    depositId: deposit.depositId,
    depositTxHash: txHash,
    depositTxnRef: txHash,
    fillTx,
    fillTxnRef: fillTx,
    destinationChainId: Number(deposit.destinationChainId),
    depositRefundTxHash: refundTx,
    depositRefundTxnRef: refundTx,
    actionsSucceeded: deposit.actionsSucceeded,
    pagination: { currentIndex: index, maxIndex: count - 1 },
  };
}
