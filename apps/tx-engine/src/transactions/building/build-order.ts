// Validates build requests and groups them by signer. Pure functions.
import type { BuildRequest, GasSettings } from '@tollbridge/contracts';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import { receiverAddress, type EvmChain } from '@tollbridge/chains';
import { badAddress, canonical } from '../../chains/tokens';
import type { StoredQuote } from '../../quotes/quotes.repository';

/** One swap to build. */
export type BuildOrder = Omit<BuildRequest, 'gasSettings'>;

/** An order that has passed all checks without a provider or node. */
export interface CheckedOrder {
  order: BuildOrder;
  quote: StoredQuote;
  user: string;
  recipient: string;
  deadlineMs: number;
  /** Its indexes in the request. Repeated orders of one quote and signer are built once. */
  places: number[];
}

const defaultDeadlineMs = 20 * 60_000;
const maxDeadlineMs = 24 * 60 * 60_000;

/** @throws DomainError with the errors of all invalid fields */
export function checkedOrder(
  order: BuildOrder,
  place: number,
  quote: StoredQuote | undefined,
  { chainOf, nowMs }: { chainOf: (token: StoredQuote['from']) => EvmChain; nowMs: number },
): CheckedOrder {
  if (!quote) throw new DomainError('INVALID_QUOTE');
  const { user, recipient } = addressesOf(order, quote, chainOf);
  return { order, quote, user, recipient, deadlineMs: deadlineOf(order.deadline, nowMs), places: [place] };
}

/** Validates the form of the addresses, without a quote. */
export function validateAddresses(order: Partial<BuildOrder>): FieldError[] {
  return (['userAddress', 'recipient'] as const).flatMap((field): FieldError[] => {
    const address = order[field];
    return address === undefined || canonical(address) ? [] : [{ field, message: badAddress }];
  });
}

function addressesOf(
  order: BuildOrder,
  { from, to }: StoredQuote,
  chainOf: (token: StoredQuote['from']) => EvmChain,
): { user: string; recipient: string } {
  const problems = validateAddresses(order);
  if (problems.length > 0) throw DomainError.invalid(problems);
  // Refunds of a cross-chain swap go to the signer on the origin chain.
  const user = receiverAddress(chainOf(from), order.userAddress);
  const recipient = receiverAddress(chainOf(to), order.recipient ?? order.userAddress);
  if (user.ok && recipient.ok) return { user: user.address, recipient: recipient.address };
  const isOwnRecipient = order.recipient === undefined && user.ok;
  const read = { userAddress: isOwnRecipient ? recipient : user, recipient };
  const given =
    order.recipient === undefined ? (['userAddress'] as const) : (['userAddress', 'recipient'] as const);
  throw DomainError.invalid(
    given.flatMap((field) => {
      const result = read[field];
      return result.ok ? [] : [{ field, message: result.reason }];
    }),
  );
}

function deadlineOf(deadline: number | undefined, nowMs: number): number {
  if (deadline === undefined) return nowMs + defaultDeadlineMs;
  const deadlineMs = deadline * 1_000;
  if (deadlineMs > nowMs + maxDeadlineMs)
    throw DomainError.invalid([{ field: 'deadline', message: 'must be within 24 hours' }]);
  if (deadlineMs > nowMs) return deadlineMs;
  const details = { deadline, now: Math.floor(nowMs / 1_000) };
  throw new DomainError('DEADLINE_EXCEEDED', undefined, { details });
}

/** Groups orders by signer and origin chain, because their nonces are sequential. Merges repeated orders. */
export function groupsOf(checked: readonly CheckedOrder[]): CheckedOrder[][] {
  const groups = new Map<string, Map<string, CheckedOrder>>();
  for (const one of checked) {
    const key = `${one.quote.from.chain}:${one.user}`;
    const group = groups.get(key) ?? new Map<string, CheckedOrder>();
    groups.set(key, group);
    const same = group.get(one.quote.id);
    if (same) same.places.push(...one.places);
    else group.set(one.quote.id, one);
  }
  return [...groups.values()].map((group) => [...group.values()]);
}

/**
 * Returns the terms of a build as text. Builds of one quote with equal terms return the same set. The terms include the
 * quotes of the group, because nonces and approvals depend on them.
 */
export function termsOf(
  { order, recipient }: CheckedOrder,
  group: readonly CheckedOrder[],
  settings: GasSettings = {},
): string {
  const { gasLimit, maxFeePerGas, maxPriorityFeePerGas, gasPrice } = settings;
  return JSON.stringify([
    recipient,
    order.deadline ?? null,
    order.skipApprovals,
    gasLimit ?? null,
    maxFeePerGas ?? null,
    maxPriorityFeePerGas ?? null,
    gasPrice ?? null,
    group.map(({ quote }) => quote.id),
  ]);
}
