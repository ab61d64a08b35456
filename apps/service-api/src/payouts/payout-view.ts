import {
  maxPayoutWarnings,
  type PayoutPreview,
  type PayoutRecord,
  type PayoutReply,
  type PayoutWarning,
} from '@tollbridge/api';
import { formatUnits } from '@tollbridge/money';
import { addressField, type PricedPayout, type StoredPayout } from './payout';
import type { TriedPayout } from './payout-gas';

type Priced = Pick<PricedPayout, 'gasUnits' | 'gasSource' | 'warnings' | 'warningCount'>;

/** What a trial says of a payout, beside what its list says. */
export function priced(
  { plan, token }: Pick<PricedPayout, 'plan' | 'token'>,
  { gasUnits, failed, heldAtomic }: TriedPayout,
  ofList: readonly PayoutWarning[],
): Priced {
  const isCovered = heldAtomic >= plan.totalAtomic + plan.feeAtomic;
  const isTotalCovered = heldAtomic >= plan.totalAtomic;
  const warnings = [
    ...(isCovered ? [] : [tooLittle(token)]),
    ...ofList,
    // Of a wallet that holds too little any transfer may fail; that says nothing about who is paid.
    ...(isTotalCovered ? failed.map(refused) : []),
  ];
  return {
    gasUnits,
    gasSource: failed.length === 0 ? 'simulated' : 'assumed',
    warnings: warnings.slice(0, maxPayoutWarnings),
    warningCount: warnings.length,
  };
}

const tooLittle = (token: string): PayoutWarning => ({
  code: 'INSUFFICIENT_BALANCE',
  field: 'wallet',
  message: `holds less ${token} than amounts and fee come to`,
});

const refused = (place: number): PayoutWarning => ({
  code: 'RECIPIENT_REFUSED',
  field: addressField(place),
  message: 'would not get it: the transfer fails on the chain',
});

export function previewView(payout: PricedPayout): PayoutPreview {
  const { plan, decimals, gasUnits, wallet, chain, token, gasSource, warnings, warningCount } = payout;
  const { lines, totalAtomic, feeAtomic } = plan;
  return {
    ...{ wallet, chain, token },
    recipientCount: lines.length,
    totalAmount: wholeTokens(totalAtomic, decimals),
    totalAmountAtomic: String(totalAtomic),
    fee: wholeTokens(feeAtomic, decimals),
    feeAtomic: String(feeAtomic),
    estimatedGas: String(gasUnits),
    ...{ gasSource, warnings, warningCount },
  };
}

const notSent =
  'The payout is taken down as pending. On-chain submission is not yet active: nothing is sent or charged.';

export function submittedView(payout: StoredPayout): PayoutReply {
  return {
    ...previewView(payout),
    payoutId: payout.id,
    status: 'pending',
    message: notSent,
    createdAt: new Date(payout.createdAtMs).toISOString(),
  };
}

export function recordView(payout: StoredPayout): PayoutRecord {
  const recipients = payout.plan.lines.map(({ address, amountAtomic }) => ({
    address,
    amount: wholeTokens(amountAtomic, payout.decimals),
    amountAtomic: String(amountAtomic),
  }));
  return { ...submittedView(payout), recipients };
}

/** For the figures that the specification wants as numbers; the exact amount always stands beside it. */
const wholeTokens = (amountAtomic: bigint, decimals: number): number =>
  Number(formatUnits(amountAtomic, decimals));
