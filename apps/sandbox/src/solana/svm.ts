import { addressFromBytes, addressToBytes } from '@tollbridge/onchain/solana';
import { base58 } from '@scure/base';
import { toErrorJson } from './runtime-error';
import type { AccountState } from './solana.repository';
import type { TransactionErrorJson, TransactionMeta } from './transaction-meta';

/** The result of an execution, without the changed accounts. */
export interface Execution extends Pick<
  TransactionMeta,
  'err' | 'innerInstructions' | 'logMessages' | 'computeUnitsConsumed'
> {
  /** Lamports. */
  fee: bigint;
}

/**
 * The validator's runtime and token programs (LiteSVM) in this process. It is synchronous, and executes one at a time.
 */
export class Svm {
  private readonly native = loadNative();
  private readonly vm = new this.native.LiteSvm();

  constructor() {
    // The chain verifies blockhashes and repeated signatures itself.
    this.vm.setBlockhashCheck(false);
    this.vm.setTransactionHistory(0n);
  }

  addProgram(address: string, code: Uint8Array): void {
    this.vm.addProgram(addressToBytes(address), code);
  }

  /** Returns undefined for an account without lamports, which does not exist. */
  account(address: string): AccountState | undefined {
    const found = this.vm.getAccount(addressToBytes(address));
    const lamports = found?.lamports() ?? 0n;
    if (!found || lamports === 0n) return undefined;
    const [owner, data] = [addressFromBytes(found.owner()), Uint8Array.from(found.data())];
    return { lamports, owner, data, executable: found.executable() };
  }

  setAccount(address: string, { lamports, data, owner, executable }: AccountState): void {
    const account = new this.native.Account(
      lamports,
      data,
      addressToBytes(owner),
      executable,
      2n ** 64n - 1n,
    );
    this.vm.setAccount(addressToBytes(address), account);
  }

  rent(bytes: number): bigint {
    return this.vm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  /** Sets the time that programs read. @param unixSeconds time of the slot's block */
  setTime(slot: number, unixSeconds: number): void {
    this.vm.warpToSlot(BigInt(slot));
    const clock = this.vm.getClock();
    clock.unixTimestamp = BigInt(unixSeconds);
    this.vm.setClock(clock);
  }

  /** @param wire a transaction that `parseTransaction` accepts; any other transaction ends the process */
  execute(wire: Uint8Array): Execution {
    return this.executionOf(this.vm.sendVersionedTransaction(wire));
  }

  /** Simulates a transaction without changing the state. */
  simulate(wire: Uint8Array, verifiesSignatures: boolean): Execution {
    this.vm.setSigverify(verifiesSignatures);
    try {
      return this.executionOf(this.vm.simulateVersionedTransaction(wire));
    } finally {
      this.vm.setSigverify(true);
    }
  }

  private executionOf(result: NativeOutcome): Execution {
    const text = result.toString();
    const isFailed = result instanceof this.native.FailedTransactionMetadata;
    const meta = 'meta' in result ? result.meta() : result;
    return {
      err: isFailed ? errorOf(text) : null,
      // Only the text contains the fee, after the log lines.
      fee: BigInt(/fee: (\d+)[ })]*$/.exec(text)?.[1] ?? 0),
      logMessages: meta.logs(),
      computeUnitsConsumed: Number(meta.computeUnitsConsumed()),
      innerInstructions: innerOf(meta),
    };
  }
}

function errorOf(text: string): TransactionErrorJson {
  // The error precedes all output of programs.
  return toErrorJson(/err: (.+?), meta: TransactionMetadata/s.exec(text)?.[1] ?? 'SanitizeFailure');
}

function innerOf(meta: NativeMeta): TransactionMeta['innerInstructions'] {
  return meta.innerInstructions().flatMap((calls, index) => {
    const instructions = calls.map((call) => {
      const instruction = call.instruction();
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: base58.encode(Uint8Array.from(instruction.data())),
        stackHeight: call.stackHeight(),
      };
    });
    return instructions.length === 0 ? [] : [{ index, instructions }];
  });
}

// LiteSVM's native module has no type declarations.
interface NativeModule {
  LiteSvm: new () => NativeVm;
  Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => NativeAccount;
  FailedTransactionMetadata: new () => { meta(): NativeMeta };
}

interface NativeVm {
  addProgram(address: Uint8Array, code: Uint8Array): void;
  getAccount(address: Uint8Array): NativeAccount | null;
  setAccount(address: Uint8Array, account: NativeAccount): void;
  getClock(): { unixTimestamp: bigint };
  setClock(clock: object): void;
  warpToSlot(slot: bigint): void;
  minimumBalanceForRentExemption(bytes: bigint): bigint;
  setBlockhashCheck(isOn: boolean): void;
  setSigverify(isOn: boolean): void;
  setTransactionHistory(capacity: bigint): void;
  sendVersionedTransaction(wire: Uint8Array): NativeOutcome;
  simulateVersionedTransaction(wire: Uint8Array): NativeOutcome;
}

interface NativeAccount {
  lamports(): bigint;
  data(): Uint8Array;
  owner(): Uint8Array;
  executable(): boolean;
}

interface NativeMeta {
  logs(): string[];
  computeUnitsConsumed(): bigint;
  innerInstructions(): {
    instruction(): { programIdIndex(): number; accounts(): Uint8Array; data(): Uint8Array };
    stackHeight(): number;
  }[][];
}

/** The metadata of a success, or an object with the metadata of a failure or of a simulation. */
type NativeOutcome = NativeMeta | { meta(): NativeMeta };

function loadNative(): NativeModule {
  try {
    // oxlint-disable-next-line typescript/no-require-imports -- a native module without types
    return require('litesvm-linux-x64-gnu') as NativeModule;
  } catch (cause) {
    throw new Error('The local Solana network runs on Linux with an x64 processor only', { cause });
  }
}
