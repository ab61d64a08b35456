/**
 * The part of LiteSVM that the tests use. LiteSVM is the validator's runtime as a library. Its native module has no
 * types.
 */
export interface LiteSvm {
  toBytes(): Uint8Array;
  getAccount(address: Uint8Array): NativeAccount | null;
  setAccount(address: Uint8Array, account: NativeAccount): void;
  addProgram(address: Uint8Array, code: Uint8Array): void;
  latestBlockhash(): string;
  expireBlockhash(): void;
  sendLegacyTransaction(bytes: Uint8Array): NativeResult | NativeFailure;
  getClock(): NativeClock;
  setClock(clock: NativeClock): void;
  warpToSlot(slot: bigint): void;
  setRent(rent: object): void;
  minimumBalanceForRentExemption(bytes: bigint): bigint;
}

export interface NativeAccount {
  lamports(): bigint;
  data(): Uint8Array;
  owner(): Uint8Array;
  executable(): boolean;
}

export interface NativeClock {
  slot: bigint;
  unixTimestamp: bigint;
}

export interface NativeResult {
  logs(): string[];
  computeUnitsConsumed(): bigint;
  innerInstructions(): {
    instruction(): { programIdIndex(): number; accounts(): Uint8Array; data(): Uint8Array };
  }[][];
}

export interface NativeFailure {
  err(): number | { err?(): number | { code: number } };
  meta(): NativeResult;
}

interface Native {
  LiteSvm: { new (): LiteSvm; fromBytes(bytes: Uint8Array): LiteSvm };
  Account: new (
    lamports: bigint,
    data: Uint8Array,
    owner: Uint8Array,
    executable: boolean,
    rentEpoch: bigint,
  ) => NativeAccount;
  Rent: new (lamportsPerByteYear: bigint, exemptionThreshold: number, burnPercent: number) => object;
  FailedTransactionMetadata: new () => NativeFailure;
}

// oxlint-disable-next-line typescript/no-require-imports -- a native module without types
export const native = require('litesvm-linux-x64-gnu') as Native;
