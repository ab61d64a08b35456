import { configuredConnections } from '../checks/connection-budget.mjs';
import { loadProduct } from '../docs/product.mjs';
import { networkProblems } from './network-checks.mjs';
import { podProblems } from './pod-checks.mjs';
import { imageProblems, placeholderProblems, productionProblems } from './production-checks.mjs';
import { referenceProblems } from './reference-checks.mjs';
import { readRelease } from './release.mjs';
import { scalingProblems } from './scaling-checks.mjs';
import { schemaProblems } from './schemas.mjs';
import { settingProblems } from './setting-checks.mjs';

/**
 * @typedef {object} Expected
 * @property {'sandbox' | 'production'} environment
 * @property {number} [maxConnections] of PostgreSQL; the value of deploy/postgres by default
 * @property {boolean} [isFinal] whether placeholders also count as problems
 */

/**
 * Returns all problems in the documents of a release.
 * @param {any[]} documents of the apps, their migrations and their Secrets
 * @param {Expected} expected
 * @returns {Promise<string[]>}
 */
export async function releaseProblems(documents, expected) {
  const schemas = await schemaProblems(documents);
  // The other checks need fields that the schemas require.
  if (schemas.some((problem) => !problem.includes('unknown field'))) return schemas;
  const { api, apps } = loadProduct();
  const { environment, maxConnections = configuredConnections(), isFinal = false } = expected;
  const release = readRelease(documents);
  const context = { environment, apps, maxConnections, consumers: api.durableConsumers };
  return [
    ...schemas,
    ...podProblems(release),
    ...referenceProblems(release, context),
    ...settingProblems(release, context),
    ...networkProblems(release),
    ...scalingProblems(release, context),
    ...imageProblems(release, environment),
    ...(environment === 'production' ? productionProblems(release, knownSecrets(apps)) : []),
    ...(isFinal ? placeholderProblems(release) : []),
  ];
}

// Shorter examples are words that also occur elsewhere.
const shortestSecret = 16;

/** @param {readonly { settings: Record<string, any> }[]} apps @returns {string[]} */
function knownSecrets(apps) {
  const secrets = apps.flatMap(({ settings }) => Object.values(settings).filter(({ isSecret }) => isSecret));
  const values = secrets.flatMap(({ example, sandboxDefault }) => [example, sandboxDefault]);
  return [...new Set(values)].filter((value) => typeof value === 'string' && value.length >= shortestSecret);
}
