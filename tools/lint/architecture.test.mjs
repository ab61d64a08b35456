import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { repository } from '../local/directory.mjs';
import architecture from './architecture.mjs';

/** @type {Record<string, Record<string, string>>} code that a rule reports, by rule */
const rejected = {
  'exact-amounts': {
    'Number() of an amount': 'export const f = (amountAtomic: bigint) => Number(amountAtomic);',
    'unary plus': 'export const f = (price: string) => +price;',
    'a product of a number': 'export const f = (price: number, count: number) => price * count;',
    'a sum of a number that may be undefined': 'export const f = (fee?: number) => fee! + 1;',
    'an assignment': 'export const f = (balance: number) => { balance += 1; return balance; };',
    'a property of a computed type': 'export const f = (row: Pick<{ fee: number }, "fee">) => 2 * row.fee;',
    'a concatenation of two decimal texts': 'export const f = (usd: string, feeUsd: string) => usd + feeUsd;',
    'arithmetic after text that takes two code units':
      "export const f = (fee: number) => '𝟙💶'.length + fee;",
  },
  'specific-names': {
    'a class': 'export class OrderManager {}',
    'a function': 'export function orderUtils() {}',
  },
  'no-parse-float': { 'parseFloat()': 'export const f = (count: string) => parseFloat(count);' },
  'skip-locked-once': {
    'a subquery': 'export const sql = `DELETE FROM a WHERE id IN (SELECT id FROM b FOR UPDATE SKIP LOCKED)`;',
  },
  'lasting-subscriptions': { 'subscribe()': "export const f = (bus: any) => bus.nats.subscribe('orders');" },
  'few-dependencies': {
    'an eighth parameter':
      'export class A { constructor(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8) { void [a, b, c, d, e, f, g, h]; } }',
  },
  'sql-in-repositories': {
    'an import': "import { Pool } from 'pg'; export const pool = new Pool();",
    'an export': "export { Client } from 'pg';",
    'a dynamic import': "export const load = () => import('pg');",
  },
  'chains-by-port': {
    'a library of a chain': "export { getAddress } from 'ethers';",
    'a chain family': "export * from '@tollbridge/evm';",
  },
  'pure-rules': { 'a framework': "export { Injectable } from '@nestjs/common';" },
};

const accepted = {
  'bigint arithmetic': 'export const f = (amount: bigint, fee: bigint) => amount + fee * 2n;',
  'other numbers': 'export const f = (count: number) => Number(String(count)) + 1;',
  'a text with a price in it': "export const f = (price: string) => 'price ' + price;",
  'a subquery that is read once':
    'export const sql = `WHERE id = ANY(ARRAY(SELECT id FROM b FOR UPDATE SKIP LOCKED))`;',
  'seven parameters':
    'export class A { constructor(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7) { void [a, b, c, d, e, f, g]; } }',
  'another module': "export { v7 } from 'uuid';",
};

const folder = mkdtempSync(join(tmpdir(), 'tollbridge-architecture-'));
after(() => rmSync(folder, { recursive: true }));

const cases = [
  ...Object.entries(rejected).flatMap(([rule, codes]) =>
    Object.entries(codes).map(([title, code]) => ({ rule, title: `${rule} rejects ${title}`, code })),
  ),
  ...Object.entries(accepted).map(([title, code]) => ({ rule: undefined, title: `accepts ${title}`, code })),
].map((it, index) => ({ ...it, file: `${it.rule ?? 'accepted'}.${index}.ts` }));
/** @type {Map<string, Set<string>>} the rules that reported each file */
const reported = new Map();

// One run of the linter for all cases.
before(async () => {
  const overrides = Object.keys(rejected).map((rule) => ({
    files: [`${rule}.*.ts`, 'accepted.*.ts'],
    rules: { [`architecture/${rule}`]: 'error' },
  }));
  const jsPlugins = [join(repository, 'tools/lint/architecture.mjs')];
  const config = { jsPlugins, categories: { correctness: 'off' }, overrides };
  writeFileSync(join(folder, 'oxlint.json'), JSON.stringify(config));
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { strict: true, target: 'es2022' } }),
  );
  for (const { file, code } of cases) writeFileSync(join(folder, file), code);
  const args = ['-c', join(folder, 'oxlint.json'), '--format', 'json', folder];
  const run = promisify(execFile)(join(repository, 'node_modules/.bin/oxlint'), args, { cwd: folder });
  const { stdout } = await run.catch((error) => error);
  for (const { filename, code } of JSON.parse(stdout).diagnostics) {
    const name = filename.split('/').at(-1);
    reported.set(
      name,
      (reported.get(name) ?? new Set()).add(/^architecture\((.*)\)$/.exec(code)?.[1] ?? code),
    );
  }
});

describe('the rules of the architecture', () => {
  for (const { file, title, rule } of cases)
    it(title, () => assert.deepEqual([...(reported.get(file) ?? [])], rule ? [rule] : []));

  it('have a test each, except for the rule of the Nx plugin', () =>
    assert.deepEqual(Object.keys(architecture.rules).sort(), [...Object.keys(rejected), 'layers'].sort()));
});
