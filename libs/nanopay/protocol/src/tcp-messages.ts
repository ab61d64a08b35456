// What a guard and the enclave say to each other over a connection of their own: messages with a number, in either
// direction; the answer has the number of what it answers. Number 0 is the guard's token, and the enclave's "welcome".
import { maxFrameBytes } from './frames';

export interface TcpMessage {
  number: number;
  bytes: Buffer;
}

export const tokenNumber = 0;
const headLength = 8;
// Each piece takes memory of its own, however small it is: more and smaller ones are joined.
const fewPieces = 64;
const smallPiece = 1_024;
/** As large as the largest frame. */
export const maxTcpMessageBytes = maxFrameBytes;

/** Its length without this head (uint32), its number (uint32), its bytes. */
export function tcpMessage(number: number, bytes: Uint8Array): Buffer {
  const message = Buffer.allocUnsafe(headLength + bytes.length);
  message.writeUInt32BE(bytes.length, 0);
  message.writeUInt32BE(number, 4);
  message.set(bytes, headLength);
  return message;
}

/** Puts messages together from what a socket reads. */
export class TcpMessages {
  private chunks: Buffer[] = [];
  private byteLength = 0;

  /** @param maxBytes may be raised later, for who has shown who he is */
  constructor(public maxBytes: number) {}

  /**
   * The messages that are complete with this chunk; those that are not taken now come with the next. Their bytes are parts
   * of what was read, and not copied.
   * @throws RangeError for one that is longer than allowed; then nothing more can be read
   */
  *read(chunk: Buffer): Generator<TcpMessage> {
    if (chunk.length > 0) this.chunks.push(chunk);
    this.byteLength += chunk.length;
    if (this.chunks.length > Math.max(fewPieces, this.byteLength / smallPiece)) this.joined();
    for (;;) {
      if (this.byteLength < headLength) return;
      const { length, number } = this.head();
      if (length > this.maxBytes) throw new RangeError('A message is too long.');
      if (this.byteLength < headLength + length) return;
      const all = this.joined();
      this.keep(all.subarray(headLength + length));
      yield { number, bytes: all.subarray(headLength, headLength + length) };
    }
  }

  private head(): { length: number; number: number } {
    const first = this.chunks[0]!.length < headLength ? this.joined() : this.chunks[0]!;
    return { length: first.readUInt32BE(0), number: first.readUInt32BE(4) };
  }

  private joined(): Buffer {
    const all = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks, this.byteLength);
    this.chunks = [all];
    return all;
  }

  private keep(rest: Buffer): void {
    this.chunks = rest.length === 0 ? [] : [rest];
    this.byteLength = rest.length;
  }
}
