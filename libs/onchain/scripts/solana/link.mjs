import { murmur3 } from './murmur3.mjs';
import { readObject } from './read-object.mjs';

// Version 3 of Solana's bytecode. The hash of its name identifies a system call (SIMD-0178). The ELF file has a fixed
// form (SIMD-0189): a segment of constants at address 0, and a segment of code at 2^32.
const codeAddress = 1n << 32n;
const addressOf = 1; // R_BPF_64_64: loads the address of a constant
const callOf = 10; // R_BPF_64_32: calls a function
const allocated = 2;
const writableOrCode = 1 | 4;
const [readable, executable] = [4, 1];

// The runtime loads a program with an unknown system call, and fails only when it is called. So the names are verified
// here.
const systemCalls = new Set([
  'sol_sha256',
  'sol_get_clock_sysvar',
  'sol_get_rent_sysvar',
  'sol_try_find_program_address',
  'sol_invoke_signed_c',
]);

/**
 * Links one object file of clang (`--target=bpfel -mcpu=v3`) to a program that the Solana runtime loads.
 * @param {Buffer} file
 * @throws Error for a writable global, an unknown system call, and relocations of other kinds
 */
export function link(file) {
  const { sections, symbols, relocations } = readObject(file);
  const code = sections.findIndex(({ name }) => name === '.text');
  const { bytes: constants, places } = placeConstants(sections, code);
  const text = Buffer.from(sections[code].bytes);
  const changes = relocations();
  for (const index of places.keys())
    if (changes.has(index))
      throw new Error(`${sections[index].name} contains an address, which is not supported.`);
  for (const change of changes.get(code) ?? []) relocate(text, change, { code, places });

  const entry = symbols.find(({ name, section }) => name === 'entrypoint' && section === code);
  if (!entry) throw new Error('The object file has no function entrypoint.');
  return writeProgram(BigInt(entry.value), constants, text);
}

/**
 * Places all constants in one block, and returns the offset of each section in it.
 * @param {import('./read-object.mjs').Section[]} sections
 * @param {number} code
 */
function placeConstants(sections, code) {
  /** @type {Map<number, number>} */
  const places = new Map();
  /** @type {Buffer[]} */
  const parts = [];
  let length = 0;
  sections.forEach(({ name, flags, bytes, align }, index) => {
    if (!(flags & allocated) || bytes.length === 0 || index === code) return;
    if (!name.startsWith('.rodata') || flags & writableOrCode)
      throw new Error(`Section ${name} is not constant: a program has no globals of its own.`);
    const padding = paddingTo(Math.max(8, align), length);
    places.set(index, length + padding);
    parts.push(Buffer.alloc(padding), bytes);
    length += padding + bytes.length;
  });
  parts.push(Buffer.alloc(paddingTo(8, length)));
  return { bytes: Buffer.concat(parts), places };
}

/** @param {number} unit @param {number} length */
const paddingTo = (unit, length) => (unit - (length % unit)) % unit;

/**
 * @param {Buffer} text
 * @param {import('./read-object.mjs').Relocation} relocation
 * @param {{ code: number, places: Map<number, number> }} layout
 */
function relocate(text, { at, type, symbol }, { code, places }) {
  const place = places.get(symbol.section);
  if (type === addressOf && place !== undefined) {
    text.writeInt32LE(place + symbol.value + text.readInt32LE(at + 4), at + 4);
    text.writeInt32LE(0, at + 12);
    setSource(text, at, 0);
  } else if (type === callOf && symbol.section === 0) {
    if (!systemCalls.has(symbol.name)) throw new Error(`${symbol.name} is not in the list of system calls.`);
    text.writeInt32LE(murmur3(Buffer.from(symbol.name)), at + 4);
    setSource(text, at, 0);
  } else if (type === callOf && symbol.section === code) {
    // A call of a static function refers to its section, and its value is already the distance.
    const distance = symbol.name ? (symbol.value - at) / 8 - 1 : text.readInt32LE(at + 4) - at / 8;
    text.writeInt32LE(distance, at + 4);
    setSource(text, at, 1);
  } else {
    throw new Error(`Relocation ${type} of ${symbol.name || 'a section'} is not supported.`);
  }
}

/**
 * Sets the source register of a call: 0 for a system call, 1 for a function of this program.
 * @param {Buffer} text
 * @param {number} at
 * @param {number} source
 */
function setSource(text, at, source) {
  text[at + 1] = (text[at + 1] & 0x0f) | (source << 4);
}

/** @param {bigint} entry @param {Buffer} constants @param {Buffer} text */
function writeProgram(entry, constants, text) {
  const segments = [
    ...(constants.length > 0 ? [{ flags: readable, address: 0n, bytes: constants }] : []),
    { flags: executable, address: codeAddress, bytes: text },
  ];
  const head = Buffer.alloc(64 + 56 * segments.length);
  head.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0]); // ELF, 64 bits, little endian
  head.writeUInt16LE(3, 16); // shared object
  head.writeUInt16LE(247, 18); // machine type BPF
  head.writeUInt32LE(1, 20);
  head.writeBigUInt64LE(codeAddress + entry, 24);
  head.writeBigUInt64LE(64n, 32);
  head.writeUInt32LE(3, 48); // version of the bytecode
  head.writeUInt16LE(64, 52);
  head.writeUInt16LE(56, 54);
  head.writeUInt16LE(segments.length, 56);
  let offset = head.length;
  segments.forEach(({ flags, address, bytes }, index) => {
    const start = 64 + 56 * index;
    const size = BigInt(bytes.length);
    head.writeUInt32LE(1, start); // loadable segment
    head.writeUInt32LE(flags, start + 4);
    [BigInt(offset), address, address, size, size, 8n].forEach((value, field) =>
      head.writeBigUInt64LE(value, start + 8 + 8 * field),
    );
    offset += bytes.length;
  });
  return Buffer.concat([head, ...segments.map(({ bytes }) => bytes)]);
}
