import { sha256 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';
import type { AccountMeta, Instruction } from '../instructions';
import { addressFromBytes, addressToBytes, systemProgram } from '../keys';
import { u64ToBytes } from '../order';
import { findProgramAddress } from '../program-address';

export const loaderProgram = 'BPFLoaderUpgradeab1e11111111111111111111111';
const rent = 'SysvarRent111111111111111111111111111111111';
const clockObject = 'SysvarC1ock11111111111111111111111111111111';

/** Length of the header before the code: in a buffer, and in the account with a program's code. */
export const bufferHeader = 37;
export const codeHeader = 45;
export const programBytes = 36;

const system = { transfer: 2, allocateWithSeed: 9 };
const loader = { initializeBuffer: 0, write: 1, deploy: 2, setAuthority: 4 };

/**
 * Returns an address for accounts of the loader that only `base` can use. The System program derives it in the same
 * way.
 */
export function addressWithSeed(base: string, seed: string): string {
  const parts = [addressToBytes(base), utf8ToBytes(seed), addressToBytes(loaderProgram)];
  return addressFromBytes(sha256(concatBytes(...parts)));
}

/** The account with the code of a program. */
export const codeAddress = (program: string): string =>
  findProgramAddress([addressToBytes(program)], loaderProgram).address;

/**
 * Creates an account by two instructions. CreateAccountWithSeed fails if a third party has sent a lamport to the
 * address.
 */
export function createLoaderAccount(
  base: string,
  seed: string,
  bytes: number,
  missingLamports: bigint,
): Instruction[] {
  const address = addressWithSeed(base, seed);
  const text = utf8ToBytes(seed);
  const allocate = concatBytes(
    u32(system.allocateWithSeed),
    addressToBytes(base),
    u64ToBytes(BigInt(text.length)),
    text,
    u64ToBytes(BigInt(bytes)),
    addressToBytes(loaderProgram),
  );
  const transfer = concatBytes(u32(system.transfer), u64ToBytes(missingLamports));
  return [
    { programId: systemProgram, accounts: [signer(base), writable(address)], data: transfer },
    { programId: systemProgram, accounts: [writable(address), signer(base)], data: allocate },
  ];
}

export const initializeBuffer = (buffer: string, authority: string): Instruction => ({
  programId: loaderProgram,
  accounts: [writable(buffer), readonly(authority)],
  data: u32(loader.initializeBuffer),
});

export const writeBuffer = (
  buffer: string,
  authority: string,
  offset: number,
  bytes: Uint8Array,
): Instruction => ({
  programId: loaderProgram,
  accounts: [writable(buffer), signer(authority)],
  data: concatBytes(u32(loader.write), u32(offset), u64ToBytes(BigInt(bytes.length)), bytes),
});

/** Deploys the code of a buffer and returns the buffer's lamports to `payer`. The program can never grow. */
export const deployProgram = (
  payer: string,
  program: string,
  buffer: string,
  codeBytes: number,
): Instruction => ({
  programId: loaderProgram,
  accounts: [
    signer(payer),
    writable(codeAddress(program)),
    writable(program),
    writable(buffer),
    ...[rent, clockObject, systemProgram].map(readonly),
    signer(payer),
  ],
  data: concatBytes(u32(loader.deploy), u64ToBytes(BigInt(codeBytes))),
});

/** Permanently gives up the authority to change the program. */
export const giveUpAuthority = (program: string, authority: string): Instruction => ({
  programId: loaderProgram,
  accounts: [writable(codeAddress(program)), signer(authority)],
  data: u32(loader.setAuthority),
});

function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return bytes;
}

const signer = (address: string): AccountMeta => ({ address, isSigner: true, isWritable: true });
const writable = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: true });
const readonly = (address: string): AccountMeta => ({ address, isSigner: false, isWritable: false });
