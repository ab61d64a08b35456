import { RpcError } from '@tollbridge/evm';
import { ProviderError } from '@tollbridge/http';

/** Runs `read`. @throws ProviderError instead of an `RpcError`, so that `NodePool` calls the next node */
export async function withProviderErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof RpcError ? providerError(error) : error;
  }
}

/** Reuses the message of an `RpcError`, because it never contains a key of a URL. */
function providerError(error: RpcError): ProviderError {
  // Another node may have a block that this node lacks.
  const isRejected = error.kind === 'rejected' && !error.mayDifferElsewhere;
  const kind = isRejected || error.kind !== 'rejected' ? error.kind : 'unavailable';
  const { message, retryAfterMs } = error;
  return new ProviderError('tron', {
    kind,
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
