import { ProviderError } from '@tollbridge/http';
import type { SwapStatus } from './swap-routes';

/** Under way, or not known yet. */
export const pending: SwapStatus = {
  state: 'pending',
  deliveryTxHash: null,
  refundTxHash: null,
  reason: null,
};

/** A provider that does not know a mined transaction has not read its block yet. */
export async function orPending(asked: Promise<SwapStatus>): Promise<SwapStatus> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return pending;
    throw error;
  }
}
