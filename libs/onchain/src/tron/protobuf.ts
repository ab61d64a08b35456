// The part of the protobuf encoding that Tron's transactions use: varints and length-delimited fields.

const varintWire = 0;
const bytesWire = 2;
const maxInt64 = 2n ** 63n - 1n;
const maxUint32 = 2n ** 32n - 1n;
const maxVarintBytes = 10;

export type ProtobufField = readonly [number: number, value: bigint | Uint8Array];
/** All values of each field, in the order of the bytes. */
export type ProtobufMessage = ReadonlyMap<number, readonly (bigint | Uint8Array)[]>;

/** Encodes fields in the given order. Omits zeros and empty values, like every protobuf encoder. */
export function encodeMessage(fields: readonly ProtobufField[]): Uint8Array {
  const parts = fields.map(([number, value]) => {
    if (typeof value === 'bigint')
      return value === 0n ? [] : [...varint(BigInt(number << 3) | BigInt(varintWire)), ...varint(value)];
    return value.length === 0
      ? []
      : [...varint(BigInt((number << 3) | bytesWire)), ...varint(BigInt(value.length)), ...value];
  });
  return Uint8Array.from(parts.flat());
}

/**
 * Decodes a message.
 * @throws Error for a truncated message, a field type that Tron's transactions do not use, or a field number above 32
 * bits
 */
export function decodeMessage(bytes: Uint8Array): ProtobufMessage {
  const message = new Map<number, (bigint | Uint8Array)[]>();
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const key = reader.varint();
    // Nodes drop the upper bits and would read another field, for example a second amount that replaces the first.
    if (key > maxUint32) throw new Error('The number of a field has more than 32 bits');
    const value = readValue(reader, Number(key & 7n));
    const number = Number(key >> 3n);
    message.set(number, [...(message.get(number) ?? []), value]);
  }
  return message;
}

/**
 * Returns the last value of a number field, or zero without a value.
 * @throws Error if the value is not a number of at most 63 bits
 */
export function numberField(message: ProtobufMessage, number: number): bigint {
  const value = message.get(number)?.at(-1) ?? 0n;
  if (typeof value !== 'bigint' || value > maxInt64)
    throw new Error(`Field ${number} is not a positive number`);
  return value;
}

/**
 * Returns the last value of a bytes field, or no bytes without a value.
 * @throws Error if the value is a number
 */
export function bytesField(message: ProtobufMessage, number: number): Uint8Array {
  const value = message.get(number)?.at(-1) ?? new Uint8Array();
  if (typeof value === 'bigint') throw new Error(`Field ${number} is not bytes`);
  return value;
}

function varint(value: bigint): number[] {
  if (value < 0n || value > maxInt64) throw new Error(`${value} does not fit into 63 bits`);
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    if (rest < 128n) return [...bytes, Number(rest)];
    bytes.push(Number(rest & 127n) | 128);
  }
}

function readValue(reader: Reader, type: number): bigint | Uint8Array {
  if (type === varintWire) return reader.varint();
  if (type === bytesWire) return reader.bytes(reader.varint());
  throw new Error(`Fields of type ${type} are not supported`);
}

class Reader {
  private position = 0;

  constructor(private readonly source: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.position === this.source.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let count = 0; count < maxVarintBytes; count++) {
      const byte = this.source[this.position++];
      if (byte === undefined) throw new Error('The message is cut off');
      value |= BigInt(byte & 127) << BigInt(count * 7);
      if (byte < 128) return value;
    }
    throw new Error('A number has more than ten bytes');
  }

  bytes(length: bigint): Uint8Array {
    if (length > BigInt(this.source.length - this.position)) throw new Error('The message is cut off');
    const start = this.position;
    this.position += Number(length);
    return this.source.subarray(start, this.position);
  }
}
