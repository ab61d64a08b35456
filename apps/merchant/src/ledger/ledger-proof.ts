import type { LedgerAssetProof, LedgerProblem, LedgerProofReply } from '@tollbridge/contracts';
import type { AssetSums, LedgerInspection } from './ledger-proof.repository';

const noHash = '0'.repeat(64);

/** The proof of an inspected ledger. A wallet without a ledger gets an empty, valid proof. */
export function proofOf(inspection: LedgerInspection | undefined, nowMs: number): LedgerProofReply {
  if (!inspection)
    return {
      ok: true,
      halted_at: null,
      problems: [],
      assets: [],
      transactions: 0,
      waiting: 0,
      last_hash: noHash,
      segments: 0,
      checked: [],
      all_checked_since: null,
    };
  const { head, checks, waiting, others, othersCheckedAt } = inspection;
  const assets = inspection.assets.map(assetOf);
  const problems: LedgerProblem[] = checks.flatMap(({ segment, problems: found }) =>
    found.map((problem) => ({ ...problem, segment })),
  );
  const isBalanced = assets.every(({ sum }) => sum === '0');
  const checkedAt = others === 0 ? new Date(nowMs) : othersCheckedAt;
  return {
    ok: problems.length === 0 && isBalanced && head.haltedAt === null,
    halted_at: head.haltedAt?.toISOString() ?? null,
    problems,
    assets,
    transactions: head.lastSeq,
    waiting,
    last_hash: head.lastHash.toString('hex'),
    segments: others + checks.length,
    checked: checks.map(({ segment, fromSeq, toSeq }) => ({ segment, from_seq: fromSeq, to_seq: toSeq })),
    all_checked_since: checkedAt?.toISOString() ?? null,
  };
}

function assetOf(sums: AssetSums): LedgerAssetProof {
  const { chain, token, debits, credits, received, fees, refunds } = sums;
  const sum = String(BigInt(credits) - BigInt(debits));
  const counts = { entries: Number(sums.entries), transactions: Number(sums.transactions) };
  return { chain, token, debits, credits, sum, received, fees, refunds, ...counts };
}
