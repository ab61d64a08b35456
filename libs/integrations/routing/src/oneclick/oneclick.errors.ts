import { isAmountText } from '@tollbridge/money';
import { ProviderError } from '@tollbridge/http';
import { RouteRejection, type RejectionReason } from '../cross-chain-routes';

/** Messages of the production service with status 400, and their rejection reasons. */
const rejections: readonly [RegExp, RejectionReason][] = [
  [/no liquidity|failed to get quote/i, 'noLiquidity'],
  [/quoting for this pair|token(in|out) is not valid/i, 'noRoute'],
  [/(originAsset|destinationAsset)/, 'noRoute'],
  [/recipient/i, 'badRecipient'],
  [/refundTo/i, 'badRefundAddress'],
];

// Failures of 1Click itself, sometimes with status 400.
const transient = /internal server error/i;
const tooLow = /amount is too low/i;
const minimumAtomic = /try at least (\d{1,78})\b/i;
const minimumUsd = /minimum swap amount is \$((?:[1-9][\d,]{0,19}|0)(?:\.\d{1,6})?)/i;

/** Maps a quote error to a rejection or a more precise error. Returns undefined for all other errors. */
export function toRejection(error: unknown): RouteRejection | ProviderError | undefined {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return undefined;
  const { status } = error;
  if (status === 401 || status === 403) return undefined;
  const text = messageOf(error.body);
  if (transient.test(text)) {
    const options = {
      kind: 'unavailable',
      message: 'answered 400 for an error of its own',
      cause: error,
    } as const;
    return new ProviderError(error.provider, options);
  }
  const atomic = minimumAtomic.exec(text)?.[1];
  if (isAmountText(atomic)) return new RouteRejection('belowMinimum', { amountOutAtomic: BigInt(atomic) });
  const usd = minimumUsd.exec(text)?.[1];
  if (usd) return new RouteRejection('belowMinimum', { usd: usd.replaceAll(',', '') });
  if (tooLow.test(text)) return new RouteRejection('belowMinimum');
  const known = rejections.find(([pattern]) => pattern.test(text));
  return new RouteRejection(known?.[1] ?? 'noRoute');
}

function messageOf(body: unknown): string {
  const message = (body as { message?: unknown } | null)?.message;
  return [message].flat().map(String).join('; ').slice(0, 1_000);
}
