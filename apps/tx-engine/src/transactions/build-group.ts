import type { GasSettings, StepType } from '@tollbridge/contracts';
import { DomainError } from '@tollbridge/rpc';
import { type EvmChain } from '@tollbridge/chains';
import { revertReason, RpcError, simulateCalls, type EvmRpc, type GasTerms } from '@tollbridge/evm';
import { ZeroAddress } from 'ethers';
import { unreadable } from '../chains/chain-failure';
import { erc20 } from '../chains/erc20';
import { feesOf } from './gas-fees';
import { planGroup, type GroupItem, type PlannedCall } from './plan-group';
import { brokenPromise } from './simulated-outcome';
import { estimateGas, type GasOrReason } from './estimate-gas';
import type { GasFees, SetTransaction } from './transaction-set';

export interface GroupRequest {
  chain: Pick<EvmChain, 'chainId' | 'name'>;
  rpc: EvmRpc;
  user: string;
  items: readonly GroupItem[];
  gasSettings: GasSettings | undefined;
  gasPrice: GasTerms;
  /** The first nonce after those that sets of this signer have claimed. */
  nextClaimedNonce: number;
}

export interface GroupResult {
  /** In the order of the items. */
  items: (SetTransaction[] | DomainError)[];
  fees: GasFees | undefined;
  /** Gas of the approvals that the group saves against building each item alone. */
  savedGasUnits: bigint;
}

// Room for gas refunds (at most a fifth), the 63/64 rule of nested calls (EIP-150) and a moving price of a pool.
const limitPercent = 140n;
// An SSTORE to an empty slot.
const slotGasUnits = 20_000n;

/** The state of the chain that a group is built on. */
interface Ground {
  nonce: number;
  coinAtomic: bigint;
  balances: ReadonlyMap<string, bigint>;
  allowances: ReadonlyMap<string, bigint>;
}

/**
 * Builds the transactions of several swaps of one signer on one chain, with nonces in sequence. An item that fails is
 * left out, and the rest is built as if it were not in the group.
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

/** @throws DomainError for a gas limit above the chain's maximum: such a transaction is never mined */
function requireGasLimit({ chain, gasSettings, gasPrice: { maxGasUnits } }: GroupRequest): void {
  if (gasSettings?.gasLimit === undefined || BigInt(gasSettings.gasLimit) <= maxGasUnits) return;
  const message = `must be at most ${maxGasUnits}, the most gas that a transaction on ${chain.name} may have`;
  throw DomainError.invalid([{ field: 'gasSettings.gasLimit', message }]);
}

type Attempt =
  | { failure: { item: number; error: DomainError } }
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
  // Gas is paid on top of the swap's own value.
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
  calls: readonly (PlannedCall & { gasUnits: bigint })[],
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

/** Reads all state in one batch from one node, so that it belongs to one block. */
async function readGround({ rpc, user, items }: GroupRequest): Promise<Ground> {
  const tokens = [...new Set(items.flatMap(({ from }) => from.address ?? []))];
  const pairs = [
    ...new Set(
      items.flatMap(({ from, swap }) =>
        from.address !== null && swap.spender !== null ? [`${from.address}:${swap.spender}`] : [],
      ),
    ),
  ];
  // A token that does not reply fails its own swaps only.
  const call = (to: string, data: string) => {
    return { method: 'eth_call', params: [{ to, data }, 'latest'], mayFail: true };
  };
  const requests = [
    { method: 'eth_getTransactionCount', params: [user, 'pending'] },
    { method: 'eth_getBalance', params: [user, 'latest'] },
    ...tokens.map((token) => call(token, erc20.encodeFunctionData('balanceOf', [user]))),
    ...pairs.map((pair) => {
      const [token, spender] = pair.split(':') as [string, string];
      return call(token, erc20.encodeFunctionData('allowance', [user, spender]));
    }),
  ];
  const [nonce, coin, ...rest] = await rpc.batch(requests);
  const numbers = (from: number, names: readonly string[]) =>
    new Map(names.map((name, at) => [name, saidByToken(rest[from + at])]));
  return {
    nonce: Number(quantityOf(nonce)),
    coinAtomic: quantityOf(coin),
    balances: numbers(0, tokens),
    allowances: numbers(tokens.length, pairs),
  };
}

function quantityOf(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw unreadable('the nonce or balance is not a hex quantity');
  return BigInt(value);
}

/** An invalid reply of a token counts as a balance or allowance of 0. */
function saidByToken(value: unknown): bigint {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value) ? BigInt(value) : 0n;
}

/** Returns the gas of each call, or why it reverts. Calls after a revert have no meaning. */
async function gasOf(
  { rpc, user }: GroupRequest,
  calls: readonly PlannedCall[],
  items: readonly GroupItem[],
): Promise<GasOrReason[]> {
  const simulated = await simulateCalls(rpc, user, calls).catch((error: unknown) => {
    // Some nodes reject the whole simulation if one call cannot be paid for; then each call is estimated alone.
    if (error instanceof RpcError && error.kind === 'rejected') return undefined;
    throw error;
  });
  if (simulated)
    return simulated.map(({ succeeded, gasUnits, returnData, logs }, at) => {
      if (!succeeded) return { reason: revertReason(returnData) };
      const { type, item } = calls[at]!;
      const reason = type === 'swap' ? brokenPromise(items[item]!, user, logs) : undefined;
      return reason === undefined ? { units: gasUnits } : { reason };
    });
  const gas: GasOrReason[] = [];
  for (const [at, call] of calls.entries())
    gas.push(await gasAlone(rpc, user, call, items[call.item]!, { call: calls[at - 1], gas: gas[at - 1] }));
  return gas;
}

/** For nodes without simulation: estimates the first call, and takes the provider's figure for a swap behind an approval. */
async function gasAlone(
  rpc: EvmRpc,
  user: string,
  call: PlannedCall,
  { swap }: GroupItem,
  before: { call: PlannedCall | undefined; gas: GasOrReason | undefined },
): Promise<GasOrReason> {
  if (call.type === 'swap' && before.call) return { units: swap.transaction.gasUnits ?? swap.quote.gasUnits };
  const isBehindReset = before.call?.type === 'approval' && before.call.to === call.to;
  // The same code as the reset, plus the write to an empty slot.
  if (isBehindReset && before.gas && 'units' in before.gas) return { units: before.gas.units + slotGasUnits };
  return estimateGas(rpc, user, call);
}

/** The gas limit of each call: the caller's, if it is enough. */
async function limitsOf(
  { rpc, user, gasSettings, gasPrice: { maxGasUnits } }: GroupRequest,
  calls: readonly (PlannedCall & { gasUnits: bigint })[],
): Promise<bigint[] | { item: number; error: DomainError }> {
  const safe = calls.map(({ gasUnits }) => {
    const units = (gasUnits * limitPercent) / 100n;
    return units < maxGasUnits ? units : maxGasUnits;
  });
  if (gasSettings?.gasLimit === undefined) return safe;
  const given = BigInt(gasSettings.gasLimit);
  const enough = calls.map(() => given);
  if (safe.every((units) => units <= given)) return enough;
  // A call may need more than it used, so the caller's limit is simulated.
  const tried = calls.every(({ gasUnits }) => gasUnits <= given)
    ? await simulateCalls(rpc, user, calls, given)
    : calls.map(({ gasUnits }) => ({ succeeded: gasUnits <= given }));
  const low = tried?.findIndex(({ succeeded }) => !succeeded) ?? -1;
  if (low < 0) return enough;
  const { item, description } = calls[low]!;
  const message = `gasLimit is too low: ${description} needs ${safe[low]} gas and gasLimit is ${given}. Raise gasLimit, or leave it out.`;
  const details = { gasLimit: String(given), required: String(safe[low]), transaction: description };
  return { item, error: new DomainError('GAS_LIMIT_EXCEEDED', message, { details }) };
}

interface Shortage {
  item: number;
  error: DomainError;
}

/** Finds the first item that the signer's native coins do not cover, after the items before it. */
function coinShortage(
  { chain: { chainId } }: GroupRequest,
  items: readonly GroupItem[],
  { coinAtomic }: Ground,
  costOf: (item: number) => bigint,
): Shortage | undefined {
  let [required, available] = [0n, coinAtomic];
  for (const [item, swap] of items.entries()) {
    required += costOf(item);
    if (required > available) {
      const what = 'native coins, gas included';
      return { item, error: balanceError(chainId, ZeroAddress, required, available, what) };
    }
    available += broughtIn(swap, null);
  }
  return undefined;
}

/** Finds the first item that the signer's token balance does not cover, after the items before it. */
function tokenShortage(
  { chain: { chainId } }: GroupRequest,
  items: readonly GroupItem[],
  { balances }: Ground,
): Shortage | undefined {
  for (const [item, { from }] of items.entries()) {
    const { address, symbol } = from;
    if (address === null) continue;
    const before = items.slice(0, item);
    const required = [...before, items[item]!].reduce(
      (sum, it) => (it.from.address === address ? sum + it.amountInAtomic : sum),
      0n,
    );
    const available = before.reduce((sum, it) => sum + broughtIn(it, address), balances.get(address) ?? 0n);
    if (required > available)
      return { item, error: balanceError(chainId, address, required, available, symbol) };
  }
  return undefined;
}

/** What an item adds to the signer's balance; cross-chain swaps deliver on another chain. */
const broughtIn = ({ from, to, swap }: GroupItem, address: string | null): bigint =>
  to.chain === from.chain && to.address === address ? swap.quote.amountOutAtomic : 0n;

function balanceError(
  chainId: number,
  token: string,
  required: bigint,
  available: bigint,
  what: string,
): DomainError {
  const details = { chainId, token, required: String(required), available: String(available) };
  const message = `The balance of the signer is too low (${what}): ${required} needed, ${available} available.`;
  return new DomainError('INSUFFICIENT_BALANCE', message, { details });
}

function allowanceError(
  { chain: { chainId } }: GroupRequest,
  { from, swap }: GroupItem,
  { required, available }: { required: bigint; available: bigint },
): DomainError {
  return new DomainError('INSUFFICIENT_ALLOWANCE', undefined, {
    details: {
      chainId,
      token: from.address,
      spender: swap.spender,
      required: String(required),
      available: String(available),
    },
  });
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

const savings = (calls: readonly (PlannedCall & { gasUnits: bigint })[]): bigint =>
  calls.reduce((sum, { gasUnits, standsFor }) => sum + gasUnits * BigInt(Math.max(0, standsFor - 1)), 0n);
