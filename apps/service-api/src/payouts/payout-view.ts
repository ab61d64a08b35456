import {
  maxPayoutWarnings,
  type PaidRecipient,
  type PayoutAllowance,
  type PayoutBatch,
  type PayoutPreview,
  type PayoutRecord,
  type PayoutReply,
  type PayoutState,
  type PayoutSummary,
  type PayoutWarning,
} from '@tollbridge/contracts';
import { formatUnits } from '@tollbridge/money';
import { permit2Address } from '@tollbridge/onchain';
import { addressField, type PricedPayout, type StoredPayout } from './payout';
import type { TriedPayout } from './payout-gas';
import type { ListedPayout } from './payouts.repository';
import { recipientStatus, type Batch, type Sending } from './sending/batch';
import { termsOf } from './sending/batch-relay';
import { approveCall, type Means } from './sending/relay-chain';
import { typedDataOf } from './sending/typed-data';

type Priced = Pick<PricedPayout, 'gasUnits' | 'gasSource' | 'warnings' | 'warningCount'>;

/** Adds the failures of the simulation to the warnings of the list. */
export function priced(
  { plan, token, chain }: Pick<PricedPayout, 'plan' | 'token' | 'chain'>,
  { gasUnits, failed, heldAtomic }: TriedPayout,
  ofList: readonly PayoutWarning[],
): Priced {
  const isSimulated = heldAtomic !== null;
  const isCovered = !isSimulated || heldAtomic >= plan.totalAtomic + plan.feeAtomic;
  const isTotalCovered = isSimulated && heldAtomic >= plan.totalAtomic;
  const warnings = [
    ...(isSimulated ? [] : [notSimulated(chain)]),
    ...(isCovered ? [] : [tooLittle(token)]),
    ...ofList,
    // With an insufficient balance, any transfer may fail, for every recipient.
    ...(isTotalCovered ? failed.map(wouldFail) : []),
  ];
  return {
    gasUnits,
    gasSource: isSimulated && failed.length === 0 ? 'simulated' : 'assumed',
    warnings: warnings.slice(0, maxPayoutWarnings),
    warningCount: warnings.length,
  };
}

const notSimulated = (chain: string): PayoutWarning => ({
  code: 'NOT_SIMULATED',
  field: 'chain',
  message: `${chain} has no node here: the balance of the wallet and the transfers were not verified`,
});

const tooLittle = (token: string): PayoutWarning => ({
  code: 'INSUFFICIENT_BALANCE',
  field: 'wallet',
  message: `holds less ${token} than the amounts and the fee`,
});

const wouldFail = (place: number): PayoutWarning => ({
  code: 'RECIPIENT_REFUSED',
  field: addressField(place),
  message: 'cannot be paid: the transfer fails on the chain',
});

export function previewView(payout: PricedPayout): PayoutPreview {
  const { plan, decimals, gasUnits, wallet, chain, token, gasSource, warnings, warningCount } = payout;
  const { lines, totalAtomic, feeAtomic } = plan;
  return {
    wallet,
    chain,
    token,
    recipientCount: lines.length,
    totalAmount: wholeTokens(totalAtomic, decimals),
    totalAmountAtomic: String(totalAtomic),
    fee: wholeTokens(feeAtomic, decimals),
    feeAtomic: String(feeAtomic),
    estimatedGas: String(gasUnits),
    gasSource,
    warnings,
    warningCount,
  };
}

/** Facts that a view reads from the chain. */
export interface ChainFacts {
  chainId: number;
  /** Null when the chain does not answer. */
  means: Means | null;
}

const notSent =
  'The payout is stored as pending. On-chain submission is not active for it: nothing is sent or charged.';

const nextSteps: Readonly<Record<PayoutState, (id: string) => string>> = {
  awaiting_approval: (id) =>
    `The payout is stored as pending and waits for approval. Read it with GET /payout/${id}, sign its batches with the wallet, and approve it with another key of the wallet.`,
  sending: () =>
    'The payout was approved and is being sent: read it again, or wait for the webhook payout.updated.',
  completed: () => 'All recipients were paid.',
  partly_paid: () => 'The payout ended, and some recipients were not paid: see recipients.',
  failed: () => 'The payout ended, and no recipient was paid: see the reason in batches.',
  rejected: () => 'The payout was rejected: nothing was sent or charged.',
  expired: () => 'The payout was not approved in time: nothing was sent or charged.',
};

/** Describes the state and the next step. */
const messageOf = ({ id, sending }: StoredPayout): string =>
  sending ? nextSteps[sending.state](id) : notSent;

export function submittedView(payout: StoredPayout): PayoutReply {
  return {
    ...previewView(payout),
    payoutId: payout.id,
    status: 'pending',
    message: messageOf(payout),
    createdAt: new Date(payout.createdAtMs).toISOString(),
  };
}

export function summaryView(payout: ListedPayout): PayoutSummary {
  const { id, chain, token, recipientCount, totalAtomic, feeAtomic, state, approveUntilMs } = payout;
  const isWaiting = state === 'awaiting_approval' && approveUntilMs !== null;
  return {
    payoutId: id,
    chain,
    token,
    recipientCount,
    totalAmountAtomic: String(totalAtomic),
    feeAtomic: String(feeAtomic),
    state,
    approveBefore: isWaiting ? new Date(approveUntilMs).toISOString() : null,
    createdAt: new Date(payout.createdAtMs).toISOString(),
  };
}

/** @param facts null for a payout that is not sent on chain */
export function recordView(payout: StoredPayout, facts: ChainFacts | null): PayoutRecord {
  const { plan, sending } = payout;
  const isWaiting = sending?.state === 'awaiting_approval';
  const recipients = plan.lines.map(({ address, amountAtomic }, place) => ({
    address,
    amount: wholeTokens(amountAtomic, payout.decimals),
    amountAtomic: String(amountAtomic),
    ...progressOf(place, sending),
  }));
  return {
    ...submittedView(payout),
    state: sending?.state ?? null,
    approveBefore: sending && isWaiting ? new Date(sending.approveUntilMs).toISOString() : null,
    allowance:
      sending && isWaiting && facts?.means ? allowanceView(payout, sending, facts, facts.means) : null,
    batches:
      sending && facts ? sending.batches.map((it) => batchView({ ...payout, sending }, it, facts)) : [],
    recipients,
  };
}

function progressOf(
  place: number,
  sending: Sending | null,
): Pick<PaidRecipient, 'status' | 'transactionHash'> {
  const batch = sending?.batches.find(
    ({ firstPlace, count }) => place >= firstPlace && place < firstPlace + count,
  );
  if (!batch) return { status: 'pending', transactionHash: null };
  const status = recipientStatus(batch, place);
  return { status, transactionHash: status === 'failed' ? null : batch.txHash };
}

function batchView(
  payout: StoredPayout & { sending: Sending },
  batch: Batch,
  { chainId }: ChainFacts,
): PayoutBatch {
  return {
    index: batch.index,
    firstRecipient: batch.firstPlace,
    recipientCount: batch.count,
    totalAmountAtomic: String(batch.totalAtomic),
    feeAtomic: String(batch.feeAtomic),
    status: batch.status,
    reason: batch.reason,
    transactionHash: batch.txHash,
    typedData: batch.status === 'waiting' ? typedDataOf(termsOf(payout, batch, chainId)) : null,
  };
}

function allowanceView(
  { plan }: StoredPayout,
  { tokenAddress }: Sending,
  { chainId }: ChainFacts,
  { allowedAtomic }: Means,
): PayoutAllowance {
  const needed = plan.totalAtomic + plan.feeAtomic;
  return {
    spender: permit2Address,
    neededAtomic: String(needed),
    allowedAtomic: String(allowedAtomic),
    transaction:
      allowedAtomic >= needed ? null : { chainId, to: tokenAddress, data: approveCall(), value: '0' },
  };
}

/** Converts to whole tokens for fields that are JSON numbers. Each of them has an exact field beside it. */
const wholeTokens = (amountAtomic: bigint, decimals: number): number =>
  Number(formatUnits(amountAtomic, decimals));
