import { fieldsOf, invalidCursor, itemOf, type Operation } from '@tollbridge/rpc';
import { validateSync, ValidationError } from 'class-validator';
import { features } from './index';

const operations = features.flatMap(({ operations }) => Object.values(operations) as Operation[]);
const fieldOf = (of: Operation['input'], name: string) => fieldsOf(of).find((field) => field.name === name);
const paged = operations.filter(({ input }) => fieldOf(input, 'cursor'));
const limitOf = (input: Operation['input']) => fieldOf(input, 'limit') ?? fieldOf(input, 'size');
const limited = operations.filter(({ input }) => limitOf(input));
const named = (all: Operation[]) => all.map((operation) => [operation.subject, operation] as const);

it('the list of operations contains lists', () => {
  expect(paged.length).toBeGreaterThan(7);
  expect(paged.every((operation) => limited.includes(operation))).toBe(true);
});

describe.each(named(limited))('the limit of %s', (_subject, { input, output }) => {
  const { schema, isOptional } = limitOf(input)!;

  it('falls to the maximum from above, and fails validation below 1', () => {
    expect([schema['type'], schema['minimum'], schema['maximum'], isOptional]).toEqual([
      'integer',
      1,
      undefined,
      true,
    ]);
  });

  it('appears in the reply when the reply is an object', () => {
    if (itemOf(output) === undefined) expect(fieldOf(output, 'limit')?.schema['type']).toBe('integer');
  });
});

describe.each(named(paged))('the cursor of %s', (_subject, { method, input, output }) => {
  it('appears as next_cursor when the reply is an object', () => {
    expect(method).toBe('GET');
    if (itemOf(output) !== undefined) return;
    expect(fieldOf(output, 'next_cursor')).toMatchObject({
      isNullable: true,
      schema: { type: ['string', 'null'] },
    });
  });

  it('explains how to correct a malformed value', () => {
    if (fieldOf(input, 'cursor')!.schema['pattern'] === undefined) return;
    const given = Object.assign(new input() as object, { cursor: 'no cursor' });
    const errors = validateSync(given).filter(({ property }: ValidationError) => property === 'cursor');
    expect(Object.values(errors[0]!.constraints!)).toEqual([invalidCursor]);
  });
});
