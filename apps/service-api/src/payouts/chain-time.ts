import { DomainError } from '@tollbridge/rpc';
import { RpcError } from '@tollbridge/evm';
import { ProofUncheckable } from '@tollbridge/wallet-proof';

// Shorter than the client's time-out, which would report an unknown outcome although nothing was done.
const chainTimeoutMs = 8_000;

/**
 * Limits the duration of a read of the chain. @throws DomainError UPSTREAM_UNAVAILABLE when it fails or takes too long
 */
export async function inTime<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(chainIsAway()), chainTimeoutMs);
  });
  try {
    return await Promise.race([asked, late]);
  } catch (error) {
    throw error instanceof RpcError || error instanceof ProofUncheckable ? chainIsAway(error) : error;
  } finally {
    clearTimeout(timer);
  }
}

const chainIsAway = (cause?: unknown): DomainError =>
  new DomainError(
    'UPSTREAM_UNAVAILABLE',
    'The chain does not answer at present. Retry after retryAfter seconds.',
    {
      cause,
    },
  );
