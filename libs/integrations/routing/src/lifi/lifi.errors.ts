import { ProviderError } from '@tollbridge/http';
import { RouteRejection, type RejectionReason } from '../cross-chain-routes';
import { tableOf } from '../wire-fields';

/** Rejection reasons by the error code of LI.FI's tools, most useful first. */
const toolRejections = tableOf<RejectionReason>({
  AMOUNT_TOO_LOW: 'belowMinimum',
  FEES_HIGHER_THAN_AMOUNT: 'belowMinimum',
  INSUFFICIENT_LIQUIDITY: 'noLiquidity',
  AMOUNT_TOO_HIGH: 'noLiquidity',
  CANNOT_GUARANTEE_MIN_AMOUNT: 'noLiquidity',
  DIFFERENT_RECIPIENT_NOT_SUPPORTED: 'badRecipient',
  NO_POSSIBLE_ROUTE: 'noRoute',
});

// Error codes of the API itself.
const [noQuote, notFound, notProcessable, slippage, validation] = [1002, 1003, 1004, 1007, 1011];

/** Codes of failures of LI.FI or its tools, with any HTTP status. */
const transient = new Set([1001, 1006, 1008, 1009, 1012]);

/** Maps a quote error to a rejection or a more precise error. Returns undefined for all other errors. */
export function toRejection(error: unknown): RouteRejection | ProviderError | undefined {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return undefined;
  const { code, errors, message } = (error.body ?? {}) as Record<string, unknown>;
  if (transient.has(Number(code))) {
    const text = 'reported an error of its own as a rejection';
    return new ProviderError(error.provider, { kind: 'unavailable', message: text, cause: error });
  }
  switch (code) {
    case slippage:
      return new RouteRejection('priceMoved');
    case noQuote:
    case notFound:
    case notProcessable:
      return new RouteRejection(reasonOf(errors));
    case validation:
      return ofInvalid(String(message).slice(0, 1_000));
    default:
      return undefined;
  }
}

function reasonOf(errors: unknown): RejectionReason {
  const codes = codesIn(errors);
  const first = [...toolRejections].find(([code]) => codes.has(code));
  return first?.[1] ?? 'noRoute';
}

// Each tool reports every part of every route. The first few hundred errors suffice.
const maxVisits = 1_000;

/** Collects every `code` at any depth, because the format of the tools' error lists has changed before. */
function codesIn(errors: unknown): Set<string> {
  const codes = new Set<string>();
  const open = [errors];
  for (let visits = 0; open.length > 0 && visits < maxVisits; visits += 1) {
    const value = open.shift();
    if (typeof value !== 'object' || value === null) continue;
    const { code } = value as { code?: unknown };
    if (typeof code === 'string') codes.add(code);
    open.push(...Object.values(value).slice(0, maxVisits));
  }
  return codes;
}

/** Maps invalid parameters that the caller causes. All others are bugs of this adapter. */
function ofInvalid(message: string): RouteRejection | undefined {
  if (/toAddress/i.test(message)) return new RouteRejection('badRecipient');
  return /(from|to)(Token|Chain)/i.test(message) ? new RouteRejection('noRoute') : undefined;
}
