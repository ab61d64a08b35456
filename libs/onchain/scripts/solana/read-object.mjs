/**
 * @typedef {{ name: string, type: number, flags: number, bytes: Buffer, link: number, info: number, align: number }} Section
 * @typedef {{ name: string, section: number, value: number }} ObjectSymbol `section` is 0 for a symbol of another file
 * @typedef {{ at: number, type: number, symbol: ObjectSymbol }} Relocation
 */

const symbolTable = 2;
const relocationSection = 9;
const relocationsWithAddends = 4;

/** Reads a relocatable 64-bit little-endian ELF file from clang. @param {Buffer} file */
export function readObject(file) {
  const sections = readSections(file);
  const table = sections.find(({ type }) => type === symbolTable);
  if (!table) throw new Error('The object file has no symbols.');
  const symbols = readSymbols(table, sections[table.link].bytes);
  return { sections, symbols, relocations: () => readRelocations(sections, symbols) };
}

/** @param {Buffer} file @returns {Section[]} */
function readSections(file) {
  const start = Number(file.readBigUInt64LE(40));
  const raw = Array.from({ length: file.readUInt16LE(60) }, (_, index) => {
    const header = file.subarray(start + index * 64, start + index * 64 + 64);
    const u64 = (/** @type {number} */ at) => Number(header.readBigUInt64LE(at));
    const [offset, size] = [u64(24), u64(32)];
    return {
      nameAt: header.readUInt32LE(0),
      type: header.readUInt32LE(4),
      flags: u64(8),
      bytes: file.subarray(offset, offset + size),
      link: header.readUInt32LE(40),
      info: header.readUInt32LE(44),
      align: u64(48),
    };
  });
  const names = raw[file.readUInt16LE(62)].bytes;
  return raw.map(({ nameAt, ...section }) => ({ ...section, name: textAt(names, nameAt) }));
}

/** @param {Section} table @param {Buffer} names @returns {ObjectSymbol[]} */
function readSymbols({ bytes }, names) {
  return Array.from({ length: bytes.length / 24 }, (_, index) => ({
    name: textAt(names, bytes.readUInt32LE(index * 24)),
    section: bytes.readUInt16LE(index * 24 + 6),
    value: Number(bytes.readBigUInt64LE(index * 24 + 8)),
  }));
}

/** Returns relocations by the section that they change. @param {Section[]} sections @param {ObjectSymbol[]} symbols */
function readRelocations(sections, symbols) {
  /** @type {Map<number, Relocation[]>} */
  const found = new Map();
  for (const { type, bytes, info, name } of sections) {
    if (type === relocationsWithAddends) throw new Error(`${name} has addends, which are not supported.`);
    if (type !== relocationSection) continue;
    const list = Array.from({ length: bytes.length / 16 }, (_, index) => ({
      at: Number(bytes.readBigUInt64LE(index * 16)),
      type: bytes.readUInt32LE(index * 16 + 8),
      symbol: symbols[bytes.readUInt32LE(index * 16 + 12)],
    }));
    found.set(info, list);
  }
  return found;
}

/** @param {Buffer} names @param {number} at */
const textAt = (names, at) => names.toString('latin1', at, names.indexOf(0, at));
