// Messages over TCP between a paywall and the payment ledger service. Each request has a number, and its reply has the
// same number. Number 0 is for the paywall's token and the service's welcome.
import { maxFrameBytes } from './frames';

export interface TcpMessage {
  number: number;
  bytes: Buffer;
}

export const tokenNumber = 0;
const headLength = 8;
// Each chunk has its own allocation, so many small chunks are joined.
const fewPieces = 64;
const smallPiece = 1_024;
/** Size of the largest frame. */
export const maxTcpMessageBytes: number = maxFrameBytes;

/** Encodes a message: length without header (uint32), number (uint32), bytes. */
export function tcpMessage(number: number, bytes: Uint8Array): Buffer {
  const message = Buffer.allocUnsafe(headLength + bytes.length);
  message.writeUInt32BE(bytes.length, 0);
  message.writeUInt32BE(number, 4);
  message.set(bytes, headLength);
  return message;
}

/** Reassembles messages from socket chunks. */
export class TcpMessages {
  private chunks: Buffer[] = [];
  private byteLength = 0;

  /** @param maxBytes can be raised after authentication */
  constructor(public maxBytes: number) {}

  /**
   * Yields the messages that this chunk completes. Messages that are not consumed now are yielded by the next call.
   * Bytes are views of the chunks.
   * @throws RangeError for a message above the limit; the rest of the stream cannot be parsed then
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
