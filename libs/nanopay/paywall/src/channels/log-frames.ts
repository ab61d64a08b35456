import { crc32 } from 'node:zlib';

// A batch in a file: marker (4), length (4), CRC-32 of the batch (4), the batch. Integers are big-endian.
const marker = 0x6e_70_63_31;
const headBytes = 12;

/** The log has a damaged batch before valid ones, so the accepted links are unknown. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

export function logFrame(batch: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + batch.length);
  frame.writeUInt32BE(marker, 0);
  frame.writeUInt32BE(batch.length, 4);
  frame.writeUInt32BE(crc32(batch), 8);
  frame.set(batch, headBytes);
  return frame;
}

/**
 * Returns the batches of a file. An incomplete last batch was never acknowledged and is dropped.
 * @throws DamagedLogError if valid batches follow a damaged one
 */
export function readLogFrames(bytes: Buffer): Buffer[] {
  const batches: Buffer[] = [];
  let at = 0;
  for (let batch = batchAt(bytes, at); batch; batch = batchAt(bytes, at)) {
    batches.push(batch);
    at += headBytes + batch.length;
  }
  for (let behind = at + 1; behind + headBytes <= bytes.length; behind++) {
    if (bytes[behind] === marker >>> 24 && batchAt(bytes, behind))
      throw new DamagedLogError(`The log of channels is damaged at byte ${at}.`);
  }
  return batches;
}

function batchAt(bytes: Buffer, at: number): Buffer | undefined {
  if (at + headBytes > bytes.length || bytes.readUInt32BE(at) !== marker) return undefined;
  const end = at + headBytes + bytes.readUInt32BE(at + 4);
  if (end > bytes.length) return undefined;
  const batch = bytes.subarray(at + headBytes, end);
  return crc32(batch) === bytes.readUInt32BE(at + 8) ? batch : undefined;
}
