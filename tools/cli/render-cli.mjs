// The generated files of libs/cli: what the commands know of the operations, errors, webhooks and settings.
import { operationsOf } from '../sdk/operations.mjs';

const head = '// Generated from libs/contracts: npm run docs\n';
const folder = 'libs/cli/src/generated';

/** @param {any} product @param {any} document @returns {Record<string, string>} files by path */
export function renderCli(product, document) {
  const operations = cliOperationsOf(product, document);
  return {
    [`${folder}/operations.ts`]: `${head}
import type { OperationInfo } from '../operation-info';

/** Every operation of the API. */
export const operations: readonly OperationInfo[] = ${json(operations)};
`,
    [`${folder}/errors.ts`]: `${head}
/** What each error code means, and what to do. */
export const errorGuide: Readonly<Record<string, readonly [meaning: string, action: string]>> = ${json(guideOf(product))};
`,
    [`${folder}/webhook-types.ts`]: `${head}
/** Every type of webhook, with the time when it is sent. */
export const webhookTypes: Readonly<Record<string, string>> = ${json(webhookTypesOf(product))};
`,
    [`${folder}/settings.ts`]: `${head}
import type { SettingInfo } from '../doctor/setting-info';

/** The settings of each app. */
export const settings: Readonly<Record<string, readonly SettingInfo[]>> = ${json(settingsOf(product))};
`,
  };
}

/** As the commands of the CLI have them. @param {any} product @param {any} document */
export function cliOperationsOf(product, document) {
  return operationsOf(product, document).map((operation) => {
    const { name, tag, declaration, input, body, list, documented } = operation;
    const { method, path, summary, description, isSandboxOnly, errors, auth } = declaration;
    return {
      id: name,
      group: kebab(tag),
      title: tag,
      name: kebab(name),
      method,
      path,
      summary,
      ...(description && { description }),
      ...(isSandboxOnly && { isSandboxOnly }),
      auth: authOf(auth),
      fields: fieldsOf(input, body, document),
      ...(declaration.body !== undefined && { body: declaration.body }),
      ...(list && { list: { ...(list.items !== undefined && { items: list.items }) } }),
      ...((documented.parameters ?? []).some((each) => each.name === 'x-wallet') && { takesWallet: true }),
      errors,
    };
  });
}

/** `createOrder` and "Gift cards, airtime, bills" in words with hyphens. @param {string} text */
export const kebab = (text) =>
  text
    .replace(/PayLink/g, 'Paylink')
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z\d]+/g, '-')
    .toLowerCase();

function authOf(auth) {
  if (auth === 'public') return 'public';
  return 'wallet' in auth ? 'wallet' : auth.permission;
}

function fieldsOf(input, body, { components: { schemas } }) {
  const fields = new Map();
  for (const schema of [input, body].filter(Boolean).flatMap((each) => alternativesOf(each, schemas)))
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const isRequired = (schema.required ?? []).includes(name) && !schema.isAlternative;
      if (!fields.has(name)) fields.set(name, fieldOf(name, field, isRequired, schemas));
    }
  return [...fields.values()];
}

/** An object, or each of the objects that a body may be. */
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

function guideOf({ gateway }) {
  const entries = gateway.errorReference(gateway.gatewayRoutes('sandbox'));
  return Object.fromEntries(entries.map(({ code, meaning, action }) => [code, [meaning, action]]));
}

const webhookTypesOf = ({ api: { webhookTypes } }) =>
  Object.fromEntries(Object.entries(webhookTypes).map(([name, { summary }]) => [name, summary]));

/** What a production deployment sets; the app reads and checks the values. */
function settingsOf({ apps }) {
  const deployed = apps.filter(({ name }) => name !== 'sandbox');
  return Object.fromEntries(
    deployed.map(({ name, settings }) => [
      name,
      Object.entries(settings).map(([variable, setting]) => ({
        name: variable,
        description: setting.description,
        ...(setting.default === undefined && { isRequired: true }),
        // Public values, which an app rejects outside the sandbox.
        ...(setting.isSecret && {
          publicValues: [setting.example, setting.sandboxDefault].filter((value) => value !== undefined),
        }),
      })),
    ]),
  );
}

const json = (value) => JSON.stringify(value, null, 2);
