import { compareSchemas, report, resolve } from './compare-schemas.mjs';

/** @typedef {import('./compare-schemas.mjs').Comparison} Comparison */

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/**
 * Returns the differences of two OpenAPI documents for clients of the old document.
 * @param {any} before @param {any} after @returns {import('./compare-schemas.mjs').Finding[]}
 */
export function compareOpenApi(before, after) {
  /** @type {Comparison} */
  const comparison = { before, after, findings: [] };
  eachOperation(before.paths, after.paths, comparison, 'path', compareOperation);
  // The roles are reversed: this product calls the merchant.
  eachOperation(before.webhooks ?? {}, after.webhooks ?? {}, comparison, 'webhook', compareWebhook);
  return comparison.findings;
}

/**
 * @param {Record<string, any>} olds
 * @param {Record<string, any>} news
 * @param {Comparison} comparison
 * @param {string} kind
 * @param {(comparison: Comparison, old: any, next: any, at: string) => void} compare
 */
function eachOperation(olds, news, comparison, kind, compare) {
  for (const [path, item] of Object.entries(olds)) {
    const next = news[path];
    if (!next) {
      report(comparison, `${kind}-removed`, path, `the ${kind} was removed`);
      continue;
    }
    for (const method of methods.filter((name) => item[name])) {
      const at = `${method.toUpperCase()} ${path}`;
      if (next[method]) compare(comparison, item[method], next[method], at);
      else report(comparison, 'method-removed', at, 'the method was removed');
    }
  }
}

/** @param {Comparison} comparison @param {any} old @param {any} next @param {string} at */
function compareOperation(comparison, old, next, at) {
  if (old.operationId !== next.operationId)
    report(comparison, 'operation-renamed', at, `operationId ${old.operationId} became ${next.operationId}`);
  compareSecurity(comparison, old, next, at);
  compareParameters(comparison, old.parameters ?? [], next.parameters ?? [], at);
  compareRequestBody(comparison, old, next, at);
  compareResponses(comparison, old.responses ?? {}, next.responses ?? {}, at);
}

/** @param {Comparison} comparison @param {any} old @param {any} next @param {string} at */
function compareSecurity(comparison, old, next, at) {
  const [olds, news] = [old, next].map(({ security = [{}] }) =>
    security.map((/** @type {object} */ one) => JSON.stringify(one)),
  );
  const lost = olds.filter((/** @type {string} */ one) => !news.includes(one) && news.length > 0);
  if (lost.length > 0) report(comparison, 'security', at, `no longer accepts ${lost.join(', ')}`);
}

/** @param {any} document @param {any[]} parameters */
const byName = (document, parameters) =>
  new Map(parameters.map((one) => resolve(document, one)).map((one) => [`${one.in} ${one.name}`, one]));

/** @param {Comparison} comparison @param {any[]} olds @param {any[]} news @param {string} at */
function compareParameters(comparison, olds, news, at) {
  const before = byName(comparison.before, olds);
  const after = byName(comparison.after, news);
  for (const [name, old] of before) {
    const next = after.get(name);
    if (!next) {
      // Unknown headers are ignored, but an unknown query parameter is rejected.
      if (old.in !== 'header')
        report(comparison, 'parameter-removed', `${at} ${name}`, 'the parameter was removed');
      continue;
    }
    if (next.required && !old.required)
      report(comparison, 'parameter-required', `${at} ${name}`, 'the parameter is required');
    compareSchemas(comparison, old.schema, next.schema, { direction: 'in', at: `${at} ${name}` });
  }
  for (const [name, next] of after)
    if (next.required && !before.has(name))
      report(comparison, 'parameter-required', `${at} ${name}`, 'the new parameter is required');
}

/** @param {Comparison} comparison @param {any} old @param {any} next @param {string} at */
function compareRequestBody(comparison, { requestBody: old }, { requestBody: next }, at) {
  if (next?.required && !old?.required)
    report(comparison, 'body-required', `${at} body`, 'a body is required');
  if (!old) return;
  if (!next) return report(comparison, 'body-removed', `${at} body`, 'no body is accepted');
  compareContent(comparison, old.content, next.content, { direction: 'in', at: `${at} body` });
}

/**
 * @param {Comparison} comparison @param {Record<string, any>} olds @param {Record<string, any>} news
 * @param {{ direction: 'in' | 'out', at: string }} place
 */
function compareContent(comparison, olds = {}, news = {}, place) {
  for (const [type, old] of Object.entries(olds)) {
    const next = news[type];
    if (!next) report(comparison, 'media-type-removed', place.at, `${type} was removed`);
    else if (old.schema ?? next.schema) compareSchemas(comparison, old.schema, next.schema, place);
  }
}

/**
 * @param {Comparison} comparison
 * @param {Record<string, any>} olds
 * @param {Record<string, any>} news
 * @param {string} at
 */
function compareResponses(comparison, olds, news, at) {
  for (const [status, given] of Object.entries(olds)) {
    const place = `${at} ${status}`;
    if (!news[status]) {
      report(comparison, 'status-removed', place, 'the status was removed');
      continue;
    }
    const [old, next] = [resolve(comparison.before, given), resolve(comparison.after, news[status])];
    for (const header of Object.keys(old.headers ?? {}))
      if (!next.headers?.[header])
        report(comparison, 'header-removed', `${place} ${header}`, 'the header was removed');
    compareContent(comparison, old.content, next.content, { direction: 'out', at: place });
  }
  for (const status of Object.keys(news))
    if (!olds[status]) report(comparison, 'status-added', `${at} ${status}`, 'the status is new', false);
}

/** @param {Comparison} comparison @param {any} old @param {any} next @param {string} at */
function compareWebhook(comparison, old, next, at) {
  const names = new Set((next.parameters ?? []).map((/** @type {any} */ one) => one.name));
  for (const { name } of old.parameters ?? [])
    if (!names.has(name)) report(comparison, 'header-removed', `${at} ${name}`, 'the header was removed');
  compareContent(comparison, old.requestBody?.content, next.requestBody?.content, {
    direction: 'out',
    at: `${at} body`,
  });
}
