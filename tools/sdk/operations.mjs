// The operations of the SDK, from the declarations of libs/contracts and the OpenAPI document of the same.

/**
 * @typedef {object} SdkOperation
 * @property {string} name of the function
 * @property {string} tag
 * @property {any} declaration
 * @property {any} documented as in the OpenAPI document
 * @property {string[]} errors
 * @property {any} input the schema of the fields that are no body; undefined without any
 * @property {any} body the schema of the body; undefined without one
 * @property {any} result
 * @property {{ items?: string, firstPage?: number, item: any } | undefined} list
 */

/** @param {any} product @param {any} document @returns {SdkOperation[]} */
export function operationsOf({ features, bus, gateway }, document) {
  return features.flatMap((/** @type {any} */ { title, operations }) =>
    Object.values(operations).map((declaration) => {
      const { method, path, operationId, style } = declaration;
      const documented = document.paths[path][method.toLowerCase()];
      const { schema } = documented.responses[200].content['application/json'];
      const result = style === 'envelope' ? schema.properties.data : schema;
      return {
        name: operationId,
        tag: title,
        declaration,
        documented,
        errors: gateway.errorsOf(declaration),
        input: inputOf(declaration, bus),
        body: bodyOf(declaration, documented, document),
        result,
        list: listOf(declaration, result, { bus, document }),
      };
    }),
  );
}

/** Fields in the path, the query, and a body that is one field. */
function inputOf({ input, hasBody, pathFields, body }, { fieldsOf }) {
  const fields = fieldsOf(input).filter(
    (/** @type {any} */ { name }) => !hasBody || pathFields.includes(name) || name === body,
  );
  if (fields.length === 0) return undefined;
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    required: fields
      .filter(({ name, isOptional }) => !isOptional || pathFields.includes(name))
      .map(({ name }) => name),
  };
}

function bodyOf({ hasBody, body }, documented, { components }) {
  if (!hasBody || body !== undefined) return undefined;
  const { schema } = documented.requestBody.content['application/json'];
  const { properties } = components.schemas[schema.$ref.split('/').at(-1)];
  return properties && Object.keys(properties).length === 0 ? undefined : schema;
}

function listOf({ method, input }, result, { bus, document }) {
  const field = (name) => bus.fieldsOf(input).find((each) => each.name === name);
  const page = field('page');
  if (method !== 'GET' || !(field('cursor') || page)) return undefined;
  const firstPage = page && { firstPage: page.default };
  if (result.type === 'array') return { item: result.items, ...firstPage };
  const { properties } = document.components.schemas[result.$ref.split('/').at(-1)];
  const [[items, { items: item }], ...more] = Object.entries(properties).filter(
    ([, { type }]) => type === 'array',
  );
  if (more.length > 0) throw new Error(`${method}: which of the lists has the items?`);
  return { items, item, ...firstPage };
}

/** Whether a call without an argument is possible. @param {SdkOperation} operation @param {any} document */
export function needsInput({ input, body }, document) {
  if (input?.required.length > 0) return true;
  return body !== undefined && mustHaveFields(body, document.components.schemas);
}

function mustHaveFields(schema, schemas) {
  if (schema.$ref) return mustHaveFields(schemas[schema.$ref.split('/').at(-1)], schemas);
  if (schema.oneOf) return schema.oneOf.every((each) => mustHaveFields(each, schemas));
  return schema.required?.length > 0;
}
