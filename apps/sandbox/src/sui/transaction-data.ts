import { base58 } from '@scure/base';
import { BcsReader, readMoveType, suiTransactionDigest, type SuiObjectRef } from '@tollbridge/onchain/sui';
import { SuiRejection } from './sui-rejection';

export type Argument =
  | { readonly kind: 'gas' }
  | { readonly kind: 'input'; readonly at: number }
  | { readonly kind: 'result'; readonly at: number }
  | { readonly kind: 'part'; readonly at: number; readonly part: number };

export type Input =
  | { readonly kind: 'pure'; readonly bytes: Uint8Array }
  | { readonly kind: 'owned'; readonly ref: SuiObjectRef }
  | { readonly kind: 'shared'; readonly id: string; readonly version: bigint; readonly isMutable: boolean };

export type Command =
  | {
      readonly kind: 'call';
      readonly target: string;
      readonly types: readonly string[];
      readonly args: Argument[];
    }
  | { readonly kind: 'transfer'; readonly objects: Argument[]; readonly to: Argument }
  | { readonly kind: 'split'; readonly coin: Argument; readonly amounts: Argument[] }
  | { readonly kind: 'merge'; readonly target: Argument; readonly coins: Argument[] };

export interface TransactionData {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly sender: string;
  readonly inputs: readonly Input[];
  readonly commands: readonly Command[];
  readonly gas: {
    readonly owner: string;
    readonly coins: readonly SuiObjectRef[];
    readonly price: bigint;
    readonly budget: bigint;
  };
}

/** Parses BCS of `TransactionData`. @throws SuiRejection for parts that the local network does not support */
export function parseTransactionData(bytes: Uint8Array): TransactionData {
  try {
    return parse(bytes);
  } catch (error) {
    if (error instanceof SuiRejection) throw error;
    throw new SuiRejection(`Invalid transaction: ${(error as Error).message}`);
  }
}

function parse(bytes: Uint8Array): TransactionData {
  const reader = new BcsReader(bytes);
  if (reader.length() !== 0) throw new SuiRejection('The version of the transaction is not supported');
  if (reader.length() !== 0) throw new SuiRejection('Only programmable transactions are supported');
  const inputs = reader.vector(readInput);
  const commands = reader.vector(readCommand);
  const sender = reader.address();
  const coins = reader.vector(readRef);
  const gas = { coins, owner: reader.address(), price: reader.u64(), budget: reader.u64() };
  readExpiration(reader);
  reader.end();
  return { digest: suiTransactionDigest(bytes), bytes, sender, inputs, commands, gas };
}

function readRef(reader: BcsReader): SuiObjectRef {
  const [objectId, version, digest] = [reader.address(), reader.u64(), reader.byteVector()];
  if (digest.length !== 32) throw new Error('a digest has 32 bytes');
  return { objectId, version, digest: base58.encode(digest) };
}

function readInput(reader: BcsReader): Input {
  const variant = reader.length();
  if (variant === 0) return { kind: 'pure', bytes: reader.byteVector() };
  if (variant !== 1) throw new SuiRejection('The local network takes no withdrawals as inputs');
  const object = reader.length();
  if (object === 0) return { kind: 'owned', ref: readRef(reader) };
  if (object !== 1) throw new SuiRejection('The local network takes no objects to receive');
  return { kind: 'shared', id: reader.address(), version: reader.u64(), isMutable: reader.bool() };
}

function readCommand(reader: BcsReader): Command {
  switch (reader.length()) {
    case 0: {
      const target = `${reader.address()}::${reader.text()}::${reader.text()}`;
      const types = reader.vector((it) => readMoveType(it));
      return { kind: 'call', target, types, args: reader.vector(readArgument) };
    }
    case 1:
      return { kind: 'transfer', objects: reader.vector(readArgument), to: readArgument(reader) };
    case 2:
      return { kind: 'split', coin: readArgument(reader), amounts: reader.vector(readArgument) };
    case 3:
      return { kind: 'merge', target: readArgument(reader), coins: reader.vector(readArgument) };
    default:
      throw new SuiRejection('The local network takes calls, transfers, splits and merges only');
  }
}

function readArgument(reader: BcsReader): Argument {
  switch (reader.length()) {
    case 0:
      return { kind: 'gas' };
    case 1:
      return { kind: 'input', at: reader.u16() };
    case 2:
      return { kind: 'result', at: reader.u16() };
    case 3:
      return { kind: 'part', at: reader.u16(), part: reader.u16() };
    default:
      throw new Error('unknown argument');
  }
}

/** Reads the expiration. The local network stays in its first epoch. */
function readExpiration(reader: BcsReader): void {
  const variant = reader.length();
  if (variant === 0) return;
  if (variant !== 1) throw new SuiRejection('The expiration of the transaction is not supported');
  reader.u64();
}
