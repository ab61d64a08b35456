import { idNamedInMemo } from '@tollbridge/chains';
import { memoProgram } from '@tollbridge/onchain/solana';
import { base58 } from '@scure/base';
import type { SolanaTransaction } from '../solana-types';

const memoPrograms = [memoProgram, 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDwFMNo'];
// A reference has 41 bytes. Longer data is not decoded.
const maxDataLength = 80;

/**
 * Returns the id in a memo of the transaction. It counts only if the payer signed the transaction and thus the memo.
 * Memos of called programs do not count, and neither do several different ids.
 */
export function referenceIn({ instructions, signers }: SolanaTransaction, payer: string): string | null {
  if (!signers.includes(payer)) return null;
  const ids = instructions.flatMap(({ programId, data, isInner }) =>
    isInner || !memoPrograms.includes(programId) ? [] : (idIn(data) ?? []),
  );
  return new Set(ids).size === 1 ? ids[0]! : null;
}

function idIn(data: string): string | undefined {
  if (data.length > maxDataLength) return undefined;
  try {
    return idNamedInMemo(new TextDecoder('utf-8', { fatal: true }).decode(base58.decode(data)));
  } catch {
    return undefined;
  }
}
