import { DomainError } from '@tollbridge/rpc';
import { revertReason, RpcError, simulateCalls, type EvmRpc } from '@tollbridge/evm';
import { estimateGas, type GasOrReason } from './estimate-gas';
import type { GroupRequest, ItemFailure, MeasuredCall } from './group-request';
import type { GroupItem, PlannedCall } from './plan-group';
import { brokenPromise } from './simulated-outcome';

// Headroom for gas refunds (at most 20 %), for the 63/64 rule of nested calls (EIP-150) and for a changing pool price.
const limitPercent = 140n;
// The gas of an SSTORE to an empty slot.
const slotGasUnits = 20_000n;

/** Returns the gas of each call, or its revert reason. The results after a revert are meaningless. */
export async function gasOf(
  { rpc, user }: GroupRequest,
  calls: readonly PlannedCall[],
  items: readonly GroupItem[],
): Promise<GasOrReason[]> {
  const simulated = await simulateCalls(rpc, user, calls).catch((error: unknown) => {
    // Some nodes reject the whole simulation if one call cannot be paid. Then each call is estimated alone.
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

/** For nodes without simulation: estimates the first call. After an approval, uses the provider's estimate. */
async function gasAlone(
  rpc: EvmRpc,
  user: string,
  call: PlannedCall,
  { swap }: GroupItem,
  before: { call: PlannedCall | undefined; gas: GasOrReason | undefined },
): Promise<GasOrReason> {
  if (call.type === 'swap' && before.call) return { units: swap.transaction.gasUnits ?? swap.quote.gasUnits };
  const isBehindReset = before.call?.type === 'approval' && before.call.to === call.to;
  // Costs the same as the reset, plus the write to an empty slot.
  if (isBehindReset && before.gas && 'units' in before.gas) return { units: before.gas.units + slotGasUnits };
  return estimateGas(rpc, user, call);
}

/** Returns the gas limit of each call: the caller's limit, if it is enough. */
export async function limitsOf(
  { rpc, user, gasSettings, gasPrice: { maxGasUnits } }: GroupRequest,
  calls: readonly MeasuredCall[],
): Promise<bigint[] | ItemFailure> {
  const safe = calls.map(({ gasUnits }) => {
    const units = (gasUnits * limitPercent) / 100n;
    return units < maxGasUnits ? units : maxGasUnits;
  });
  if (gasSettings?.gasLimit === undefined) return safe;
  const given = BigInt(gasSettings.gasLimit);
  const enough = calls.map(() => given);
  if (safe.every((units) => units <= given)) return enough;
  // A call may need a higher limit than the gas that it used, so the caller's limit is simulated.
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
