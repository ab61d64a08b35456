import { containersOf, nameOf } from './release.mjs';

/** @typedef {import('./release.mjs').Release} Release */

const digest = /@sha256:[0-9a-f]{64}$/;
const noDigest = `sha256:${'0'.repeat(64)}`;
// Reserved names and addresses for documentation (RFC 2606 and RFC 5737).
const placeholders = [/example\.(com|net|org)/, /\b192\.0\.2\.\d+/, /\b0:(ab){32}\b/];
const sandboxOnly = /sandbox|simulator|evm-node|tollbridge\/setup/i;

/** @param {Release} release @returns {string[]} */
export function imageProblems({ workloads }, /** @type {string} */ environment) {
  return workloads.flatMap((workload) =>
    containersOf(workload).flatMap(({ name, image }) => {
      const at = `${workload.name}: container ${name}`;
      if (environment === 'production')
        return digest.test(image) ? [] : [`${at}: the image ${image} needs a digest`];
      const tag = /:([\w.-]+)$/.exec(image)?.[1];
      return tag && tag !== 'latest' ? [] : [`${at}: the image ${image} needs a tag, and not latest`];
    }),
  );
}

/**
 * Verifies that production contains no part of the sandbox, no known key and no inline secret.
 * @param {Release} release
 * @param {readonly string[]} knownSecrets secrets that this repository contains
 * @returns {string[]}
 */
export function productionProblems({ documents, of }, knownSecrets) {
  const found = documents.flatMap((document) =>
    stringsIn(document).flatMap(({ path, text }) => {
      const problems = [];
      if (sandboxOnly.test(text)) problems.push(`${path} is of the sandbox: ${text}`);
      if (knownSecrets.some((secret) => text.includes(secret)))
        problems.push(`${path} has a secret that stands in the repository`);
      if (/:\/\/[^/\s:@]*:[^/\s@]+@/.test(text)) problems.push(`${path} has a password`);
      return problems.map((problem) => `${nameOf(document)}: ${problem}`);
    }),
  );
  const inline = of('Secret').map(
    (document) => `${nameOf(document)}: secrets come from ExternalSecrets only`,
  );
  return [...found, ...inline];
}

/** Finds placeholders that README.md says to replace. @param {Release} release @returns {string[]} */
export function placeholderProblems({ documents }) {
  return documents.flatMap((document) =>
    stringsIn(document).flatMap(({ path, text }) => {
      if (text.includes(noDigest))
        return [`${nameOf(document)}: ${path} has no digest yet: run tools/kubernetes/pin-images.mjs`];
      // The excluded address ranges legitimately contain these addresses.
      if (path.includes('/except/') || !placeholders.some((placeholder) => placeholder.test(text))) return [];
      return [`${nameOf(document)}: ${path} is still the example: ${text}`];
    }),
  );
}

/** @param {any} value @param {string} path @returns {{ path: string, text: string }[]} */
function stringsIn(value, path = '') {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => stringsIn(item, `${path}/${key}`));
}
