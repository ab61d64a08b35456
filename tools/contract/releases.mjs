// The contracts of earlier releases, and the breaking changes that are declared since the last release.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { repository } from '../local/directory.mjs';
import { compareAsyncApi } from './compare-asyncapi.mjs';
import { compareOpenApi } from './compare-openapi.mjs';

/**
 * @typedef {{ document: string, rule: string, at: string, reason: string }} DeclaredBreak
 * @typedef {import('./compare-schemas.mjs').Finding} Finding
 */

export const documents = /** @type {const} */ (['openapi', 'asyncapi']);
const folder = join(repository, 'deploy/releases');

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The release that this one must be compatible with. @returns {{ version: string, commit: string }} */
export const previousRelease = () => readJson(join(folder, 'previous.json'));

/** @returns {{ since: string, changes: DeclaredBreak[] }} */
export const declaredBreaks = () => readJson(join(folder, 'breaking-changes.json'));

/** @param {string} version @param {string} document */
export const releasedContract = (version, document) =>
  JSON.parse(gunzipSync(readFileSync(join(folder, version, `${document}.json.gz`))).toString());

/** @param {string} document */
export const presentContract = (document) => readJson(join(repository, 'docs', `${document}.json`));

/** @param {string} document @param {any} before @param {any} after @returns {Finding[]} */
export const compareContracts = (document, before, after) =>
  document === 'openapi' ? compareOpenApi(before, after) : compareAsyncApi(before, after);

/**
 * The breaking changes that are not declared, and the declarations without a change.
 * @param {Record<string, Finding[]>} findings by document
 * @param {readonly DeclaredBreak[]} declared
 */
export function verifyBreaks(findings, declared) {
  const breaking = Object.entries(findings).flatMap(([document, found]) =>
    found.filter(({ isBreaking }) => isBreaking).map((finding) => ({ document, ...finding })),
  );
  /** @param {{ document: string, rule: string, at: string }} one */
  const key = ({ document, rule, at }) => [document, rule, at].join('\0');
  const allowed = new Set(declared.filter(({ reason }) => reason?.trim()).map(key));
  const present = new Set(breaking.map(key));
  return {
    undeclared: breaking.filter((one) => !allowed.has(key(one))),
    unused: declared.filter((one) => !present.has(key(one))),
  };
}

/**
 * Stores the current contract as the contract of a release. Later changes are compared with it.
 * @param {string} version
 * @param {string} commit
 */
export function cutRelease(version, commit) {
  mkdirSync(join(folder, version), { recursive: true });
  for (const document of documents) {
    const text = JSON.stringify(presentContract(document));
    writeFileSync(join(folder, version, `${document}.json.gz`), gzipSync(text, { level: 9 }));
  }
  /** @param {string} name @param {unknown} content */
  const write = (name, content) => writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  write('previous.json', { version, commit });
  write('breaking-changes.json', { since: version, changes: [] });
}
