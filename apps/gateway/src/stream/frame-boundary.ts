const closeOpcode = 8;

/** Tracks the frame boundaries of a WebSocket without reading the payloads. */
export class FrameBoundary {
  private readonly header: number[] = [];
  private payloadLeft = 0;
  private closeBegan = false;

  /** Whether a new frame may begin here. */
  get isHere(): boolean {
    return this.header.length === 0 && this.payloadLeft === 0;
  }

  /** Whether the last frame was a close frame. */
  get hasClosed(): boolean {
    return this.closeBegan && this.isHere;
  }

  /** @returns the number of consumed bytes: all, or those up to the next boundary */
  take(chunk: Uint8Array, isToBoundary = false): number {
    let at = 0;
    while (at < chunk.length && !(isToBoundary && this.isHere)) {
      if (this.payloadLeft > 0) {
        const taken = Math.min(this.payloadLeft, chunk.length - at);
        this.payloadLeft -= taken;
        at += taken;
      } else {
        this.header.push(chunk[at++]!);
        this.readHeader();
      }
    }
    return at;
  }

  private readHeader(): void {
    const [first, second] = this.header;
    if (first === undefined || second === undefined) return;
    const short = second & 0x7f;
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0;
    const maskBytes = second & 0x80 ? 4 : 0;
    if (this.header.length < 2 + lengthBytes + maskBytes) return;
    const long = this.header.slice(2, 2 + lengthBytes).reduce((length, byte) => length * 256 + byte, 0);
    this.payloadLeft = lengthBytes > 0 ? long : short;
    this.closeBegan = (first & 0x0f) === closeOpcode;
    this.header.length = 0;
  }
}

/** A close frame as servers send it, without a mask. */
export function closeFrame(code: number, reason: string): Buffer {
  const text = Buffer.from(reason);
  const frame = Buffer.alloc(4 + text.length);
  frame[0] = 0x80 | closeOpcode;
  frame[1] = 2 + text.length;
  frame.writeUInt16BE(code, 2);
  text.copy(frame, 4);
  return frame;
}
