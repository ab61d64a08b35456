import { createHash } from 'node:crypto';
import { encodeBase58 } from 'ethers';
import type { Chain } from '@tollbridge/chains';
import type { Payment } from './payments.repository';
import { written, type Priced } from './quote-maths';
import type { Swap } from './swap';
import type { ExecutionStatus, SwapDetails, TransactionDetails } from './wire';

export interface StatusParts {
  swap: Swap;
  payments: readonly Payment[];
  /** Hashes of received deposits. */
  deposits: readonly string[];
  usdOf(symbol: string): string;
}

/** Reply of `GET /v0/status`. */
export function executionStatus(parts: StatusParts): ExecutionStatus {
  const { swap } = parts;
  return {
    correlationId: swap.id,
    quoteResponse: swap.response,
    status: swap.status,
    updatedAt: new Date(swap.updatedAtMs).toISOString(),
    swapDetails: swapDetails(parts),
  };
}

function swapDetails({ swap, payments, deposits, usdOf }: StatusParts): SwapDetails {
  const { origin, destination, response, submittedTx } = swap;
  const from: Priced = { decimals: origin.decimals, usd: usdOf(origin.symbol) };
  const to: Priced = { decimals: destination.decimals, usd: usdOf(destination.symbol) };
  const mined = (purposes: string[]) =>
    payments.filter(({ purpose, state }) => purposes.includes(purpose) && state === 'mined');
  const deliveries = mined(['delivery']);
  const refunded = mined(['surplus', 'refund', 'late-refund']).reduce((sum, it) => sum + it.amountAtomic, 0n);
  // A submitted hash is reported until a deposit is found.
  const origins = deposits.length === 0 && submittedTx !== null ? [submittedTx] : deposits;
  const isExecuting = swap.handledAtomic > 0n;
  const { withdrawFee } = response.quote;
  const { slippageTolerance, referral } = response.quoteRequest;
  return {
    intentHashes: isExecuting ? [innerHash('intent', swap.id)] : [],
    nearTxHashes: isExecuting ? [innerHash('transaction', swap.id)] : [],
    originChainTxHashes: origins.map((hash) => detailsOf(origin.chain, hash)),
    destinationChainTxHashes: deliveries.map(({ txHash }) => detailsOf(destination.chain, txHash!)),
    ...(deliveries.length > 0 && amountsOf('amountIn', swap.amountInAtomic, from)),
    ...(deliveries.length > 0 && amountsOf('amountOut', swap.amountOutAtomic, to)),
    ...(deliveries.length > 0 && { slippage: slippageTolerance }),
    ...(refunded > 0n && amountsOf('refundedAmount', refunded, from)),
    ...(swap.refundReason && { refundReason: swap.refundReason }),
    ...(swap.depositedAtomic > 0n && amountsOf('depositedAmount', swap.depositedAtomic, from)),
    ...(withdrawFee !== undefined && { withdrawFee }),
    ...(referral !== undefined && { referral }),
  };
}

function amountsOf<const N extends string>(
  name: N,
  amountAtomic: bigint | null,
  token: Priced,
): Partial<Record<`${N}${'' | 'Formatted' | 'Usd'}`, string>> {
  if (amountAtomic === null) return {};
  const { atomic, formatted, usd } = written(amountAtomic, token);
  return { [name]: atomic, [`${name}Formatted`]: formatted, [`${name}Usd`]: usd } as Record<
    `${N}${'' | 'Formatted' | 'Usd'}`,
    string
  >;
}

function detailsOf({ explorerTxUrl }: Chain, hash: string): TransactionDetails {
  return { hash, explorerUrl: explorerTxUrl.replace('{tx}', hash) };
}

/** Returns a hash of the provider's internal settlement, derived from the swap so that it never changes. */
function innerHash(kind: string, id: string): string {
  return encodeBase58(createHash('sha256').update(`${kind} ${id}`).digest());
}
