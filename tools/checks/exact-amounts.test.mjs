import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { exactAmounts } from '../lint/exact-amounts.mjs';

const linter = new Linter();
const config = {
  files: ['**/*.ts'],
  languageOptions: {
    parser: tseslint.parser,
    parserOptions: {
      projectService: { allowDefaultProject: ['amounts.ts'] },
      tsconfigRootDir: import.meta.dirname,
    },
  },
  plugins: { money: { rules: { 'exact-amounts': exactAmounts } } },
  rules: { 'money/exact-amounts': 'error' },
};
const problemsIn = (code) =>
  linter
    .verify(code, config, { filename: `${import.meta.dirname}/amounts.ts` })
    .map(({ ruleId, message }) => ruleId ?? message);

const rejected = {
  'Number() of an amount': 'export const f = (amountAtomic: bigint) => Number(amountAtomic);',
  'parseFloat of a property': 'export const f = (row: { feeUsd: string }) => parseFloat(row.feeUsd);',
  'unary plus': 'export const f = (price: string) => +price;',
  'a product of a number': 'export const f = (price: number, count: number) => price * count;',
  'a sum of a number that may be undefined': 'export const f = (fee?: number) => fee! + 1;',
  'an assignment': 'export const f = (balance: number) => { balance += 1; return balance; };',
  'a concatenation of two decimal texts': 'export const f = (usd: string, feeUsd: string) => usd + feeUsd;',
};
const accepted = {
  'bigint arithmetic': 'export const f = (amount: bigint, fee: bigint) => amount + fee * 2n;',
  'other numbers': 'export const f = (count: number) => Number(String(count)) + 1;',
  'a text with a price in it': "export const f = (price: string) => 'price ' + price;",
};

for (const [name, code] of Object.entries(rejected))
  test(`exact-amounts rejects ${name}`, () => assert.deepEqual(problemsIn(code), ['money/exact-amounts']));
for (const [name, code] of Object.entries(accepted))
  test(`exact-amounts accepts ${name}`, () => assert.deepEqual(problemsIn(code), []));
