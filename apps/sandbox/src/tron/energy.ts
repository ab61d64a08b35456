/** A step of `debug_traceCall`. Numbers are gas units. */
export interface TraceStep {
  op: string;
  gas: number;
  gasCost: number;
  depth: number;
  stack: string[];
}

interface Frame {
  /** The account that owns the storage of this frame. */
  account: string;
  firstGas: number;
  /** Gas after the last step of the frame so far. */
  remaining: number;
  /** TVM price minus EVM price of the frame's own steps. */
  difference: number;
  ofChildren: number;
}

// EVM prices of EIP-2929. The TVM has flat prices instead.
const warmRead = 100;
const coldAccount = 2_600;
const coldSlot = 2_100;
// Prices of EnergyCost in java-tron 4.8.
const call = 40;
const setSlot = 20_000;
const changeSlot = 5_000;
const flatPrices: Readonly<Record<string, number>> = {
  SLOAD: 50,
  BALANCE: 20,
  EXTCODESIZE: 20,
  EXTCODEHASH: 400,
};
const extCodeCopy = 20;
const expByteSaved = 40;
const accountArguments: Readonly<Record<string, number>> = {
  BALANCE: 1,
  EXTCODESIZE: 1,
  EXTCODEHASH: 1,
  EXTCODECOPY: 1,
  CALL: 2,
  CALLCODE: 2,
  DELEGATECALL: 2,
  STATICCALL: 2,
};

/**
 * Returns the energy that the TVM charges for an execution, by the account that used it (`0x`, lower case). Each step
 * of the EVM's trace gets the TVM's price: the TVM has no refunds, and no higher price for a first access.
 */
export function energyByAccount(steps: readonly TraceStep[], from: string, to: string): Map<string, bigint> {
  return new EnergyMeter(from, to).measure(steps);
}

class EnergyMeter {
  private readonly frames: Frame[] = [];
  private readonly used = new Map<string, bigint>();
  private readonly warm: Set<string>;
  private readonly slots = new Map<string, bigint>();

  constructor(
    from: string,
    private readonly to: string,
  ) {
    const precompiles = Array.from({ length: 10 }, (_, index) => addressOf(`0x${(index + 1).toString(16)}`));
    this.warm = new Set([from.toLowerCase(), to.toLowerCase(), addressOf('0x0'), ...precompiles]);
  }

  measure(steps: readonly TraceStep[]): Map<string, bigint> {
    steps.forEach((step, index) => this.add(step, steps[index - 1], steps[index + 1]));
    while (this.frames.length > 0) this.leave();
    return this.used;
  }

  private add(step: TraceStep, previous: TraceStep | undefined, next: TraceStep | undefined): void {
    while (this.frames.length > step.depth) this.leave();
    if (this.frames.length < step.depth) this.enter(step, previous);
    const frame = this.frames.at(-1)!;
    const isEnd = next === undefined || next.depth < step.depth;
    // A failed step has consumed all gas of its frame.
    const hasFailed = isEnd && !['STOP', 'RETURN', 'REVERT', 'SELFDESTRUCT'].includes(step.op);
    frame.remaining = hasFailed ? 0 : step.gas - step.gasCost;
    frame.difference += this.differenceOf(step, frame.account, next);
  }

  private enter(step: TraceStep, caller: TraceStep | undefined): void {
    const parent = this.frames.at(-1);
    const isOther = caller !== undefined && (caller.op === 'CALL' || caller.op === 'STATICCALL');
    const account =
      parent === undefined ? this.to.toLowerCase() : isOther ? argument(caller, 2) : parent.account;
    this.frames.push({
      account,
      firstGas: step.gas,
      remaining: step.gas,
      difference: 0,
      ofChildren: 0,
    });
  }

  private leave(): void {
    const frame = this.frames.pop()!;
    const consumed = frame.firstGas - frame.remaining;
    const parent = this.frames.at(-1);
    if (parent) parent.ofChildren += consumed;
    const own = consumed - frame.ofChildren + frame.difference;
    this.used.set(frame.account, (this.used.get(frame.account) ?? 0n) + BigInt(Math.max(0, own)));
  }

  private differenceOf(step: TraceStep, account: string, next: TraceStep | undefined): number {
    const { op, gasCost } = step;
    const access = this.accessCost(step);
    if (op === 'SSTORE') return this.storePrice(step, account) - gasCost;
    if (op === 'SLOAD' && next?.depth === step.depth)
      this.slots.set(`${account} ${topOf(step, 1)}`, topOf(next, 1));
    if (flatPrices[op] !== undefined) return flatPrices[op] - gasCost;
    if (op === 'EXTCODECOPY') return extCodeCopy - access;
    if (op === 'EXP')
      return -expByteSaved * Math.ceil(topOf(step, 2).toString(16).length / 2) * sign(topOf(step, 2));
    return access > 0 ? call - access : 0;
  }

  /** Returns the EVM's price of an access to another account; zero for a step without such an access. */
  private accessCost(step: TraceStep): number {
    const position = accountArguments[step.op];
    if (position === undefined) return 0;
    const account = argument(step, position);
    if (this.warm.has(account)) return warmRead;
    this.warm.add(account);
    return coldAccount;
  }

  private storePrice(step: TraceStep, account: string): number {
    const slot = `${account} ${topOf(step, 1)}`;
    const value = topOf(step, 2);
    const price = [coldSlot + warmRead, 5_000, 22_100].includes(step.gasCost)
      ? step.gasCost - coldSlot
      : step.gasCost;
    // Without an earlier access, the EVM's price shows the earlier value: 20,000 for zero, 100 for an unchanged slot.
    const before = this.slots.get(slot) ?? (price === setSlot ? 0n : price === warmRead ? value : 1n);
    this.slots.set(slot, value);
    return before === 0n && value !== 0n ? setSlot : changeSlot;
  }
}

const topOf = ({ stack }: TraceStep, position: number): bigint => BigInt(stack.at(-position) ?? 0);
const argument = (step: TraceStep, position: number): string => addressOf(step.stack.at(-position) ?? '0x0');
const addressOf = (word: string): string => `0x${word.slice(2).padStart(40, '0').slice(-40).toLowerCase()}`;
const sign = (value: bigint): number => (value === 0n ? 0 : 1);
