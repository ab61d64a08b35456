import { RpcError } from '@tollbridge/evm';
import { ProviderError } from '@tollbridge/http';

/** Runs `read`. @throws ProviderError instead of an `RpcError`, so that `NodePool` asks the next node */
export async function withProviderErrors<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof RpcError ? providerError(error) : error;
  }
}

/** An `RpcError` shows no key of a URL, so its message may be used. */
function providerError(error: RpcError): ProviderError {
  // A block that one node lacks may be on the next.
  const isRejected = error.kind === 'rejected' && !error.mayDifferElsewhere;
  const kind = isRejected || error.kind !== 'rejected' ? error.kind : 'unavailable';
  const { message, retryAfterMs } = error;
  return new ProviderError('tron', {
    kind,
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
