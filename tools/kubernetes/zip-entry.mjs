import { inflateRawSync } from 'node:zlib';

// PKWARE APPNOTE 4.3: sizes and offsets are in the central directory at the end.
const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const deflated = 8;

/** Returns the content of one file in a zip archive. @param {Buffer} archive @param {string} wanted */
export function zipEntry(archive, wanted) {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== endOfDirectory) throw new Error('This is not a zip archive.');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (archive.readUInt32LE(at) !== directoryEntry) throw new Error('The zip archive is damaged.');
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (name === wanted) return contentAt(archive, at);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`The zip archive has no ${wanted}.`);
}

/** @param {Buffer} archive @param {number} entry */
function contentAt(archive, entry) {
  const method = archive.readUInt16LE(entry + 10);
  const size = archive.readUInt32LE(entry + 20);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const content = archive.subarray(start, start + size);
  return method === deflated ? inflateRawSync(content) : content;
}
