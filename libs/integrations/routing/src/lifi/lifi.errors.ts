import { ProviderError } from '@tollbridge/http';
import { RouteRefusal, type RefusalReason } from '../cross-chain-routes';
import { tableOf } from '../wire-fields';

/** What its tools say for why they have no quote, the most useful reason first. */
const toolRefusals = tableOf<RefusalReason>({
  AMOUNT_TOO_LOW: 'belowMinimum',
  FEES_HIGHER_THAN_AMOUNT: 'belowMinimum',
  INSUFFICIENT_LIQUIDITY: 'noLiquidity',
  AMOUNT_TOO_HIGH: 'noLiquidity',
  CANNOT_GUARANTEE_MIN_AMOUNT: 'noLiquidity',
  DIFFERENT_RECIPIENT_NOT_SUPPORTED: 'badRecipient',
  NO_POSSIBLE_ROUTE: 'noRoute',
});

// Codes of the API itself.
const [noQuote, notFound, notProcessable, slippage, validation] = [1002, 1003, 1004, 1007, 1011];

/** Its own trouble or that of whom it asks, with whatever status it is answered. */
const transient = new Set([1001, 1006, 1008, 1009, 1012]);

/** The refusal that an error of a quote stands for, or a better error; undefined for all others. */
export function asRefusal(error: unknown): RouteRefusal | ProviderError | undefined {
  if (!(error instanceof ProviderError) || error.kind !== 'rejected') return undefined;
  const { code, errors, message } = (error.body ?? {}) as Record<string, unknown>;
  if (transient.has(Number(code))) {
    const text = 'answered a refusal for an error of its own';
    return new ProviderError(error.provider, { kind: 'unavailable', message: text, cause: error });
  }
  switch (code) {
    case slippage:
      return new RouteRefusal('priceMoved');
    case noQuote:
    case notFound:
    case notProcessable:
      return new RouteRefusal(reasonOf(errors));
    case validation:
      return ofInvalid(String(message).slice(0, 1_000));
    default:
      return undefined;
  }
}

function reasonOf(errors: unknown): RefusalReason {
  const said = codesIn(errors);
  const first = [...toolRefusals].find(([code]) => said.has(code));
  return first?.[1] ?? 'noRoute';
}

// Each tool answers for each part of each way; the first some hundred tell as much as all of them.
const maxVisits = 1_000;

/** Every `code` in it, however deep: tools answer in lists by path, and the form of those has changed before. */
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

/** A parameter that it does not take; whatever is none of these is our mistake. */
function ofInvalid(message: string): RouteRefusal | undefined {
  if (/toAddress/i.test(message)) return new RouteRefusal('badRecipient');
  return /(from|to)(Token|Chain)/i.test(message) ? new RouteRefusal('noRoute') : undefined;
}
