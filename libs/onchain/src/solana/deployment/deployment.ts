import { addressFromBytes } from '../keys';
import type { Instruction } from '../instructions';
import {
  addressWithSeed,
  bufferHeader,
  codeHeader,
  codeAddress,
  createLoaderAccount,
  deployProgram,
  giveUpAuthority,
  initializeBuffer,
  loaderProgram,
  programBytes,
  writeBuffer,
} from './loader';

/** An account as a node returns it. */
export interface ChainAccount {
  readonly owner: string;
  readonly lamports: bigint;
  readonly data: Uint8Array;
}
export type AccountsByAddress = ReadonlyMap<string, ChainAccount>;

/** The addresses of a deployer's program. They depend on the deployer and the code, but not on the cluster. */
export interface DeploymentAddresses {
  readonly program: string;
  readonly code: string;
  readonly buffer: string;
}

/** The state of a program at an address. */
export interface DeployedProgram {
  readonly isSameCode: boolean;
  /** The account that can replace the code. Undefined if the program is immutable. */
  readonly upgradeAuthority: string | undefined;
}

// Size of the largest part that fits into a transaction together with the keys and the signature.
const writeBytes = 1_000;
const [isProgram, isCode] = [2, 3];

const programSeed = (codeHash: string) => codeHash.slice(0, 32);
const bufferSeed = (codeHash: string) => `buffer${codeHash.slice(0, 26)}`;

/** @param codeHash SHA-256 of the code, in hexadecimal */
export function deploymentAddresses(deployer: string, codeHash: string): DeploymentAddresses {
  const program = addressWithSeed(deployer, programSeed(codeHash));
  return { program, code: codeAddress(program), buffer: addressWithSeed(deployer, bufferSeed(codeHash)) };
}

/**
 * Reads a program from its two accounts.
 * @returns undefined while nothing is deployed at the address
 */
export function readProgram(
  program: string,
  accounts: AccountsByAddress,
  code: Uint8Array,
): DeployedProgram | undefined {
  const shell = accounts.get(program);
  if (shell?.owner !== loaderProgram || firstNumber(shell.data) !== isProgram) return undefined;
  const address = addressFromBytes(shell.data.subarray(4, programBytes));
  const held = accounts.get(address);
  if (address !== codeAddress(program) || held?.owner !== loaderProgram || firstNumber(held.data) !== isCode)
    return undefined;
  const found = held.data.subarray(codeHeader);
  const isSameCode = found.length >= code.length && found.every((byte, index) => byte === (code[index] ?? 0));
  const hasAuthority = held.data[12] === 1;
  return {
    isSameCode,
    upgradeAuthority: hasAuthority ? addressFromBytes(held.data.subarray(13, 45)) : undefined,
  };
}

/**
 * Returns the transactions to send next, each as a list of instructions. The caller then reads the accounts again.
 * Empty if the program is deployed and immutable. An interrupted deployment continues where it stopped.
 * @param rent lamports of an account with this number of bytes
 * @throws Error when the program cannot be deployed at its address
 */
export function nextTransactions(
  deployer: string,
  { code, codeHash }: { code: Uint8Array; codeHash: string },
  accounts: AccountsByAddress,
  rent: (bytes: number) => bigint,
): Instruction[][] {
  const { program, code: codeAccount, buffer } = deploymentAddresses(deployer, codeHash);
  const deployed = readProgram(program, accounts, code);
  if (deployed) {
    if (!deployed.isSameCode) throw new Error(`The program at ${program} has another code`);
    return deployed.upgradeAuthority === undefined ? [] : [[giveUpAuthority(program, deployer)]];
  }
  // The loader creates this account by CreateAccount, which fails if a third party has sent a lamport to the address.
  if (accounts.has(codeAccount)) throw new Error(`${codeAccount} exists already. Deploy with another key.`);
  const missing = (address: string, bytes: number) => {
    const held = accounts.get(address)?.lamports ?? 0n;
    return held < rent(bytes) ? rent(bytes) - held : 0n;
  };
  const bufferBytes = bufferHeader + code.length;
  const written = accounts.get(buffer);
  if (written?.owner !== loaderProgram) {
    const create = createLoaderAccount(
      deployer,
      bufferSeed(codeHash),
      bufferBytes,
      missing(buffer, bufferBytes),
    );
    return [[...create, initializeBuffer(buffer, deployer)]];
  }
  const writes = missingParts(code, written.data.subarray(bufferHeader));
  if (writes.length > 0) return writes.map(({ at, bytes }) => [writeBuffer(buffer, deployer, at, bytes)]);
  const shell = accounts.get(program);
  const create =
    shell?.owner === loaderProgram
      ? []
      : createLoaderAccount(deployer, programSeed(codeHash), programBytes, missing(program, programBytes));
  // One transaction, so that the program never exists with an authority that can change it.
  const deploy = [deployProgram(deployer, program, buffer, code.length), giveUpAuthority(program, deployer)];
  return [[...create, ...deploy]];
}

/** The costs of a deployment, computed without a node for the dry run. */
export function deploymentCosts(code: Uint8Array, rent: (bytes: number) => bigint) {
  const writes = missingParts(code, new Uint8Array(code.length)).length;
  // The deployment returns the buffer's rent before it charges the rent of the code.
  const keptLamports = rent(codeHeader + code.length) + rent(programBytes);
  return { transactions: writes + 2, keptLamports };
}

/** Returns the parts of the code that are missing in the buffer. */
function missingParts(code: Uint8Array, held: Uint8Array): { at: number; bytes: Uint8Array }[] {
  const parts = [];
  for (let at = 0; at < code.length; at += writeBytes) {
    const bytes = code.subarray(at, at + writeBytes);
    if (!bytes.every((byte, index) => byte === held[at + index])) parts.push({ at, bytes });
  }
  return parts;
}

const firstNumber = (data: Uint8Array) =>
  data.length < 4 ? undefined : new DataView(data.buffer, data.byteOffset).getUint32(0, true);
