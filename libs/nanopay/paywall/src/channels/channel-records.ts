import { Channel, type ChannelFields, type ChannelProgress } from './channel';

// Record types of the log. Each batch is a list of records: type (1), then the fields of the type. Integers are
// big-endian.
const types = {
  owner: 1,
  channel: 2,
  link: 3,
  refund: 4,
  settled: 5,
  repeated: 6,
  closed: 7,
  closing: 8,
} as const;
type Type = keyof typeof types;

const idBytes = 16;
const lengths: Record<Type, number> = {
  owner: 8 + 32,
  channel: idBytes + 16 + 32 + 32 + 32 + 8 + 4 + 4 + 32 + 4 + 8 + 1 + 4 + 4 + 4 + 8,
  link: idBytes + 4 + 32 + 4 + 8,
  refund: idBytes + 4,
  settled: idBytes + 4 + 4 + 8,
  repeated: idBytes + 4,
  closed: idBytes,
  closing: idBytes,
};
const nameOf = new Map(Object.entries(types).map(([name, code]) => [code as number, name as Type]));

/** The content of a log: channels, and their owners with the secrets of their call keys. */
export interface LogContents {
  owners: Map<string, Buffer>;
  channels: Map<string, Channel>;
}

/** Flag bits of a stored channel. */
const bits = { repeated: 1, closing: 2 } as const;
const firstBytes = 16_384;

/** Collects the records of the next batch. */
export class RecordWriter {
  private bytes = Buffer.allocUnsafe(firstBytes);
  /** Buffer of the previous batch, which has been written by then, because batches are written one after the other. */
  private other = Buffer.allocUnsafe(firstBytes);
  private at = 0;

  get isEmpty(): boolean {
    return this.at === 0;
  }

  /** @param owner 16 hexadecimal digits */
  owner(owner: string, secret: Uint8Array): void {
    this.begin('owner');
    this.hex(owner, 8);
    this.copy(secret);
  }

  /** Adds a channel with all of its fields. */
  channel(channel: ChannelFields & ChannelProgress): void {
    this.begin('channel');
    this.hex(channel.id, idBytes);
    this.copy(channel.callKey);
    this.copy(channel.digest);
    this.hex(channel.payer.slice(2), 32);
    this.hex(channel.seller.slice(2), 32);
    this.uint64(channel.unitAtomic);
    this.uint32(channel.length);
    this.uint32(channel.index);
    this.copy(channel.link);
    this.uint32(channel.lastUnits);
    this.copy(channel.lastFor);
    this.bytes[this.at++] =
      (channel.isLastRepeated ? bits.repeated : 0) | (channel.isClosing ? bits.closing : 0);
    this.uint32(channel.refunded);
    this.uint32(channel.settledIndex);
    this.uint32(channel.settledUnits);
    this.uint64(BigInt(channel.endMs));
  }

  link({ id, index, link, lastUnits, lastFor }: Channel): void {
    this.begin('link');
    this.hex(id, idBytes);
    this.uint32(index);
    this.copy(link);
    this.uint32(lastUnits);
    this.copy(lastFor);
  }

  /** Records the total refunded units of the channel. */
  refund({ id, refunded }: Channel): void {
    this.begin('refund');
    this.hex(id, idBytes);
    this.uint32(refunded);
  }

  settled({ id, settledIndex, settledUnits, endMs }: Channel): void {
    this.begin('settled');
    this.hex(id, idBytes);
    this.uint32(settledIndex);
    this.uint32(settledUnits);
    this.uint64(BigInt(endMs));
  }

  /** Records that the last link is served a second time. */
  repeated({ id, index }: Channel): void {
    this.begin('repeated');
    this.hex(id, idBytes);
    this.uint32(index);
  }

  closing({ id }: Channel): void {
    this.begin('closing');
    this.hex(id, idBytes);
  }

  closed({ id }: Channel): void {
    this.begin('closed');
    this.hex(id, idBytes);
  }

  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    const { bytes } = this;
    this.bytes = this.other;
    this.other = bytes;
    this.at = 0;
    return taken;
  }

  private begin(type: Type): void {
    const needed = this.at + 1 + lengths[type];
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, needed));
      this.bytes.copy(larger, 0, 0, this.at);
      this.bytes = larger;
    }
    this.bytes[this.at++] = types[type];
  }

  private hex(digits: string, length: number): void {
    this.bytes.write(digits, this.at, length, 'hex');
    this.at += length;
  }

  private copy(bytes: Uint8Array): void {
    this.bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  private uint32(value: number): void {
    this.at = this.bytes.writeUInt32BE(value, this.at);
  }

  private uint64(value: bigint): void {
    this.at = this.bytes.writeBigUInt64BE(value, this.at);
  }
}

/**
 * Applies the batches of a log in their order.
 * @throws RangeError for a log of another version
 */
export function readRecords(batches: Iterable<Buffer>): LogContents {
  const contents: LogContents = { owners: new Map(), channels: new Map() };
  for (const batch of batches) {
    let at = 0;
    while (at < batch.length) {
      const type = nameOf.get(batch[at]!);
      if (type === undefined) throw new RangeError('The log of channels has a record of unknown type.');
      const end = at + 1 + lengths[type];
      if (end > batch.length) throw new RangeError('The log of channels has an incomplete record.');
      applyRecord(contents, type, batch.subarray(at + 1, end));
      at = end;
    }
  }
  return contents;
}

function applyRecord({ owners, channels }: LogContents, type: Type, fields: Buffer): void {
  if (type === 'owner') {
    owners.set(fields.toString('hex', 0, 8), Buffer.from(fields.subarray(8)));
    return;
  }
  const id = fields.toString('hex', 0, idBytes);
  if (type === 'channel') return void channels.set(id, channelIn(id, fields));
  const channel = channels.get(id);
  // A settlement can end after the channel is closed.
  if (!channel) return;
  const number = fields.length > idBytes ? fields.readUInt32BE(idBytes) : 0;
  if (type === 'link') {
    // A snapshot can be ahead of the records after it.
    if (number <= channel.index) return;
    const link = Buffer.from(fields.subarray(20, 52));
    const lastFor = Buffer.from(fields.subarray(56, 64));
    const lastUnits = fields.readUInt32BE(52);
    Object.assign(channel, { index: number, link, lastUnits, lastFor, isLastRepeated: false });
  } else if (type === 'refund') channel.refunded = number;
  else if (type === 'repeated') channel.isLastRepeated = channel.isLastRepeated || channel.index === number;
  else if (type === 'settled') {
    channel.settledIndex = number;
    channel.settledUnits = fields.readUInt32BE(20);
    channel.endMs = Number(fields.readBigUInt64BE(24));
  } else if (type === 'closing') channel.isClosing = channel.isClosingStored = true;
  else channels.delete(id);
}

function channelIn(id: string, fields: Buffer): Channel {
  const account = (at: number): string => `0:${fields.toString('hex', at, at + 32)}`;
  return new Channel({
    id,
    callKey: Buffer.from(fields.subarray(16, 32)),
    digest: Buffer.from(fields.subarray(32, 64)),
    payer: account(64),
    seller: account(96),
    unitAtomic: fields.readBigUInt64BE(128),
    length: fields.readUInt32BE(136),
    index: fields.readUInt32BE(140),
    link: Buffer.from(fields.subarray(144, 176)),
    lastUnits: fields.readUInt32BE(176),
    lastFor: Buffer.from(fields.subarray(180, 188)),
    isLastRepeated: (fields[188]! & bits.repeated) !== 0,
    isClosing: (fields[188]! & bits.closing) !== 0,
    refunded: fields.readUInt32BE(189),
    settledIndex: fields.readUInt32BE(193),
    settledUnits: fields.readUInt32BE(197),
    endMs: Number(fields.readBigUInt64BE(201)),
  });
}
