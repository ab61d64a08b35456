import { ProviderError } from '@tollbridge/http';
import type { SwapStatus } from './swap-routes';

/** The status of a swap that is in progress, or still unknown to the provider. */
export const pending: SwapStatus = {
  state: 'pending',
  deliveryTxHash: null,
  refundTxHash: null,
  reason: null,
};

/** Treats an unknown transaction as pending, because the provider may not have read its block yet. */
export async function orPending(asked: Promise<SwapStatus>): Promise<SwapStatus> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return pending;
    throw error;
  }
}
