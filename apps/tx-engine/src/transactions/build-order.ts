// What a build asks for, checked, and put together with the others of its signer. Pure.
import type { BuildRequest, GasSettings } from '@tollbridge/contracts';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import { receiverAddress, type EvmChain } from '@tollbridge/chains';
import { badAddress, canonical } from '../chains/tokens';
import type { StoredQuote } from '../quotes/quotes.repository';

/** One swap to build. */
export type BuildOrder = Omit<BuildRequest, 'gasSettings'>;

/** An order in which nothing is wrong that can be found without a provider and a node. */
export interface CheckedOrder {
  order: BuildOrder;
  quote: StoredQuote;
  user: string;
  recipient: string;
  deadlineMs: number;
  /** Its places in the request: one quote of one signer is built once. */
  places: number[];
}

const defaultDeadlineMs = 20 * 60_000;
const maxDeadlineMs = 24 * 60 * 60_000;

/** @throws DomainError naming every bad field */
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

/** What can be said of them without the quote. */
export function problemsOfAddresses(order: Partial<BuildOrder>): FieldError[] {
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
  const problems = problemsOfAddresses(order);
  if (problems.length > 0) throw DomainError.invalid(problems);
  // What a provider cannot deliver comes back to the signer, on the chain that it left.
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

/** Those of one signer on one chain, which get nonces in sequence; repeated orders are one with several places. */
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
 * What a set is asked to be, as text. Two builds of a quote with equal terms mean the same set. The quotes that are built
 * with it are among its terms, since its nonces and approvals depend on them.
 */
export function termsOf(
  { order, recipient }: CheckedOrder,
  group: readonly CheckedOrder[],
  settings: GasSettings = {},
): string {
  const { gasLimit, maxFeePerGas, maxPriorityFeePerGas, gasPrice } = settings;
  return JSON.stringify([
    ...[recipient, order.deadline ?? null, order.skipApprovals],
    ...[gasLimit, maxFeePerGas, maxPriorityFeePerGas, gasPrice].map((it) => it ?? null),
    group.map(({ quote }) => quote.id),
  ]);
}
