import { ed25519 } from '@noble/curves/ed25519';
import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import { solanaPayCode, solanaPayErrors } from '../../generated/solana-pay';
import type { Instruction } from '../instructions';
import { addressFromBytes, addressToBytes, systemProgram } from '../keys';
import { addressOfKey, compileMessage } from '../message';
import { native, type LiteSvm, type NativeFailure, type NativeResult } from './litesvm';

/** Derives a secret key from a name, so that each run uses the same addresses and the same number of compute units. */
export const keyOf = (name: string): Uint8Array => sha256(utf8ToBytes(`tollbridge test key ${name}`));
export const addressOf = (name: string): string => addressOfKey(keyOf(name));

export const sol = 1_000_000_000n;
export const startSeconds = 1_800_000_000n;
export const programAddress = addressOf('program');

export interface SentTransaction {
  /** The program's own error by name, another program's error by number, or a runtime error as `runtime <number>`. */
  readonly error: string | undefined;
  readonly logs: readonly string[];
  readonly computeUnits: bigint;
  /** The inner instructions, in the order of the calls. */
  readonly inner: readonly { programId: string; accounts: string[]; data: Uint8Array }[];
}

/** A Solana runtime in this process, with the payment program, the token programs, and a clock that the test sets. */
export class LocalCluster {
  constructor(readonly vm: LiteSvm) {}

  /** Creates a virtual machine with the payment program, or with a changed program. */
  static vmWithProgram(code: Uint8Array = Buffer.from(solanaPayCode, 'base64')): LiteSvm {
    const vm = new native.LiteSvm();
    vm.addProgram(addressToBytes(programAddress), code);
    new LocalCluster(vm).setTime(startSeconds);
    return vm;
  }

  setTime(unixSeconds: bigint): void {
    const clock = this.vm.getClock();
    clock.unixTimestamp = unixSeconds;
    this.vm.setClock(clock);
  }

  setSlot(slot: bigint): void {
    const { unixTimestamp } = this.vm.getClock();
    this.vm.warpToSlot(slot);
    this.setTime(unixTimestamp);
  }

  setRent(lamportsPerByteYear: bigint, threshold: number): void {
    this.vm.setRent(new native.Rent(lamportsPerByteYear, threshold, 50));
  }

  /** Overwrites an account without a transaction. By default the account receives the rent of its data. */
  setAccount(
    address: string,
    { owner = systemProgram, data = new Uint8Array(0), lamports = this.rent(data.length) }: TestAccount,
  ): void {
    const account = new native.Account(lamports, data, addressToBytes(owner), false, 0n);
    this.vm.setAccount(addressToBytes(address), account);
  }

  rent(bytes: number): bigint {
    return this.vm.minimumBalanceForRentExemption(BigInt(bytes));
  }

  lamports(address: string): bigint {
    return this.vm.getAccount(addressToBytes(address))?.lamports() ?? 0n;
  }

  /** Returns undefined for an account without lamports, because such an account does not exist. */
  account(address: string): { owner: string; data: Uint8Array; lamports: bigint } | undefined {
    const found = this.vm.getAccount(addressToBytes(address));
    if (!found || found.lamports() === 0n) return undefined;
    return { owner: addressFromBytes(found.owner()), data: found.data(), lamports: found.lamports() };
  }

  /** Sends one transaction, signed by these keys. The first key pays the fee of 5,000 lamports per signature. */
  send(instructions: readonly Instruction[], ...keys: readonly Uint8Array[]): SentTransaction {
    const message = compileMessage(addressOfKey(keys[0]!), instructions, this.vm.latestBlockhash());
    const result = this.vm.sendLegacyTransaction(signByAll(message, keys));
    this.vm.expireBlockhash();
    const failed = result instanceof native.FailedTransactionMetadata;
    const meta = failed ? result.meta() : (result as NativeResult);
    return {
      error: failed ? errorOf(result) : undefined,
      logs: meta.logs(),
      computeUnits: meta.computeUnitsConsumed(),
      inner: innerInstructions(meta, message),
    };
  }
}

export interface TestAccount {
  readonly owner?: string;
  readonly data?: Uint8Array;
  readonly lamports?: bigint;
}

function signByAll(message: Uint8Array, keys: readonly Uint8Array[]): Uint8Array {
  const signers = Array.from({ length: message[0]! }, (_, index) =>
    addressFromBytes(message.subarray(4 + index * 32, 36 + index * 32)),
  );
  const signatures = signers.map((signer) => {
    const key = keys.find((it) => addressOfKey(it) === signer);
    if (!key) throw new Error(`No key of ${signer}`);
    return ed25519.sign(message, key);
  });
  return concatBytes(Uint8Array.of(signatures.length), ...signatures, message);
}

function errorOf(failure: NativeFailure): string {
  const error = failure.err();
  if (typeof error === 'number') return `transaction ${error}`;
  const inner = error.err?.();
  if (inner === undefined) return error.constructor.name;
  if (typeof inner === 'number') return `runtime ${inner}`;
  return (solanaPayErrors as Record<number, string>)[inner.code] ?? `program ${inner.code}`;
}

function innerInstructions(meta: NativeResult, message: Uint8Array) {
  const address = (index: number) => addressFromBytes(message.subarray(4 + index * 32, 36 + index * 32));
  return meta.innerInstructions().flatMap((calls) =>
    calls.map((call) => {
      const instruction = call.instruction();
      return {
        programId: address(instruction.programIdIndex()),
        accounts: [...instruction.accounts()].map(address),
        data: instruction.data(),
      };
    }),
  );
}
