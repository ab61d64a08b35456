import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chains } from '@tollbridge/chains';
import { Balances } from '../balances';
import { loadBalanceSources } from './load-balance-sources';
import { sourceKindsOf } from './source-kinds';

const folder = mkdtempSync(join(tmpdir(), 'tollbridge-balances-'));
const path = join(folder, 'balances.json');
afterAll(() => rmSync(folder, { recursive: true }));

const key = 'key-0123456789abcdef';
const good = { chain: 'btc', urls: ['https://blockstream.info/api'] };

function load(content: unknown) {
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return loadBalanceSources(path);
}

it.each([[undefined], ['']])('returns no sources without a file (%p)', (none) => {
  expect(loadBalanceSources(none)).toEqual([]);
});

it('returns the sources of a file', () => {
  const ton = {
    chain: 'ton',
    kind: 'toncenter',
    urls: ['https://toncenter.com'],
    headers: { 'X-API-Key': key },
  };
  expect(load({ sources: [good, ton] })).toEqual([good, ton]);
});

it.each<[string, object, string]>([
  ['a chain that is not in the registry', { chain: 'moon' }, 'chain must be a chain of the registry'],
  ['no chain', { chain: undefined }, 'chain must be a chain of the registry'],
  ['a protocol of another chain', { kind: 'solana' }, 'kind must be esplora or blockbook'],
  ['no URL', { urls: [] }, 'urls must be a list of at least one URL'],
  ['one URL without a list', { urls: 'https://a.example' }, 'urls must be a list of at least one URL'],
  ['a string that is not a URL', { urls: [key] }, 'urls[0] must be an http or https URL'],
  ['another protocol', { urls: ['ftp://a.example'] }, 'urls[0] must be an http or https URL'],
  ['a part after #', { urls: [`https://a.example/#${key}`] }, 'urls[0] must have no part after #'],
  ['a password in the URL', { urls: [`https://u:${key}@a.example`] }, 'must have no user and password'],
  ['headers that are not an object', { headers: [key] }, 'headers must be an object'],
  ['a header of two lines', { headers: { 'x-key': `${key}\nx: y` } }, 'headers: "x-key" is not a header'],
  ['a header with a wrong name', { headers: { 'x key': key } }, 'headers: "x key" is not a header'],
  ['a header that is a number', { headers: { 'x-key': 1 } }, 'headers: "x-key" is not a header'],
  ['a misspelt field', { url: `https://a.example/${key}` }, 'has an unknown field "url"'],
])('rejects %s', (_name, changes, problem) => {
  const attempt = () => load({ sources: [{ ...good, ...changes }] });
  expect(attempt).toThrow(`sources[0] ${problem.startsWith('must') ? '' : problem}`);
  expect(attempt).toThrow(problem);
  expect(attempt).not.toThrow(key);
});

it('rejects headers for EVM nodes, which are not sent, and accepts passwords in their URLs', () => {
  const base = { chain: 'base', urls: ['https://user:word@a.example'] };
  expect(load({ sources: [base] })).toEqual([base]);
  expect(() => load({ sources: [{ ...base, headers: { a: key } }] })).toThrow('give the key in the URL');
});

it('lists all errors together', () => {
  const wrong = { chain: 'moon', urls: [], headers: 1 };
  expect(() => load({ sources: [good, wrong, { ...good, chain: 'bitcoin' }, 5] })).toThrow(
    /sources\[1\] chain .*; sources\[1\] urls .*; sources\[1\] headers .*; sources\[2\] chain btc has .*; sources\[3\] must be an object/,
  );
});

it.each([[{}], [[]], ['null'], [{ sources: {} }]])('rejects a file without a list: %j', (content) => {
  expect(() => load(content)).toThrow('has no array "sources"');
});

it('does not quote invalid JSON in its error', () => {
  expect(() => load(`{"sources": [{"headers": {"k": "${key}"} oops`)).toThrow(/is not JSON$/);
});

it('supports a protocol and transfer fees for each of the 29 chains', () => {
  expect(chains).toHaveLength(29);
  for (const chain of chains) {
    expect(sourceKindsOf(chain).length).toBeGreaterThan(0);
    if (chain.family !== 'evm') expect(BigInt(chain.coinFeeAtomic ?? 0)).toBeGreaterThan(0n);
  }
  const sources = chains.map(({ id }) => ({ chain: id, urls: ['https://a.example'] }));
  const balances = new Balances(sources);
  expect(chains.every((chain) => balances.isServed(chain))).toBe(true);
});

it('loads the documented example, which covers every chain', () => {
  const guide = readFileSync(join(__dirname, '../../../../../docs/configuration.md'), 'utf8');
  const [, example = ''] = /`BALANCES_FILE`[\s\S]*?```json\n([\s\S]*?)```/.exec(guide) ?? [];
  const balances = new Balances(load(example));
  const unserved = chains.filter((chain) => !balances.isServed(chain)).map(({ id }) => id);
  expect(unserved).toEqual([]);
});
