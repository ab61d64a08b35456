import type { ProviderErrorKind } from '@tollbridge/http';
import type { RejectionReason } from './cross-chain-routes';

/** The outcome of one provider's quote. */
export type ProviderAnswer =
  | {
      provider: string;
      outcome: 'quoted';
      amountOutAtomic: bigint;
      /** In the output token; null if unknown. */
      gasCostAtomic: bigint | null;
    }
  | { provider: string; outcome: 'rejected'; reason: RejectionReason }
  | { provider: string; outcome: 'failed'; reason: FailureReason };

/** `late` means no reply in time, and `broken` means a bug of this code. */
export type FailureReason = ProviderErrorKind | 'late' | 'broken';
