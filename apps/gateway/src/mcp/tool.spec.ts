import type { JsonSchema } from '@tollbridge/rpc';
import { gatewayRoutes } from '../routes/gateway-routes';
import { toolsOf } from './tool';

// In the sandbox the gateway has every operation. An endpoint that is restricted to some features lists a subset of
// these tools.
const tools = [...toolsOf(gatewayRoutes('sandbox')).values()].map(({ definition }) => definition);
const schemas = tools.flatMap(({ name, inputSchema, outputSchema }) => [
  [`${name} input`, inputSchema] as const,
  [`${name} output`, outputSchema] as const,
]);

const combining = ['oneOf', 'anyOf', 'allOf', 'not', 'if', '$ref', 'enum', 'const', 'discriminator'];
// The types of JSON Schema 2020-12, and the formats that model APIs accept.
const formats = ['uuid', 'uri', 'date-time', 'date', 'email'];
const mostDepth = 10;

/** Every schema within a schema, with the names of the properties that it declares. */
function schemasIn(schema: unknown): JsonSchema[] {
  if (Array.isArray(schema)) return schema.flatMap(schemasIn);
  if (typeof schema !== 'object' || schema === null) return [];
  const { examples: _examples, default: _default, ...rest } = schema as JsonSchema;
  return [schema as JsonSchema, ...Object.values(rest).flatMap(schemasIn)];
}

function depthOf(schema: JsonSchema, definitions: Record<string, JsonSchema>, above = 0): number {
  if (above > mostDepth) return above;
  const {
    properties = {},
    items,
    additionalProperties,
    oneOf = [],
    anyOf = [],
    allOf = [],
    $ref,
  } = schema as any;
  const named = $ref === undefined ? [] : [definitions[String($ref).slice('#/$defs/'.length)]!];
  const same = [...oneOf, ...anyOf, ...allOf, ...named].map((one) => depthOf(one, definitions, above));
  const inner = [...Object.values<JsonSchema>(properties), items, additionalProperties].filter(
    (one): one is JsonSchema => typeof one === 'object',
  );
  return Math.max(above, ...same, ...inner.map((one) => depthOf(one, definitions, above + 1)));
}

describe('every tool', () => {
  it('has a unique name that model APIs accept', () => {
    expect(tools.length).toBeGreaterThan(100);
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
  });

  it.each(schemas)('has a plain object with properties as the root of its schema: %s', (_name, schema) => {
    expect(schema).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(Object.keys(schema).filter((key) => combining.includes(key))).toEqual([]);
    const required = (schema['required'] ?? []) as string[];
    expect(required.filter((name) => !(name in schema.properties))).toEqual([]);
  });

  it.each(schemas)('uses only keywords that model APIs accept: %s', (_name, schema) => {
    const definitions = (schema['$defs'] ?? {}) as Record<string, JsonSchema>;
    for (const each of schemasIn(schema) as any[]) {
      const { properties, format, pattern, $ref } = each;
      // Strict validators reject extensions of OpenAPI, but a field may have such a name.
      const isExtension = ([key, value]: [string, unknown]) =>
        key.startsWith('x-') && typeof value !== 'object';
      expect(Object.entries(each).filter(isExtension)).toEqual([]);
      for (const key of Object.keys(properties ?? {})) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/);
      if (typeof format === 'string') expect(formats).toContain(format);
      // Regular expression engines with linear time support neither lookarounds nor backreferences.
      if (typeof pattern === 'string') expect(pattern).not.toMatch(/\(\?[=!<]|\\[1-9]/);
      if (typeof $ref === 'string') expect(definitions).toHaveProperty([$ref.slice('#/$defs/'.length)]);
    }
    expect(depthOf(schema, definitions)).toBeLessThanOrEqual(mostDepth);
  });
});

it('describes both forms of a swap as fields of one object', () => {
  const { inputSchema } = tools.find(({ name }) => name === 'quoteSwap')!;
  expect(Object.keys(inputSchema.properties)).toEqual(
    expect.arrayContaining(['inputToken', 'outputToken', 'inputAmount', 'tokenIn', 'tokenOut', 'amountIn']),
  );
  expect(inputSchema['description']).toBe(
    'Send inputToken, outputToken, inputAmount; or tokenIn, tokenOut, amountIn',
  );
});
