// The operations of the SDK and the CLI, from docs/openapi.json and libs/sdk/operations.json.

/**
 * @typedef {object} SdkOperation
 * @property {string} name of the function
 * @property {string} tag
 * @property {string} method
 * @property {string} path
 * @property {string} summary
 * @property {string} description without the part about keys
 * @property {import('./describe.mjs').Described} described
 * @property {string[]} errors the operation's own error codes
 * @property {any} documented as in the OpenAPI document, with references to shared parts resolved
 * @property {boolean} isEnveloped
 * @property {any} input the schema of the fields outside the body, or of the field that is the body; undefined if none
 * @property {any} body the schema of the body; undefined without a body
 * @property {any} result
 * @property {{ items?: string, firstPage?: number, item: any } | undefined} list
 */

/** @param {import('./describe.mjs').Description} description @param {any} document @returns {SdkOperation[]} */
export function operationsOf({ operations }, document) {
  const routes = routesOf(document);
  return Object.entries(operations).map(([name, described]) => {
    const { method, path, documented } = routes.get(name);
    const { tags, summary, description, responses } = documented;
    const { schema } = responses[200].content['application/json'];
    const isEnveloped = schema.properties?.success !== undefined && schema.properties.data !== undefined;
    const result = isEnveloped ? schema.properties.data : schema;
    const input = inputOf(documented, described.body);
    return {
      name,
      tag: tags[0],
      method,
      path,
      summary,
      description: ownDescription(description),
      described,
      errors: described.errors ?? [],
      documented,
      isEnveloped,
      input,
      body: bodyOf(documented, described.body, document),
      result,
      list: method === 'GET' ? listOf(name, input, result, document) : undefined,
    };
  });
}

/** The routes by their `operationId`. @param {any} document @returns {Map<string, any>} */
export function routesOf(document) {
  const { paths } = withPartsInPlace(document);
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, documented]) => [
        documented.operationId,
        { path, method: method.toUpperCase(), documented },
      ]),
    ),
  );
}

const sharedPart = /^#\/components\/(responses|headers|parameters)\/(.+)$/;

/** Resolves references to shared responses, headers and parameters in the document. */
function withPartsInPlace({ components, ...document }) {
  const place = (value) => {
    if (Array.isArray(value)) return value.map(place);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind, name] = sharedPart.exec(value.$ref) ?? [];
    if (kind) return place(components[kind][name]);
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, place(each)]));
  };
  return place(document);
}

/** Removes the part about keys, which the CLI describes itself. */
const ownDescription = (text = '') => text.split(/(?:^|\n\n)\*\*Needs\*\* /)[0];

/** Returns the fields in the path, in the query, and in a body with one field. */
function inputOf({ parameters = [], requestBody }, bodyField) {
  const fields = parameters
    .filter((each) => each.in === 'path' || each.in === 'query')
    .map(({ name, description, example, schema, required }) => ({
      name,
      required,
      schema: { ...schema, description, ...(example !== undefined && { examples: [example] }) },
    }));
  if (bodyField !== undefined) {
    const { schema } = requestBody.content['application/json'];
    fields.push({ name: bodyField, required: true, schema });
  }
  if (fields.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
}

function bodyOf({ requestBody }, bodyField, { components }) {
  if (!requestBody || bodyField !== undefined) return undefined;
  const { schema } = requestBody.content['application/json'];
  const { properties } = components.schemas[schema.$ref.split('/').at(-1)];
  return properties && Object.keys(properties).length === 0 ? undefined : schema;
}

function listOf(name, input, result, document) {
  const { cursor, page } = input?.properties ?? {};
  if (!cursor && !page) return undefined;
  const firstPage = page && { firstPage: page.default };
  if (result.type === 'array') return { item: result.items, ...firstPage };
  const { properties } = document.components.schemas[result.$ref.split('/').at(-1)];
  const [[items, { items: item }], ...more] = Object.entries(properties).filter(
    ([, { type }]) => type === 'array',
  );
  if (more.length > 0) throw new Error(`${name}: which of the lists has the items?`);
  return { items, item, ...firstPage };
}

/** Returns true if the function needs an argument. @param {SdkOperation} operation @param {any} document */
export function needsInput({ input, body }, document) {
  if (input?.required.length > 0) return true;
  return body !== undefined && mustHaveFields(body, document.components.schemas);
}

function mustHaveFields(schema, schemas) {
  if (schema.$ref) return mustHaveFields(schemas[schema.$ref.split('/').at(-1)], schemas);
  if (schema.oneOf) return schema.oneOf.every((each) => mustHaveFields(each, schemas));
  return schema.required?.length > 0;
}
