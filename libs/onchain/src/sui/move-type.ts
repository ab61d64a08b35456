import { type BcsReader, type BcsWriter, suiAddress } from './bcs';

/** A Move type, for example `0x2::sui::SUI`. Addresses are canonical: `0x` and 64 digits. */
export type MoveType =
  | { readonly kind: Primitive }
  | { readonly kind: 'vector'; readonly element: MoveType }
  | {
      readonly kind: 'struct';
      readonly address: string;
      readonly module: string;
      readonly name: string;
      readonly parameters: readonly MoveType[];
    };

const primitives = ['bool', 'u8', 'u64', 'u128', 'address', 'u16', 'u32', 'u256'] as const;
type Primitive = (typeof primitives)[number];

/** Variants of Sui's `TypeTag`. Variant 5 is `signer`, which is never the type of a coin. */
const variants: Readonly<Record<Primitive | 'vector' | 'struct', number>> = {
  bool: 0,
  u8: 1,
  u64: 2,
  u128: 3,
  address: 4,
  vector: 6,
  struct: 7,
  u16: 8,
  u32: 9,
  u256: 10,
};
const pathPattern = /^(?:0x)?([0-9a-f]{1,64})::([a-z_]\w*)::([a-z_]\w*)/i;
// Above the 16 levels that Sui accepts.
const maxDepth = 32;

/**
 * Parses a type in the notation of nodes, wallets (`0x2::sui::SUI`), or Move's `type_name` (64 digits without `0x`).
 * @throws when the text is not a type
 */
export function parseMoveType(text: string): MoveType {
  const { type, rest } = parse(text, 0);
  if (rest !== '') throw new Error('Not a type of Move');
  return type;
}

/**
 * Returns the canonical text: addresses with `0x` and 64 digits, no blanks.
 * @throws when the text is not a type
 */
export const canonicalMoveType = (text: string): string => format(parseMoveType(text), '0x');

/**
 * Returns the text of `std::type_name`: addresses with 64 digits and without `0x`.
 * @throws when the text is not a type
 */
export const moveTypeName = (text: string): string => format(parseMoveType(text), '');

/** Writes a `TypeTag`. */
export function writeMoveType(type: MoveType, writer: BcsWriter): void {
  writer.length(variants[type.kind]);
  if (type.kind === 'vector') writeMoveType(type.element, writer);
  if (type.kind === 'struct')
    writer.address(type.address).text(type.module).text(type.name).vector(type.parameters, writeMoveType);
}

/**
 * Reads a `TypeTag` and returns its canonical text.
 * @throws when the bytes are not a `TypeTag`, or are nested too deeply
 */
export function readMoveType(reader: BcsReader, depth = 0): string {
  if (depth > maxDepth) throw new Error('Not a type of Move: it is nested too deeply');
  const variant = reader.length();
  if (variant === variants.vector) return `vector<${readMoveType(reader, depth + 1)}>`;
  if (variant === variants.struct) {
    const path = `${reader.address()}::${reader.text()}::${reader.text()}`;
    const parameters = reader.vector((it) => readMoveType(it, depth + 1)).join(',');
    return canonicalMoveType(parameters === '' ? path : `${path}<${parameters}>`);
  }
  const primitive = primitives.find((it) => variants[it] === variant);
  if (primitive === undefined) throw new Error('Not a type of Move');
  return primitive;
}

function parse(text: string, depth: number): { type: MoveType; rest: string } {
  if (depth > maxDepth) throw new Error('Not a type of Move: it is nested too deeply');
  const path = pathPattern.exec(text);
  if (path) {
    const [whole, account, module, name] = path as unknown as [string, string, string, string];
    const { types, rest } = parseParameters(text.slice(whole.length), depth);
    const address = suiAddress(`0x${account}`);
    return { type: { kind: 'struct', address, module, name, parameters: types }, rest };
  }
  const word = /^\w*/.exec(text)![0];
  const after = text.slice(word.length);
  const primitive = primitives.find((it) => it === word);
  if (primitive) return { type: { kind: primitive }, rest: after };
  const { types, rest } = parseParameters(after, depth);
  const [element] = types;
  if (word !== 'vector' || types.length !== 1) throw new Error('Not a type of Move');
  return { type: { kind: 'vector', element: element! }, rest };
}

function parseParameters(text: string, depth: number): { types: MoveType[]; rest: string } {
  const types: MoveType[] = [];
  if (!text.startsWith('<')) return { types, rest: text };
  let rest = text;
  do {
    const parameter = parse(rest.slice(1).trimStart(), depth + 1);
    types.push(parameter.type);
    rest = parameter.rest.trimStart();
  } while (rest.startsWith(','));
  if (!rest.startsWith('>')) throw new Error('Not a type of Move');
  return { types, rest: rest.slice(1) };
}

function format(type: MoveType, prefix: string): string {
  if (type.kind === 'vector') return `vector<${format(type.element, prefix)}>`;
  if (type.kind !== 'struct') return type.kind;
  const parameters = type.parameters.map((it) => format(it, prefix)).join(',');
  const path = `${prefix}${type.address.slice(2)}::${type.module}::${type.name}`;
  return parameters === '' ? path : `${path}<${parameters}>`;
}
