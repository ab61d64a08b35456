// A minimal WebSocket client, because a client must use less processor time than the measured server.
import { randomBytes } from 'node:crypto';

const opcodes = { text: 1, close: 8, ping: 9, pong: 10 };

/** Parses server frames in received data. They are unmasked, and here have at most 65,535 bytes. */
export class FrameReader {
  rest = null;

  /** @param {(opcode: number, payload: Buffer) => void} onFrame the payload is valid only during the call */
  constructor(onFrame) {
    this.onFrame = onFrame;
  }

  /** @param {Buffer} chunk the caller may overwrite it after the call */
  take(chunk) {
    const bytes = this.rest ? Buffer.concat([this.rest, chunk]) : chunk;
    let at = 0;
    while (bytes.length - at >= 2) {
      const short = bytes[at + 1];
      if (short === 127) throw new Error('a frame is larger than 65,535 bytes');
      const begin = at + (short === 126 ? 4 : 2);
      if (bytes.length < begin) break;
      const end = begin + (short === 126 ? bytes.readUInt16BE(at + 2) : short);
      if (bytes.length < end) break;
      this.onFrame(bytes[at] & 0x0f, bytes.subarray(begin, end));
      at = end;
    }
    this.rest = at < bytes.length ? Buffer.from(bytes.subarray(at)) : null;
  }
}

export const isText = (opcode) => opcode === opcodes.text;
export const isPing = (opcode) => opcode === opcodes.ping;
export const isClose = (opcode) => opcode === opcodes.close;

export const textFrame = (text) => maskedFrame(opcodes.text, Buffer.from(text));
export const pongFrame = (payload) => maskedFrame(opcodes.pong, payload);

/** Returns a client frame, with a length of one or two bytes. */
function maskedFrame(opcode, payload) {
  const mask = randomBytes(4);
  const isShort = payload.length < 126;
  const head = Buffer.alloc(isShort ? 2 : 4);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (isShort ? payload.length : 126);
  if (!isShort) head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, mask, payload.map((byte, at) => byte ^ mask[at % 4])]);
}
