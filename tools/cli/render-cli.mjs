// Renders the generated file of libs/cli: the data of operations, errors and webhooks that the commands need.

const target = 'libs/cli/src/generated/api.ts';

/**
 * @param {import('../sdk/describe.mjs').Description} description
 * @param {import('../sdk/operations.mjs').SdkOperation[]} operations @param {any} document
 * @returns {Record<string, string>} files by path
 */
export function renderCli({ errors }, operations, document) {
  const actions = Object.entries(errors).map(([code, { action }]) => [code, action]);
  const text = `// Generated from docs/openapi.json: node tools/generate.mjs

import type { OperationInfo } from '../operation-info';

/** Every operation of the API. */
export const operations: readonly OperationInfo[] = ${json(cliOperationsOf(operations, document))};

/** What to do after each error code. */
export const errorActions: Readonly<Record<string, string>> = ${json(Object.fromEntries(actions))};

/** Every type of webhook, with the time when it is sent. */
export const webhookTypes: Readonly<Record<string, string>> = ${json(webhookTypesOf(document))};
`;
  return { [target]: text };
}

/**
 * Returns the operations in the form of the CLI's commands.
 * @param {import('../sdk/operations.mjs').SdkOperation[]} operations @param {any} document
 */
export const cliOperationsOf = (operations, document) =>
  operations.map((operation) => {
    const {
      name,
      tag,
      method,
      path,
      summary,
      description,
      described,
      documented,
      input,
      body,
      list,
      errors,
    } = operation;
    return {
      id: name,
      group: kebab(tag),
      title: tag,
      name: kebab(name),
      method,
      path,
      summary,
      ...(description && { description }),
      ...(described.isSandboxOnly && { isSandboxOnly: true }),
      auth: described.auth,
      fields: fieldsOf(input, body, document),
      ...(described.body !== undefined && { body: described.body }),
      ...(list && { list: { ...(list.items !== undefined && { items: list.items }) } }),
      ...((documented.parameters ?? []).some((each) => each.name === 'x-wallet') && { takesWallet: true }),
      errors,
    };
  });

/** Converts `createOrder` and "Gift cards, airtime, bills" to words with hyphens. @param {string} text */
export const kebab = (text) =>
  text
    .replace(/PayLink/g, 'Paylink')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase();

function fieldsOf(input, body, { components: { schemas } }) {
  const fields = new Map();
  for (const schema of [input, body].filter(Boolean).flatMap((each) => alternativesOf(each, schemas)))
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const isRequired = (schema.required ?? []).includes(name) && !schema.isAlternative;
      if (!fields.has(name)) fields.set(name, fieldOf(name, field, isRequired, schemas));
    }
  return [...fields.values()];
}

/** Returns a schema, or each alternative of a body. */
function alternativesOf(schema, schemas) {
  const whole = resolved(schema, schemas);
  if (!whole.oneOf) return [whole];
  return whole.oneOf.map((each) => ({ ...resolved(each, schemas), isAlternative: true }));
}

const resolved = (schema, schemas) => (schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema);

function fieldOf(name, schema, isRequired, schemas) {
  const { values, ...type } = typeOf(schema, schemas);
  const description = schema.description ?? '';
  return {
    name,
    ...type,
    description,
    ...(isRequired && { isRequired }),
    ...(values && { values }),
    ...(schema.default !== undefined && { default: schema.default }),
    ...(schema.examples && { example: schema.examples[0] }),
  };
}

function typeOf(schema, schemas) {
  const whole = schema.allOf ? resolved(schema.allOf[0], schemas) : resolved(schema, schemas);
  if (whole.enum) return { type: 'string', values: whole.enum };
  if (whole.const !== undefined) return { type: 'string', values: [whole.const] };
  const alternatives = (whole.oneOf ?? whole.anyOf ?? []).map((each) => typeOf(each, schemas));
  const list = alternatives.find((each) => each.type === 'list');
  if (list) return list;
  if (alternatives.length > 1 && alternatives.every(({ type }) => /^(string|integer)$/.test(type)))
    return { type: 'scalar' };
  const types = [whole.type].flat().filter((each) => each !== undefined && each !== 'null');
  if (types.length !== 1) return { type: 'json' };
  const [type] = types;
  if (type === 'object') return { type: 'json' };
  if (type !== 'array') return { type };
  const { type: item, values } = typeOf(whole.items ?? {}, schemas);
  return { type: 'list', item, ...(values && { values }) };
}

const webhookTypesOf = ({ webhooks }) =>
  Object.fromEntries(Object.entries(webhooks).map(([name, { post }]) => [name, post.summary]));

const json = (value) => JSON.stringify(value, null, 2);
