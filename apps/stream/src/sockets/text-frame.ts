// The largest lengths with a header of 2 and of 4 bytes: RFC 6455, section 5.2.
const maxShort = 125;
const maxMedium = 0xffff;
const finalText = 0x81;

/**
 * Encodes a server's text message as one WebSocket frame: unmasked, uncompressed, unfragmented. It is written to many
 * sockets, so its bytes must not be changed.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length <= maxShort ? 2 : length <= maxMedium ? 4 : 10;
  // Not from Node's shared pool, because a slow socket would keep the whole pool in memory.
  const frame = Buffer.allocUnsafeSlow(header + length);
  frame[0] = finalText;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}
