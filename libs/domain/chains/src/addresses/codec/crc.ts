// No library is used. The only library with both algorithms (crc) needs 10 ms and 6 MB to load (measured on Node 20).

/** CRC-16/XMODEM, the checksum of TON and Stellar addresses. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
    }
  }
  return crc;
}

/** CRC-32 (IEEE), the checksum of Cardano's Byron addresses. `zlib.crc32` does not exist before Node 20.15. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return ~crc >>> 0;
}
