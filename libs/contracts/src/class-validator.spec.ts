import {
  decode,
  fieldsOf,
  freeFormOf,
  type BusOperation,
  type Class,
  type FieldDeclaration,
} from '@tollbridge/rpc';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { allEvents, features, internalFeatures } from '.';

/**
 * `decode` reads the decorators of class-validator once per class. These tests compare its results with the original
 * package.
 */

const operations = [...features, ...internalFeatures].flatMap(
  (feature) => Object.values(feature.operations) as BusOperation[],
);
const declared = [
  ...operations.map(({ input }) => input),
  ...Object.values(allEvents).map(({ data }) => data as Class<unknown>),
];

/** Returns the classes and all classes nested in them. */
function withNested(classes: readonly Class<unknown>[]): Class<unknown>[] {
  const all = new Set<Class<unknown>>();
  const visit = (source: Class<unknown>): void => {
    if (all.has(source) || freeFormOf(source)) return;
    all.add(source);
    for (const { nested } of fieldsOf(source)) if (nested) visit(nested.class());
  };
  classes.forEach(visit);
  return [...all];
}

const classes = withNested(declared).map((source) => [source.name, source] as const);

const hostile: readonly unknown[] = [
  undefined,
  null,
  '',
  ' ',
  'a',
  'a\u0000b',
  'line\nbreak',
  'tab\tand\rreturn',
  '\ud800',
  '\u202eabc',
  '👩‍👩‍👧‍👦'.repeat(100),
  'a' + '\ufe0f'.repeat(5_000),
  'x'.repeat(257),
  '0',
  '1',
  '01',
  '-1',
  '1.5',
  '1e3',
  '12.50',
  '9'.repeat(79),
  '0x0000000000000000000000000000000000000001',
  '2026-01-31T12:00:00Z',
  '2026-02-30T12:00:00Z',
  '[]',
  '{}',
  'true',
  0,
  -0,
  1,
  -1,
  1.5,
  19.99,
  1e300,
  2 ** 53,
  Number.NaN,
  Infinity,
  true,
  false,
  [],
  [null],
  [undefined],
  ['a'],
  ['a', 1],
  [{}],
  [[]],
  [{ unknown: 1 }],
  Array.from({ length: 1_001 }, () => 'a'),
  {},
  { unknown: 1 },
  { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } },
  { length: 1 },
  // `__proto__` is excluded: class-validator does not treat it as a property, but `decode` rejects it.
];

/** Returns a valid value of the field. */
function sampleOf({ schema, nested }: FieldDeclaration, depth = 0): unknown {
  if (nested) {
    const one = depth > 3 ? {} : sampleOfClass(nested.class(), depth + 1);
    return nested.isList ? [one] : one;
  }
  const {
    examples,
    enum: values,
    type,
  } = schema as { examples?: unknown[]; enum?: unknown[]; type?: unknown };
  if (examples) return examples[0];
  if (values) return values[0];
  const samples: Record<string, unknown> = { integer: 1, number: 1, boolean: true, array: [], object: {} };
  return samples[String([type].flat()[0])] ?? '1';
}

const sampleOfClass = (source: Class<unknown>, depth = 0): Record<string, unknown> =>
  Object.fromEntries(fieldsOf(source).map((field) => [field.name, sampleOf(field, depth)]));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts the input to instances of the declared classes, as class-validator requires. */
function toInstance(source: Class<unknown>, input: unknown): unknown {
  if (!isObject(input)) return input;
  const instance = new source() as object;
  const nestedOf = new Map(fieldsOf(source).map((field) => [field.name, field]));
  for (const [name, given] of Object.entries(input)) {
    const { nested, fromJson, rewrite, emptyIsNull } = nestedOf.get(name) ?? {};
    const present = given === '' && emptyIsNull ? null : given;
    const rewritten = rewrite ? rewrite(present) : present;
    const parsed = fromJson && typeof rewritten === 'string' ? fromJson(rewritten) : rewritten;
    const one = (value: unknown) => (nested ? toInstance(nested.class(), value) : value);
    const value = nested?.isList && Array.isArray(parsed) ? parsed.map(one) : one(parsed);
    Object.defineProperty(instance, name, { value, enumerable: true, configurable: true });
  }
  return instance;
}

function wrongByDecode(source: Class<unknown>, input: object): string[] {
  const decoded = decode(source, input);
  const names = decoded.ok ? [] : decoded.errors.map(({ field }) => field.split(/[.[]/)[0]!);
  return [...new Set(names)].sort();
}

function wrongByPackage(source: Class<unknown>, input: object): string[] {
  const options = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false };
  const errors = validateSync(toInstance(source, input) as object, options);
  return [...new Set(errors.map(({ property }) => property))].sort();
}

const compare = (source: Class<unknown>, input: object): void => {
  const [decoded, expected] = [wrongByDecode(source, input), wrongByPackage(source, input)];
  if (decoded.join() !== expected.join())
    throw new Error(
      `decode: [${decoded.join()}], class-validator: [${expected.join()}] for ${JSON.stringify(input)}`,
    );
};

it('compares every declared class, and has a valid sample for most of them', () => {
  const valid = classes.filter(([, source]) => decode(source, sampleOfClass(source)).ok);
  expect(classes.length).toBeGreaterThan(150);
  expect(valid.length / classes.length).toBeGreaterThan(0.8);
});

describe.each(classes)('%s', (_name, source) => {
  const sample = sampleOfClass(source);
  const names = Object.keys(sample);

  it('has the result of class-validator for one invalid field', () => {
    compare(source, sample);
    compare(source, {});
    compare(source, { ...sample, unknown: 1 });
    for (const name of names) for (const value of hostile) compare(source, { ...sample, [name]: value });
  });

  it('has the result of class-validator for several invalid fields', () => {
    const fields = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.constantFrom(...hostile, sample[name])])),
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, (input) => compare(source, input)),
      { seed: 19, numRuns: 15 },
    );
  });
});
