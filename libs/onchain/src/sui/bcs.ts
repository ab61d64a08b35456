import { getBytes, hexlify } from 'ethers';

const addressPattern = /^0x[0-9a-f]{1,64}$/i;

/**
 * Returns an address or object id of Sui with all digits, in lower case.
 * @throws when the text is not `0x` and up to 64 digits
 */
export function suiAddress(text: string): string {
  if (!addressPattern.test(text))
    throw new Error('Not an address of Sui: expected 0x and at most 64 hexadecimal digits');
  return `0x${text.slice(2).toLowerCase().padStart(64, '0')}`;
}

/** Writes Binary Canonical Serialization, the encoding of Sui's transactions, events and objects. */
export class BcsWriter {
  private readonly parts: Uint8Array[] = [];

  get bytes(): Uint8Array {
    return Uint8Array.from(Buffer.concat(this.parts));
  }

  u8 = (value: number): this => this.integer(BigInt(value), 1);
  u16 = (value: number): this => this.integer(BigInt(value), 2);
  u64 = (value: bigint): this => this.integer(value, 8);
  bool = (value: boolean): this => this.u8(value ? 1 : 0);
  address = (value: string): this => this.fixed(getBytes(suiAddress(value)));
  text = (value: string): this => this.byteVector(Buffer.from(value, 'utf8'));

  fixed(value: Uint8Array): this {
    this.parts.push(value);
    return this;
  }

  byteVector(value: Uint8Array): this {
    return this.length(value.length).fixed(value);
  }

  vector<Item>(items: readonly Item[], write: (item: Item, writer: this) => unknown): this {
    this.length(items.length);
    for (const item of items) write(item, this);
    return this;
  }

  /** Writes a ULEB128 number: the length of a vector, or the variant of an enum. */
  length(value: number): this {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
    return this.fixed(Uint8Array.from([...bytes, rest]));
  }

  private integer(value: bigint, size: number): this {
    if (value < 0n || value >= 1n << BigInt(8 * size))
      throw new RangeError(`Not a number of ${8 * size} bits`);
    const bytes = new Uint8Array(size);
    for (let i = 0; i < size; i++) bytes[i] = Number((value >> BigInt(8 * i)) & 0xffn);
    return this.fixed(bytes);
  }
}

/** Reads Binary Canonical Serialization. Every method throws for truncated or non-canonical bytes. */
export class BcsReader {
  private offset = 0;

  constructor(private readonly source: Uint8Array) {}

  u8 = (): number => this.fixed(1)[0]!;
  u16 = (): number => Number(this.integer(2));
  u64 = (): bigint => this.integer(8);
  address = (): string => hexlify(this.fixed(32));
  byteVector = (): Uint8Array => this.fixed(this.length());
  text = (): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.byteVector());

  bool(): boolean {
    const value = this.u8();
    if (value > 1) throw new Error('Invalid BCS: a bool is neither 0 nor 1');
    return value === 1;
  }

  fixed(size: number): Uint8Array {
    const bytes = this.source.subarray(this.offset, this.offset + size);
    if (bytes.length < size) throw new Error('Invalid BCS: the bytes end early');
    this.offset += size;
    return bytes;
  }

  vector<Item>(read: (reader: this) => Item): Item[] {
    const size = this.length();
    // Every item has at least one byte. This check prevents a false length from exhausting the memory.
    if (size > this.source.length - this.offset) throw new Error('Invalid BCS: the bytes end early');
    return Array.from({ length: size }, () => read(this));
  }

  /** Reads a ULEB128 number of up to 32 bits: the length of a vector, or the variant of an enum. */
  length(): number {
    let size = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.u8();
      size += (byte & 0x7f) * 2 ** shift;
      if (byte >= 0x80) continue;
      if (size > 0xffff_ffff || (byte === 0 && shift > 0)) break;
      return size;
    }
    throw new Error('Invalid BCS: a length is not canonical');
  }

  /** @throws if bytes remain */
  end(): void {
    if (this.offset !== this.source.length) throw new Error('Invalid BCS: there are bytes after the value');
  }

  private integer(size: number): bigint {
    return this.fixed(size).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
  }
}
