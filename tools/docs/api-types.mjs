import openapiTypes, { astToString } from 'openapi-typescript';

const texts = new Set(['description', 'summary', 'example', 'examples', 'headers', 'links']);

/** The TypeScript types of the API for the dashboard: of requests and successful replies. @param {any} document */
export async function apiTypes({ openapi, info, components: { schemas, securitySchemes }, ...document }) {
  const paths = withoutFailures(document.paths);
  const needed = neededSchemas(paths, schemas);
  const short = { openapi, info, paths, components: { securitySchemes, schemas: needed } };
  const nodes = await openapiTypes(withoutTexts(structuredClone(short)));
  return `// Generated from docs/openapi.json: npm run docs\n${astToString(nodes)}`;
}

/** @param {Record<string, any>} paths */
function withoutFailures(paths) {
  const succeeds = ([/** @type {string} */ status]) => status.startsWith('2');
  const shorten = (/** @type {any} */ operation) =>
    operation.responses
      ? { ...operation, responses: Object.fromEntries(Object.entries(operation.responses).filter(succeeds)) }
      : operation;
  return mapped(paths, (path) => mapped(path, shorten));
}

/** The schemas to which a value refers, also through others. @param {unknown} value @param {Record<string, unknown>} schemas */
function neededSchemas(value, schemas) {
  const names = new Set();
  const waiting = [value];
  for (const each of waiting)
    for (const [, name] of JSON.stringify(each).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!names.has(name)) {
        names.add(name);
        waiting.push(schemas[name]);
      }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
}

/** Without descriptions and examples, but with fields of such names. @param {any} value @param {boolean} isNamed */
function withoutTexts(value, isNamed = false) {
  if (Array.isArray(value)) return value.map((each) => withoutTexts(each));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => isNamed || !texts.has(name));
  return Object.fromEntries(
    kept.map(([name, each]) => [name, withoutTexts(each, name === 'properties' && !isNamed)]),
  );
}

/** @param {Record<string, any>} object @param {(value: any) => any} change */
const mapped = (object, change) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
