import { readFileSync } from 'node:fs';
import { findChain } from '@tollbridge/chains';
import { type BalanceSource, sourceKindsOf } from './source-kinds';

const fields = ['chain', 'kind', 'urls', 'headers'];
// Characters that HTTP allows in a header's name and in a single-line value.
const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const headerValue = /^[\x20-\x7e]*$/;

/**
 * Loads `BALANCES_FILE`: `{"sources": [{"chain", "kind"?, "urls", "headers"?}]}`. Without a file, no chain is read.
 * @throws Error that lists every invalid field, but never a URL or a header's value, because they may contain keys
 */
export function loadBalanceSources(path: string | undefined): BalanceSource[] {
  if (path === undefined || path === '') return [];
  const sources = (readJson(path) as { sources?: unknown } | null)?.sources;
  if (!Array.isArray(sources)) throw new Error(`${path} has no array "sources"`);
  const seen = new Set<string>();
  const problems = sources.flatMap((source: unknown, index) =>
    errorsOf(source, seen).map((problem) => `sources[${index}] ${problem}`),
  );
  if (problems.length > 0) throw new Error(`${path} is not usable: ${problems.join('; ')}`);
  return sources as BalanceSource[];
}

function readJson(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text around the error, which may contain a key.
    throw new Error(`${path} is not JSON`);
  }
}

function errorsOf(source: unknown, seen: Set<string>): string[] {
  if (typeof source !== 'object' || source === null || Array.isArray(source)) return ['must be an object'];
  const { chain: name, kind, urls, headers = {} } = source as Record<string, unknown>;
  const problems = Object.keys(source)
    .filter((field) => !fields.includes(field))
    .map((field) => `has an unknown field ${JSON.stringify(field)}`);
  const chain = typeof name === 'string' ? findChain(name) : undefined;
  if (!chain) {
    problems.push('chain must be a chain of the registry');
  } else {
    if (seen.has(chain.id)) problems.push(`chain ${chain.id} has a source already: give it more URLs`);
    seen.add(chain.id);
    const kinds: readonly unknown[] = sourceKindsOf(chain);
    if (kind !== undefined && !kinds.includes(kind)) problems.push(`kind must be ${kinds.join(' or ')}`);
  }
  const isEvm = chain?.family === 'evm';
  return [...problems, ...urlErrorsOf(urls, isEvm), ...headerErrorsOf(headers, isEvm)];
}

function urlErrorsOf(urls: unknown, isEvm: boolean): string[] {
  if (!Array.isArray(urls) || urls.length === 0) return ['urls must be a list of at least one URL'];
  return urls.flatMap((text: unknown, index) => {
    const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
    if (!url || !/^https?:$/.test(url.protocol)) return [`urls[${index}] must be an http or https URL`];
    if (url.hash !== '') return [`urls[${index}] must have no part after #`];
    // Only the pool of EVM nodes sends user info of a URL as a header.
    const hasUser = url.username !== '' || url.password !== '';
    return hasUser && !isEvm ? [`urls[${index}] must have no user and password: set them in headers`] : [];
  });
}

function headerErrorsOf(headers: unknown, isEvm: boolean): string[] {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    return ['headers must be an object'];
  const entries = Object.entries(headers);
  if (isEvm && entries.length > 0) return ['headers are not sent to EVM nodes: give the key in the URL'];
  return entries
    .filter(
      ([name, value]) => !headerName.test(name) || typeof value !== 'string' || !headerValue.test(value),
    )
    .map(([name]) => `headers: ${JSON.stringify(name)} is not a header with a value of one line`);
}
