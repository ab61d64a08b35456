import {
  errorCodes,
  fieldsOf,
  type Class,
  type ErrorCode,
  type Feature,
  type JsonSchema,
  type Operation,
} from '@tollbridge/bus';

/** What every operation can answer, whatever it is. */
const commonErrors: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
];
const bodyErrors: readonly ErrorCode[] = ['MALFORMED_JSON', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'];

/** The OpenAPI 3.1 document of the given features; nothing in it is written by hand. */
export function openApiDocument(
  features: readonly Feature[],
  serverUrl: string,
  version: string,
): JsonSchema {
  const schemas: Record<string, JsonSchema> = { Error: errorSchema };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const feature of features) {
    for (const operation of Object.values(feature.operations) as Operation[]) {
      (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(feature, operation, schemas);
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollbridge',
      version,
      description:
        'One API to take a payment on any chain, swap across chains, and sell anything by HTTP 402.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: features.map(({ title }) => ({ name: title })),
    paths,
    components: { schemas },
  };
}

function describe(feature: Feature, operation: Operation, schemas: Record<string, JsonSchema>): JsonSchema {
  const described: JsonSchema = {
    operationId: operation.name,
    tags: [feature.title],
    summary: operation.summary,
    ...(operation.description && { description: operation.description }),
    security: [],
    responses: responsesOf(operation, schemas),
  };
  const parameters = parametersOf(operation);
  if (parameters.length > 0) described['parameters'] = parameters;
  if (operation.hasBody) {
    const name = reference(operation.input, schemas, operation.pathFields);
    described['requestBody'] = {
      required: true,
      content: content(name, exampleOf(operation.input, operation.pathFields)),
    };
  }
  return described;
}

function parametersOf(operation: Operation): JsonSchema[] {
  return fieldsOf(operation.input)
    .filter(({ name }) => !operation.hasBody || operation.pathFields.includes(name))
    .map(({ name, schema, isOptional }) => {
      const { description, examples, ...rest } = schema;
      const inPath = operation.pathFields.includes(name);
      const example = (examples as unknown[] | undefined)?.[0];
      return {
        name,
        in: inPath ? 'path' : 'query',
        required: inPath || !isOptional,
        description,
        schema: rest,
        ...(example !== undefined && { example }),
      };
    });
}

function responsesOf(operation: Operation, schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const output = content(reference(operation.output, schemas), exampleOf(operation.output));
  const responses: Record<string, JsonSchema> = {
    200: { description: 'Success', headers: requestIdHeader, content: output },
  };
  const codes = [...operation.errors, ...commonErrors, ...(operation.hasBody ? bodyErrors : [])];
  for (const status of [...new Set(codes.map((code) => errorCodes[code][0]))].sort()) {
    const possible = codes.filter((code) => errorCodes[code][0] === status);
    const examples = possible.map((code) => [code, { value: { error: errorCodes[code][1], code } }]);
    responses[status] = {
      description: possible.map((code) => `\`${code}\`: ${errorCodes[code][1]}`).join(' '),
      headers: requestIdHeader,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(examples),
        },
      },
    };
  }
  return responses;
}

const requestIdHeader = {
  'x-request-id': { description: 'Quote it when you report a problem', schema: { type: 'string' } },
};

function content(name: string, example: unknown): JsonSchema {
  return { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example } };
}

/** Registers a declared class, and those that it holds, and answers its name. */
function reference(
  source: Class<unknown>,
  schemas: Record<string, JsonSchema>,
  without: readonly string[] = [],
): string {
  if (schemas[source.name]) return source.name;
  const fields = fieldsOf(source).filter(({ name }) => !without.includes(name));
  // Registered before its fields are: a class may hold itself.
  const schema: JsonSchema = (schemas[source.name] = { type: 'object' });
  const properties = fields.map(({ name, schema: own, nested }) => {
    if (!nested) return [name, own];
    const ref = { $ref: `#/components/schemas/${reference(nested.class(), schemas)}` };
    const { type, ...rest } = own;
    if (nested.isList) return [name, { type, ...rest, items: ref }];
    return [
      name,
      Array.isArray(type) ? { ...rest, oneOf: [ref, { type: 'null' }] } : { ...rest, allOf: [ref] },
    ];
  });
  schema['properties'] = Object.fromEntries(properties);
  schema['required'] = fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name);
  schema['additionalProperties'] = false;
  return source.name;
}

/** An example of a declared class, put together from the examples of its fields. */
export function exampleOf(source: Class<unknown>, without: readonly string[] = []): Record<string, unknown> {
  const fields = fieldsOf(source).filter(({ name }) => !without.includes(name));
  const values = fields.flatMap(({ name, schema, nested, isOptional }) => {
    const own = (schema['examples'] as unknown[] | undefined)?.[0];
    if (own !== undefined) return [[name, own] as const];
    if (nested)
      return [[name, nested.isList ? [exampleOf(nested.class())] : exampleOf(nested.class())] as const];
    if (isOptional) return [];
    const { type, enum: choices } = schema as { type: unknown; enum?: unknown[] };
    return [[name, choices?.[0] ?? (type === 'array' ? [] : type === 'object' ? {} : 'text')] as const];
  });
  return Object.fromEntries(values);
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'A sentence that says what to do' },
    code: { type: 'string', enum: Object.keys(errorCodes), description: 'Stable; switch over this' },
    details: {
      description: 'More about it; for VALIDATION_ERROR every bad field',
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'message'],
        properties: { field: { type: 'string' }, message: { type: 'string' } },
      },
    },
    retryAfter: { type: 'integer', description: 'Seconds to wait before trying again' },
  },
};
