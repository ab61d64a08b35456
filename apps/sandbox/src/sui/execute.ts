import {
  encodeSuiOrderPaid,
  hashSuiOrder,
  suiOrderPaidType,
  type SuiPayContract,
} from '@tollbridge/onchain/sui';
import { encodeEffects, type Effects, type GasUsed, type ObjectChange } from './effects';
import type { MoveVm } from './move-vm';
import { coinBalance, coinContents, coinTypeIn, sealed, storageMist, type SuiObject } from './objects';
import type { PayValues } from './pay-arguments';
import { recordOf } from './payment-record';
import { Programmable, type EmittedEvent, type Working } from './programmable';
import { SuiFailure, SuiRejection } from './sui-rejection';
import type { TransactionData } from './transaction-data';

export const gasPrice = 1_000n;
const computationUnits = 1_000n;
const rebatePercent = 99n;
export const minBudget = computationUnits * gasPrice;
const maxBudget = 50_000_000_000n;

export interface BalanceChange {
  readonly owner: string;
  readonly coinType: string;
  /** Negative for a payment. */
  readonly amountAtomic: bigint;
}

/** An executed transaction with all of its changes, which are not stored yet. */
export interface Executed {
  readonly data: TransactionData;
  readonly effects: Effects;
  readonly effectsBytes: Uint8Array;
  readonly balanceChanges: readonly BalanceChange[];
  readonly events: readonly EmittedEvent[];
}

export interface ExecuteParts {
  contracts: readonly SuiPayContract[];
  vm: Pick<MoveVm, 'pay'>;
  nowMs: number;
  objects(ids: readonly string[]): Promise<SuiObject[]>;
}

/**
 * Executes a transaction on its input objects.
 * @throws SuiRejection when the network would not execute the transaction
 */
export async function execute(data: TransactionData, parts: ExecuteParts): Promise<Executed> {
  const objects = await loadInputs(data, parts);
  requireGas(data, objects);
  const version =
    1n + [...objects.values()].reduce((most, it) => (it.version > most ? it.version : most), 0n);
  const run = new Programmable({
    data,
    objects,
    contracts: parts.contracts,
    pay: (call) => pay(call, parts),
  });
  const failure = await run.run().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof SuiFailure) return error;
      throw error;
    },
  );
  const seal = (failed: SuiFailure | undefined) => settle(run, { data, objects, version, failure: failed });
  const settled = seal(failure);
  return settled ?? seal(new SuiFailure('InsufficientGas', 0))!;
}

/** @throws SuiRejection for another version, another owner, or a missing object */
async function loadInputs(data: TransactionData, parts: ExecuteParts): Promise<Map<string, SuiObject>> {
  const owned = [...data.inputs.flatMap((it) => (it.kind === 'owned' ? [it.ref] : [])), ...data.gas.coins];
  const shared = data.inputs.flatMap((it) => (it.kind === 'shared' && it.isMutable ? [it] : []));
  const ids = [...owned.map(({ objectId }) => objectId), ...shared.map(({ id }) => id)];
  if (new Set(ids).size < ids.length)
    throw new SuiRejection('Mutable object cannot appear more than once in one transaction');
  const found = new Map((await parts.objects(ids)).map((it) => [it.id, it]));
  for (const { objectId, version, digest } of owned) {
    const object = found.get(objectId);
    const isCurrent = object?.version === version && object.digest === digest;
    if (!isCurrent)
      throw new SuiRejection(
        `Transaction needs to be rebuilt because object ${objectId} version ${version} is unavailable for consumption, current version: ${object?.version ?? 'none'}`,
      );
    const isGas = data.gas.coins.some((it) => it.objectId === objectId);
    const owner = isGas ? data.gas.owner : data.sender;
    if (object.owner.kind !== 'address' || object.owner.id !== owner)
      throw new SuiRejection(`Transaction was not signed by the owner of object ${objectId}`);
  }
  for (const { id, version } of shared) {
    const owner = found.get(id)?.owner;
    if (owner?.kind !== 'shared' || owner.version !== version)
      throw new SuiRejection(`Object ${id} is not shared at version ${version}`);
  }
  return found;
}

function requireGas({ gas }: TransactionData, objects: ReadonlyMap<string, SuiObject>): void {
  if (gas.coins.length === 0) throw new SuiRejection('The transaction has no coins for its gas');
  if (gas.price < gasPrice)
    throw new SuiRejection(`Gas price ${gas.price} under reference gas price (RGP) ${gasPrice}`);
  if (gas.budget < minBudget || gas.budget > maxBudget)
    throw new SuiRejection(`Gas budget ${gas.budget} must be from ${minBudget} to ${maxBudget}`);
  const coins = gas.coins.map(({ objectId }) => objects.get(objectId)!);
  if (!coins.every(({ type }) => coinTypeIn(type)?.endsWith('::sui::SUI')))
    throw new SuiRejection('Gas is paid in SUI only');
  const balance = coins.reduce((sum, coin) => sum + coinBalance(coin), 0n);
  if (balance < gas.budget)
    throw new SuiRejection(`Balance of gas object ${balance} is lower than the needed amount: ${gas.budget}`);
}

/** Executes the payment module in the virtual machine. @throws SuiFailure when the module aborts */
async function pay(
  { contract, command, ...values }: PayValues & { contract: SuiPayContract; command: number },
  { vm, nowMs, objects }: ExecuteParts,
): Promise<EmittedEvent> {
  const record = recordOf(contract, values);
  const wasPaid = (await objects([record.id])).length > 0;
  const run = await vm.pay({ contract, ...values, nowMs, wasPaid });
  const { packageId } = contract;
  if (!run.isPaid) throw new SuiFailure('MoveAbort', command, { packageId, code: run.abortCode });
  const { payer, order } = values;
  const contents = encodeSuiOrderPaid({ orderHash: hashSuiOrder(order), payer, order });
  return { type: suiOrderPaidType(contract), contents };
}

interface Outcome {
  data: TransactionData;
  objects: ReadonlyMap<string, SuiObject>;
  version: bigint;
  failure: SuiFailure | undefined;
}

/** Charges the gas and sets the version of every written object; undefined when the budget does not cover the gas. */
function settle(run: Programmable, { data, objects, version, failure }: Outcome): Executed | undefined {
  const coins = new Set(data.gas.coins.map(({ objectId }) => objectId));
  const written = failure
    ? [...run.working.values()]
        .filter(({ before }) => before)
        .map((it) => afterFailure(it, run.gasCoinId, coins, objects))
    : [...run.working.values()];
  const gasUsed = gasOf(written, data.gas.price);
  const cost = gasUsed.computationMist + gasUsed.storageMist;
  if (!failure && cost > data.gas.budget) return undefined;
  const gasCoin = written.find(({ id }) => id === run.gasCoinId)!;
  const netMist = cost - gasUsed.rebateMist;
  gasCoin.contents = coinContents(gasCoin.id, coinBalance(gasCoin) - netMist);
  const changes = written
    // Coins that the transaction has both split and merged were never stored.
    .filter(({ before, isDeleted }) => before !== null || !isDeleted)
    .map((it) => changeOf(it, version, data.digest))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const events = failure ? [] : run.events;
  const effects = {
    digest: data.digest,
    failure,
    gasUsed,
    gasCoinId: run.gasCoinId,
    version,
    changes,
    events,
  };
  return {
    data,
    effects,
    effectsBytes: encodeEffects(effects),
    balanceChanges: balanceChanges(changes),
    events,
  };
}

/** Restores an object to its state before the transaction. Only gas coins stay merged. */
function afterFailure(
  { id, type, before }: Working,
  gasCoinId: string,
  coins: ReadonlySet<string>,
  objects: ReadonlyMap<string, SuiObject>,
): Working {
  const { contents, owner } = before!;
  const gasMist = [...coins].reduce((sum, coin) => sum + coinBalance(objects.get(coin)!), 0n);
  return {
    id,
    type,
    before,
    owner,
    contents: id === gasCoinId ? coinContents(id, gasMist) : contents,
    isTaken: false,
    isDeleted: coins.has(id) && id !== gasCoinId,
  };
}

function gasOf(written: readonly Working[], price: bigint): GasUsed {
  const sum = (amounts: bigint[]) => amounts.reduce((total, it) => total + it, 0n);
  const deposits = sum(written.filter(({ isDeleted }) => !isDeleted).map(storageMist));
  const former = sum(written.flatMap(({ before }) => (before ? storageMist(before) : [])));
  const rebateMist = (former * rebatePercent) / 100n;
  return {
    computationMist: computationUnits * price,
    storageMist: deposits,
    rebateMist,
    nonRefundableMist: former - rebateMist,
  };
}

function changeOf(
  { id, type, contents, owner, before, isDeleted }: Working,
  version: bigint,
  digest: string,
): ObjectChange {
  if (isDeleted) return { id, before, after: null };
  return {
    id,
    before,
    after: sealed({ id, version, owner: owner!, type, contents, previousTransaction: digest }),
  };
}

/** Returns the balance changes of accounts, including gas and without changes of zero. */
function balanceChanges(changes: readonly ObjectChange[]): BalanceChange[] {
  const sums = new Map<string, BalanceChange>();
  const add = (object: SuiObject | null, sign: bigint) => {
    const coinType = object ? coinTypeIn(object.type) : undefined;
    if (!object || coinType === undefined || object.owner.kind !== 'address') return;
    const owner = object.owner.id;
    const key = `${owner} ${coinType}`;
    const amountAtomic = (sums.get(key)?.amountAtomic ?? 0n) + sign * coinBalance(object);
    sums.set(key, { owner, coinType, amountAtomic });
  };
  for (const { before, after } of changes) {
    add(before, -1n);
    add(after, 1n);
  }
  return [...sums.values()].filter(({ amountAtomic }) => amountAtomic !== 0n);
}
