import { hintsOf, isPurchase, isTool, type ToolHints } from '@tollbridge/contracts';
import {
  freeFormOf,
  idempotencyKeyForm,
  isWalletAuth,
  itemOf,
  Schemas,
  type JsonSchema,
  type Operation,
} from '@tollbridge/rpc';
import type { GatewayRoute } from '../routes/gateway-route';
import { confirmField, costStatementSchema } from './purchase';

/** A tool as `tools/list` shows it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: ObjectSchema;
  outputSchema: ObjectSchema;
  annotations: ToolHints;
}

export interface Tool {
  definition: ToolDefinition;
  operation: Operation;
  /** The name of its feature, by which an endpoint can be narrowed. */
  group: string;
  isPurchase: boolean;
  /** Whether the tool takes `idempotency_key`. */
  isRepeatable: boolean;
  /** Whether the tool takes `purchase_token`. */
  readsPurchase: boolean;
}

export type ObjectSchema = JsonSchema & { type: 'object' };

/** Every operation of the gateway as a tool, by name; withheld ones left out. */
export function toolsOf(routes: readonly GatewayRoute[]): ReadonlyMap<string, Tool> {
  const tools = routes.flatMap((route) =>
    route.kind === 'operation' && isTool(route.declaration)
      ? [toolOf(route.declaration, route.feature.name)]
      : [],
  );
  return new Map(tools.map((tool) => [tool.definition.name, tool]));
}

export function toolOf(operation: Operation, group: string): Tool {
  const buys = isPurchase(operation);
  const annotations = hintsOf(operation);
  const isRepeatable = operation.hasBody && !buys && !annotations.readOnlyHint;
  const readsPurchase = operation.sale === 'reads';
  const more = {
    ...(buys && { confirm: confirmField }),
    ...(isRepeatable && { idempotency_key: idempotencyField }),
    ...(readsPurchase && { purchase_token: purchaseTokenField }),
  };
  const definition = {
    name: operation.operationId,
    title: operation.summary,
    description: describe(operation, buys),
    inputSchema: inputSchema(operation, more),
    outputSchema: withoutExamples(outputSchema(operation, buys)),
    annotations,
  };
  return { definition, operation, group, isPurchase: buys, isRepeatable, readsPurchase };
}

function describe({ summary, description, auth }: Operation, buys: boolean): string {
  const cost = buys ? 'It costs money: the first call buys nothing and states the cost. ' : '';
  return `${summary}. ${cost}${description} ${needs(auth)}`.replaceAll(/\s+/g, ' ').trim();
}

function needs(auth: Operation['auth']): string {
  if (auth === 'public') return '';
  if (isWalletAuth(auth)) return 'Needs the session of a wallet.';
  return `Needs ${auth.key === 'secret' ? 'the secret of' : ''} an API key with the permission ${auth.permission}.`;
}

const idempotencyField: JsonSchema = {
  type: 'string',
  pattern: idempotencyKeyForm.source,
  description:
    'A new text for each new call, such as a UUID; the same one when you repeat a call that may have had an effect. For 24 hours the call takes effect once',
};

const purchaseTokenField: JsonSchema = {
  type: 'string',
  maxLength: 128,
  description: 'Token of a purchase that was paid by x402: with it no account is needed',
};

/** The fields of path, query and body are one flat object, as services receive them. */
function inputSchema({ input }: Operation, more: Record<string, JsonSchema>): ObjectSchema {
  const schemas = new Schemas();
  const schema = resolved(schemas.of(input), schemas);
  if (Object.keys(more).length === 0) return schema;
  const { properties } = schema as { properties?: Record<string, JsonSchema> };
  if (!properties) throw new Error(`${input.name} has several forms, so a tool cannot add a field to it`);
  return { ...schema, properties: { ...properties, ...more } };
}

function outputSchema({ output }: Operation, buys: boolean): ObjectSchema {
  const schemas = new Schemas();
  const item = itemOf(output);
  if (item) return withDefinitions(listSchema(schemas.of(item)), schemas);
  const free = freeFormOf(output);
  if (free) return { ...free.schema, type: 'object' };
  const reply = schemas.of(output);
  if (!buys) return resolved(reply, schemas);
  const cost = schemas.add('CostStatement', costStatementSchema);
  return withDefinitions({ type: 'object', anyOf: [reply, cost] }, schemas);
}

/** A bare list becomes an object: structured content of older clients must be one, and it says where it goes on. */
const listSchema = (items: JsonSchema): ObjectSchema => ({
  type: 'object',
  properties: {
    items: { type: 'array', items },
    next_cursor: {
      type: ['string', 'null'],
      description: 'Pass it as `cursor` to get the next page; null on the last one',
    },
  },
  required: ['items', 'next_cursor'],
  additionalProperties: false,
});

const prefix = '#/components/schemas/';

/** The schema that a reference names, with those that it names in `$defs`. */
function resolved(reference: JsonSchema, schemas: Schemas): ObjectSchema {
  const name = String(reference['$ref']).slice(prefix.length);
  return withDefinitions({ ...schemas.named[name], type: 'object' }, schemas, name);
}

function withDefinitions(schema: ObjectSchema, { named }: Schemas, root?: string): ObjectSchema {
  const isRecursive = root !== undefined && JSON.stringify(named).includes(`"${prefix}${root}"`);
  const others = Object.entries(named).filter(([name]) => name !== root || isRecursive);
  const whole = others.length > 0 ? { ...schema, $defs: Object.fromEntries(others) } : schema;
  return JSON.parse(JSON.stringify(whole, plainJsonSchema).replaceAll(prefix, '#/$defs/')) as ObjectSchema;
}

/** `discriminator` is a word of OpenAPI, which strict validators of JSON Schema reject. */
const plainJsonSchema = (key: string, value: unknown): unknown =>
  key === 'discriminator' && typeof value === 'object' && value !== null && 'propertyName' in value
    ? undefined
    : value;

/** Examples of results are a third of the list of tools, and do not help to call one. */
const withoutExamples = (schema: ObjectSchema): ObjectSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'examples' && Array.isArray(value) ? undefined : value,
    ),
  ) as ObjectSchema;
