import { inflateSync } from 'node:zlib';

const [woffHeader, woffEntry, sfntHeader, sfntEntry] = [44, 20, 12, 16];
// More than the size of any font in this repository.
const mostBytes = 4 * 1024 * 1024;

/**
 * Converts the font of a WOFF file (W3C, version 1.0, sections 4 and 5) to OpenType. The PDF library reads WOFF too,
 * but takes ten times as long.
 */
export function openTypeOf(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const header = Buffer.alloc(sfntHeader + count * sfntEntry);
  woff.copy(header, 0, 4, 8);
  header.writeUInt16BE(count, 4);
  const parts: Buffer[] = [header];
  let position = header.length;
  for (let index = 0; index < count; index++) {
    const from = woffHeader + index * woffEntry;
    const [offset, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at));
    const stored = woff.subarray(offset, offset! + packed!);
    const table = packed! < length! ? inflateSync(stored, { maxOutputLength: mostBytes }) : stored;
    const to = sfntHeader + index * sfntEntry;
    woff.copy(header, to, from, from + 4);
    woff.copy(header, to + 4, from + 16, from + 20);
    header.writeUInt32BE(position, to + 8);
    header.writeUInt32BE(length!, to + 12);
    // Tables begin at multiples of four bytes.
    parts.push(table, Buffer.alloc(-length! & 3));
    position += length! + (-length! & 3);
  }
  return Buffer.concat(parts);
}
