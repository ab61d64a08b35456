import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import {
  decode,
  fieldsOf,
  freeFormOf,
  type BusOperation,
  type Class,
  type FieldDeclaration,
} from '@tollbridge/rpc';
import { features, internalFeatures } from '.';

/**
 * Verifies that validation and OpenAPI have the same bounds. For values at each declared bound, beyond it and far from
 * it, `decode` and the schema of the field must agree.
 */

const operations = [...features, ...internalFeatures].flatMap(
  (feature) => Object.values(feature.operations) as BusOperation[],
);

interface Field extends FieldDeclaration {
  holder: Class<unknown>;
  title: string;
}

/** Returns every field of every input, including nested objects. */
function inputFields(): Field[] {
  const seen = new Set<Class<unknown>>();
  const visit = (holder: Class<unknown>): Field[] => {
    if (seen.has(holder) || freeFormOf(holder)) return [];
    seen.add(holder);
    return fieldsOf(holder).flatMap((field) => [
      { ...field, holder, title: `${holder.name}.${field.name}` },
      ...(field.nested ? visit(field.nested.class()) : []),
    ]);
  };
  return operations.flatMap(({ input }) => visit(input));
}

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addKeyword({
  keyword: 'x-maximum',
  validate: (most: string | number, value: unknown) =>
    typeof most === 'number'
      ? typeof value !== 'number' || value <= most
      : typeof value !== 'string' || !/^[0-9]+$/.test(value) || BigInt(value) <= BigInt(most),
});
ajv.addKeyword({
  keyword: 'x-minimum',
  validate: (least: number, value: unknown) => typeof value !== 'number' || value >= least,
});
ajv.addKeyword({
  keyword: 'x-pattern',
  validate: (pattern: string, value: unknown) => typeof value !== 'string' || new RegExp(pattern).test(value),
});

const range = (length: number): number[] => Array.from({ length }, (_, at) => at);
const around = (value: number): number[] => [value - 1, value, value + 1];
const isLength = (length: unknown): length is number => typeof length === 'number' && length > 0;

function textCandidates({ schema }: Field): string[] {
  const {
    minLength,
    maxLength,
    examples,
    enum: values,
  } = schema as {
    minLength?: number;
    maxLength?: number;
    examples?: unknown[];
    enum?: string[];
  };
  const declared = [minLength, maxLength].filter(isLength).flatMap(around).filter(isLength);
  // Much longer texts reveal undeclared bounds.
  const lengths = [1, 30, 300, 3_000, 30_000, 200_000];
  const repeated = (letters: readonly string[], of: readonly number[]): string[] =>
    of.flatMap((length) => letters.map((letter) => letter.repeat(length)));
  const numbers = [31, 39, 77, 78, 79].flatMap((digits) => [
    '9'.repeat(digits),
    `1${'0'.repeat(digits - 1)}`,
  ]);
  const most = [2n ** 63n, 2n ** 128n, 2n ** 256n].flatMap((end) => [end - 2n, end - 1n, end].map(String));
  const samples = [...(examples ?? []), ...(values ?? [])].filter((it) => typeof it === 'string');
  return [
    ...samples,
    ...samples.flatMap((sample) => [`${sample}x`, `x${sample}`, sample.toUpperCase(), sample.slice(1)]),
    ...repeated(['a', '1', 'F', '😀'], declared),
    ...repeated(['a', '1'], lengths),
    ...numbers,
    ...most,
    ...['0', '1', '01', '-1', '1.5', '0.000001', '1.0000001', '1e3', '0x1f', 'a@b.test', 'https://a.test/'],
    ...['2026-01-31T12:00:00Z', '2026-01-31T12:00:00+01:00', '2026-01-31', '2026-01-31T12:00:00.1234567890Z'],
  ].filter((text) => text !== '');
}

function numberCandidates({ schema }: Field): number[] {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  const declared = [minimum, maximum].filter((it) => it !== undefined).flatMap(around);
  const powers = range(54).flatMap((at) => around(2 ** at));
  // 2^53 and 2^53 + 1 are the same number.
  return [...declared, ...powers, ...powers.map((it) => -it), 0, 0.5, 1.25, 1e18, 1e300];
}

function listCandidates({ schema, nested }: Field): unknown[][] {
  const {
    minItems = 0,
    maxItems,
    items,
    examples,
  } = schema as {
    minItems?: number;
    maxItems: number;
    items?: { enum?: string[] };
    examples?: unknown[][];
  };
  const values = items?.enum;
  const itemAt = (at: number): unknown =>
    nested ? sampleOf(nested.class()) : values ? values[at % values.length] : (examples?.[0]?.[0] ?? 'a');
  const lengths = [minItems, maxItems]
    .flatMap(around)
    .concat(5_000)
    .filter((length) => length >= 0);
  return [
    ...lengths.map((length) => range(length).map(itemAt)),
    ...(values ? [['other'], [values[0], values[0]]] : []),
  ];
}

/** Returns a valid object, with the example of each field. */
function sampleOf(holder: Class<unknown>): Record<string, unknown> {
  const isNeeded = ({ isOptional }: FieldDeclaration) => !isOptional;
  const valueOf = ({ schema, nested }: FieldDeclaration): unknown => {
    if (nested) return nested.isList ? [sampleOf(nested.class())] : sampleOf(nested.class());
    const { examples, enum: values } = schema as { examples?: unknown[]; enum?: unknown[] };
    return examples?.[0] ?? values?.[0];
  };
  return Object.fromEntries(
    fieldsOf(holder)
      .filter(isNeeded)
      .map((field) => [field.name, valueOf(field)]),
  );
}

function candidatesOf(field: Field): unknown[] {
  const { schema, nested } = field;
  const type = [schema['type']].flat()[0];
  if (type === 'array') return listCandidates(field);
  if (nested) return [];
  if (type === 'string') return textCandidates(field);
  if (type === 'integer' || type === 'number') return numberCandidates(field);
  return schema['oneOf'] ? [...textCandidates(field), ...numberCandidates(field)] : [];
}

/** Returns the messages of `decode` about one field of an otherwise valid input. */
function messagesOf({ holder, name }: Field, value: unknown): string[] {
  const decoded = decode(holder, { ...sampleOf(holder), [name]: value });
  if (decoded.ok) return [];
  return decoded.errors.filter(({ field }) => field === name).map(({ message }) => message);
}

/** Rules without a keyword in JSON Schema, which the description of the field states instead. */
const isDescribed = ({ schema }: Field, value: unknown): boolean => {
  const [, digits, decimals] =
    /at most (\d+) digits(?: and (\d+) decimals)?/.exec(String(schema['description'])) ?? [];
  if (digits === undefined || typeof value !== 'number') return false;
  const [whole = '', fraction = ''] = String(value).split('.');
  return (
    (whole + fraction).replace(/^0+|0+$/g, '').length > Number(digits) ||
    fraction.length > Number(decimals ?? Infinity) ||
    String(value).includes('e')
  );
};

const shown = (value: unknown): string => {
  const text = JSON.stringify(value);
  const size = Array.isArray(value) ? `${value.length} items` : `${String(value).length} characters`;
  return text.length > 60 ? `${text.slice(0, 40)}… (${size})` : text;
};

function disagreement(field: Field, validate: ValidateFunction, given: unknown): string[] {
  const value = field.rewrite ? field.rewrite(given) : given;
  const problems = messagesOf(field, given);
  const isValid = validate(value);
  if (isValid === (problems.length === 0) || (isValid && isDescribed(field, given))) return [];
  return [
    `${shown(given)}: the document ${isValid ? 'accepts' : 'rejects'} it, validation says ${problems[0]}`,
  ];
}

const fields = inputFields();

describe('the bounds of', () => {
  it.each(fields.map((field) => [field.title, field] as const))(
    '%s are the same in OpenAPI and in validation',
    (_title, field) => {
      const validate = ajv.compile(field.schema);
      const differing = candidatesOf(field).flatMap((value) => disagreement(field, validate, value));
      expect(differing).toEqual([]);
    },
  );
});

const bytesForm = /at most ([\d,]+) bytes as JSON and (\d+) levels/;
const maps = fields.filter(({ schema, nested }) => schema['type'] === 'object' && !nested);

describe('the bounds of the object', () => {
  it.each(maps.map((field) => [field.title, field] as const))('%s match its description', (_title, field) => {
    const { schema } = field;
    const [, bytes, levels] = bytesForm.exec(String(schema['description'])) ?? [];
    if (bytes !== undefined) {
      const most = Number(bytes.replaceAll(',', ''));
      const empty = JSON.stringify({ a: '' }).length;
      const nestedIn = (depth: number): unknown => (depth === 0 ? 1 : { a: nestedIn(depth - 1) });
      expect(messagesOf(field, { a: 'x'.repeat(most - empty) })).toEqual([]);
      expect(messagesOf(field, { a: 'x'.repeat(most - empty + 1) })).toHaveLength(1);
      expect(messagesOf(field, { a: '€'.repeat(Math.floor((most - empty) / 3) + 1) })).toHaveLength(1);
      expect(messagesOf(field, nestedIn(Number(levels)))).toEqual([]);
      expect(messagesOf(field, nestedIn(Number(levels) + 1))).toHaveLength(1);
      return;
    }
    const { maxProperties, additionalProperties } = schema as {
      maxProperties: number;
      additionalProperties: { maxLength: number };
    };
    const { maxLength } = additionalProperties;
    const validate = ajv.compile(schema);
    const mapOfSize = (size: number) => Object.fromEntries(range(size).map((at) => [`a${at}`, 'b']));
    const sizes = [0, 1, ...around(maxProperties), 1_000].map(mapOfSize);
    const lengths = around(maxLength).flatMap((length) =>
      ['x', '😀'].flatMap((letter) => [{ a: letter.repeat(length) }, { [letter.repeat(length)]: 'b' }]),
    );
    expect([...sizes, ...lengths].flatMap((value) => disagreement(field, validate, value))).toEqual([]);
  });
});
