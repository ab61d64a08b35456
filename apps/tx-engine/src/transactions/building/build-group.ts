import type { StepType } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { feesOf } from './gas-fees';
import { gasOf, limitsOf } from './group-gas';
import { readGround, type Ground } from './group-ground';
import type { GroupRequest, GroupResult, ItemFailure, MeasuredCall } from './group-request';
import { allowanceError, coinShortage, tokenShortage } from './group-shortages';
import { planGroup, type GroupItem } from './plan-group';
import type { GasFees, SetTransaction } from '../transaction-set';

/**
 * Builds the swaps of one signer on one chain, with sequential nonces. An item that fails is left out, and the rest is
 * built as if the item were not in the group.
 */
export async function buildGroup(request: GroupRequest): Promise<GroupResult> {
  const { items, gasSettings, gasPrice } = request;
  const failures = new Map<number, DomainError>();
  let fees: GasFees;
  try {
    requireGasLimit(request);
    fees = feesOf(gasSettings, gasPrice);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { items: items.map(() => error), fees: undefined, savedGasUnits: 0n };
  }
  const ground = await readGround(request);
  const resets = new Set<string>();
  for (;;) {
    const alive = items.map((_, index) => index).filter((index) => !failures.has(index));
    const attempt = await attemptGroup(request, ground, fees, alive, resets);
    if ('failure' in attempt) {
      failures.set(attempt.failure.item, attempt.failure.error);
      continue;
    }
    if ('reset' in attempt) {
      resets.add(attempt.reset);
      continue;
    }
    return {
      items: items.map((_, index) => failures.get(index) ?? attempt.built.get(index)!),
      fees,
      savedGasUnits: attempt.savedGasUnits,
    };
  }
}

/** @throws DomainError for a gas limit above the chain's maximum, because no block can contain such a transaction */
function requireGasLimit({ chain, gasSettings, gasPrice: { maxGasUnits } }: GroupRequest): void {
  if (gasSettings?.gasLimit === undefined || BigInt(gasSettings.gasLimit) <= maxGasUnits) return;
  const message = `must be at most ${maxGasUnits}, the most gas that a transaction on ${chain.name} may have`;
  throw DomainError.invalid([{ field: 'gasSettings.gasLimit', message }]);
}

type Attempt =
  | { failure: ItemFailure }
  | { reset: string }
  | { built: Map<number, SetTransaction[]>; savedGasUnits: bigint };

async function attemptGroup(
  request: GroupRequest,
  ground: Ground,
  fees: GasFees,
  alive: readonly number[],
  resets: ReadonlySet<string>,
): Promise<Attempt> {
  const items = alive.map((index) => request.items[index]!);
  const plan = planGroup(items, {
    of: (token, spender) => ground.allowances.get(`${token}:${spender}`) ?? 0n,
    needsReset: (token) => resets.has(token),
  });
  const fail = (item: number, error: DomainError): Attempt => ({ failure: { item: alive[item]!, error } });
  const [short] = plan.short;
  if (short) return fail(short.item, allowanceError(request, items[short.item]!, short));
  const poor = coinShortage(request, items, ground, (item) => items[item]!.swap.transaction.valueAtomic);
  if (poor) return fail(poor.item, poor.error);
  const missing = tokenShortage(request, items, ground);
  if (missing) return fail(missing.item, missing.error);
  const gas = await gasOf(request, plan.calls, items);
  for (const [at, units] of gas.entries()) {
    const { item, type, to } = plan.calls[at]!;
    if ('units' in units) continue;
    if (type === 'approval' && !resets.has(to) && hasAllowance(ground, items[item]!)) return { reset: to };
    return fail(item, reverted(type === 'approval' ? 'approval' : stepOf(items[item]!), units.reason));
  }
  const calls = plan.calls.map((call, at) => ({ ...call, gasUnits: (gas[at] as { units: bigint }).units }));
  const limits = await limitsOf(request, calls);
  if ('item' in limits) return fail(limits.item, limits.error);
  // The gas is paid in addition to the value of the swap.
  const costOf = (item: number) =>
    calls.reduce(
      (sum, call, at) =>
        call.item === item ? sum + call.valueAtomic + limits[at]! * fees.maxFeePerGas : sum,
      0n,
    );
  const unpaid = coinShortage(request, items, ground, costOf);
  if (unpaid) return fail(unpaid.item, unpaid.error);
  const built = transactionsOf(request, ground, fees, calls, limits, alive);
  return { built, savedGasUnits: savings(calls) };
}

function transactionsOf(
  { chain: { chainId }, nextClaimedNonce }: GroupRequest,
  ground: Ground,
  fees: GasFees,
  calls: readonly MeasuredCall[],
  limits: readonly bigint[],
  alive: readonly number[],
): Map<number, SetTransaction[]> {
  const first = Math.max(ground.nonce, nextClaimedNonce);
  const built = new Map<number, SetTransaction[]>();
  calls.forEach(({ item, type, to, data, valueAtomic, description, gasUnits }, at) => {
    const transaction: SetTransaction = {
      chainId,
      to,
      data: data.toLowerCase(),
      valueAtomic,
      fees,
      type,
      description,
      gasUnits,
      gasLimitUnits: limits[at]!,
      nonce: first + at,
      signed: null,
      status: 'waiting',
      sentAtMs: null,
      block: null,
      minedAtMs: null,
      gasUsedUnits: null,
      gasPricePerGas: null,
      confirmations: 0,
    };
    const index = alive[item]!;
    built.set(index, [...(built.get(index) ?? []), transaction]);
  });
  return built;
}

function reverted(step: StepType, reason: string): DomainError {
  const details = { step, txHash: null, reason, gasUsed: '0' };
  return new DomainError('TRANSACTION_FAILED', `The transaction would fail on the chain: ${reason}.`, {
    details,
  });
}

const stepOf = ({ swap }: GroupItem): StepType => swap.quote.steps[0]?.type ?? 'originSwap';

const hasAllowance = ({ allowances }: Ground, { from, swap }: GroupItem): boolean =>
  (allowances.get(`${from.address}:${swap.spender}`) ?? 0n) > 0n;

const savings = (calls: readonly MeasuredCall[]): bigint =>
  calls.reduce((sum, { gasUnits, standsFor }) => sum + gasUnits * BigInt(Math.max(0, standsFor - 1)), 0n);
