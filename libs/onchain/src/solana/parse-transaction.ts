import { base58 } from '@scure/base';
import { addressFromBytes } from './keys';
import { maxTransactionBytes } from './message';

export interface ParsedInstruction {
  programIdIndex: number;
  accounts: number[];
  data: Uint8Array;
}

export interface ParsedMessage {
  version: 'legacy' | 0;
  numRequiredSignatures: number;
  numReadonlySignedAccounts: number;
  numReadonlyUnsignedAccounts: number;
  /** Account keys of the message, without those of lookup tables. */
  accountKeys: string[];
  recentBlockhash: string;
  instructions: ParsedInstruction[];
  lookups: { accountKey: string; writableIndexes: number[]; readonlyIndexes: number[] }[];
}

export interface ParsedTransaction extends ParsedMessage {
  /** Base58. The first signature is the transaction's id. */
  signatures: string[];
}

/** The bytes are not a valid transaction. */
export class MalformedTransaction extends Error {}

/**
 * Parses the wire form of a transaction strictly, because the native runtime ends the process for a transaction that it
 * cannot decode.
 * @throws MalformedTransaction
 */
export function parseTransaction(bytes: Uint8Array): ParsedTransaction {
  if (bytes.length > maxTransactionBytes)
    throw new MalformedTransaction(`too large: ${bytes.length} bytes (max: ${maxTransactionBytes})`);
  const reader = new Reader(bytes);
  const signatures = reader.list(() => base58.encode(reader.take(64)));
  const message = readMessage(reader);
  reader.end();
  if (signatures.length !== message.numRequiredSignatures)
    throw new MalformedTransaction('the number of signatures is wrong');
  return { ...message, signatures };
}

/**
 * Parses a message without signatures.
 * @throws MalformedTransaction
 */
export function parseMessage(bytes: Uint8Array): ParsedMessage {
  const reader = new Reader(bytes);
  const message = readMessage(reader);
  reader.end();
  return message;
}

function readMessage(reader: Reader): ParsedMessage {
  const isVersioned = (reader.peek() & 0x80) !== 0;
  if (isVersioned && reader.byte() !== 0x80) throw new MalformedTransaction('unsupported version');
  const header = {
    numRequiredSignatures: reader.byte(),
    numReadonlySignedAccounts: reader.byte(),
    numReadonlyUnsignedAccounts: reader.byte(),
  };
  const address = () => addressFromBytes(reader.take(32));
  const indexes = () => reader.list(() => reader.byte());
  const accountKeys = reader.list(address);
  const recentBlockhash = address();
  const instructions = reader.list(() => ({
    programIdIndex: reader.byte(),
    accounts: indexes(),
    data: reader.take(reader.length()),
  }));
  const lookups = isVersioned
    ? reader.list(() => ({ accountKey: address(), writableIndexes: indexes(), readonlyIndexes: indexes() }))
    : [];
  if (header.numRequiredSignatures < 1 || header.numRequiredSignatures > accountKeys.length)
    throw new MalformedTransaction('the number of signers is wrong');
  const version = isVersioned ? 0 : 'legacy';
  return { version, ...header, accountKeys, recentBlockhash, instructions, lookups };
}

class Reader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  peek(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new MalformedTransaction('unexpected end');
    return byte;
  }

  byte(): number {
    const byte = this.peek();
    this.at++;
    return byte;
  }

  take(length: number): Uint8Array {
    const taken = this.bytes.subarray(this.at, this.at + length);
    if (taken.length !== length) throw new MalformedTransaction('unexpected end');
    this.at += length;
    return taken;
  }

  /** Reads a length in the compact form of 16 bits. Each length has only one valid encoding. */
  length(): number {
    let value = 0;
    for (let place = 0; place < 3; place++) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * place);
      if ((byte & 0x80) !== 0) continue;
      if ((byte === 0 && place > 0) || value > 0xffff) break;
      return value;
    }
    throw new MalformedTransaction('a length is malformed');
  }

  list<T>(read: () => T): T[] {
    const items: T[] = [];
    for (let left = this.length(); left > 0; left--) items.push(read());
    return items;
  }

  end(): void {
    if (this.at !== this.bytes.length) throw new MalformedTransaction('bytes are left over');
  }
}
