import { Client } from 'pg';
import { freshDatabase, type FreshDatabase } from '@tollbridge/testing';
import { BigintArray } from './bigint-array';

let database: FreshDatabase;
let client: Client;

beforeAll(async () => {
  database = await freshDatabase('tee');
  client = new Client({ connectionString: database.runtimeUrl });
  await client.connect();
});
afterAll(async () => {
  await client?.end();
  await database?.drop();
});

/** Returns the numbers as text, as PostgreSQL reads them. */
async function readBack({ bytes }: BigintArray): Promise<string[]> {
  const { rows } = await client.query<{ numbers: string[] }>('SELECT $1::bigint[]::text[] AS numbers', [
    bytes,
  ]);
  return rows[0]!.numbers;
}

it.each<[string, bigint[]]>([
  ['no numbers', []],
  ['one number', [7n]],
  ['numbers around zero', [0n, -1n, 1n]],
  ['numbers around 32 bits', [2n ** 32n - 1n, 2n ** 32n, -(2n ** 32n), -(2n ** 32n) - 1n]],
  ['the maximum and minimum', [2n ** 63n - 1n, -(2n ** 63n)]],
])('BigintArray encodes %s in the format of PostgreSQL', async (_, values) => {
  const numbers = new BigintArray(values.length);
  for (const value of values) numbers.add(value);
  expect(await readBack(numbers)).toEqual(values.map(String));
});

it('BigintArray encodes safe integers of JavaScript, including negative ones', async () => {
  const powers = Array.from({ length: 53 }, (_, exponent) => 2 ** exponent);
  const values = [0, Date.now(), Number.MAX_SAFE_INTEGER, ...powers, ...powers.map((power) => power - 1)];
  const signed = [...values, ...values.filter((value) => value > 0).map((value) => -value)];
  const numbers = new BigintArray(signed.length);
  for (const value of signed) numbers.addNumber(value);
  expect(await readBack(numbers)).toEqual(signed.map(String));
});

it('BigintArray preserves the order of numbers and bigints', async () => {
  const numbers = new BigintArray(3);
  numbers.add(-5n);
  numbers.addNumber(6);
  numbers.add(7n);
  expect(await readBack(numbers)).toEqual(['-5', '6', '7']);
});

it('BigintArray throws above the declared length, and PostgreSQL rejects a shorter array', async () => {
  const fewer = new BigintArray(2);
  fewer.add(1n);
  await expect(readBack(fewer)).rejects.toThrow();
  const more = new BigintArray(1);
  more.add(1n);
  expect(() => more.add(2n)).toThrow('out of range');
  expect(() => new BigintArray(0).add(1n)).toThrow('out of range');
});

it('BigintArray rejects a number of more than 64 bits', () => {
  expect(() => new BigintArray(1).add(2n ** 63n)).toThrow('out of range');
  expect(() => new BigintArray(1).add(-(2n ** 63n) - 1n)).toThrow('out of range');
});
