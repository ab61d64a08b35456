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
import { noticeField, noticeSchema } from './tool-reply';

/** A tool in the format of `tools/list`. */
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
  /** The name of its feature. A client can restrict an endpoint to features. */
  group: string;
  isPurchase: boolean;
  /** Whether the tool accepts `idempotency_key`. */
  isRepeatable: boolean;
  /** Whether the tool accepts `purchase_token`. */
  readsPurchase: boolean;
}

export type ObjectSchema = JsonSchema & { type: 'object'; properties: Record<string, JsonSchema> };

/** Every operation of the gateway as a tool, by name, except withheld operations. */
export function toolsOf(routes: readonly GatewayRoute[]): ReadonlyMap<string, Tool> {
  const tools = routes.flatMap((route) =>
    route.kind === 'operation' && !route.isSalePath && isTool(route.declaration)
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

/** The fields of path, query and body form one flat object, as in the input of services. */
function inputSchema({ input }: Operation, more: Record<string, JsonSchema>): ObjectSchema {
  const schemas = new Schemas();
  const schema = resolved(schemas.of(input), schemas);
  return { ...schema, properties: { ...schema.properties, ...more } };
}

function outputSchema(operation: Operation, buys: boolean): ObjectSchema {
  const { properties, ...schema } = replySchema(operation, buys);
  return { ...schema, properties: { [noticeField]: noticeSchema, ...properties } };
}

function replySchema({ output }: Operation, buys: boolean): ObjectSchema {
  const schemas = new Schemas();
  const item = itemOf(output);
  if (item) return withDefinitions(listSchema(schemas.of(item)), schemas);
  const free = freeFormOf(output);
  if (free) return { properties: {}, ...free.schema, type: 'object' };
  const reply = schemas.of(output);
  if (!buys) return resolved(reply, schemas);
  const cost = schemas.add('CostStatement', costStatementSchema);
  return withDefinitions({ anyOf: [reply, cost] }, schemas);
}

/**
 * A bare list is wrapped in an object with the next cursor, because older clients require an object as structured
 * content.
 */
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

/** Resolves a reference to a schema, and adds the schemas that it uses in `$defs`. */
function resolved(reference: JsonSchema, schemas: Schemas): ObjectSchema {
  const name = nameOf(reference);
  return withDefinitions(schemas.named[name]!, schemas, name);
}

function withDefinitions(schema: JsonSchema, { named }: Schemas, root?: string): ObjectSchema {
  const plain = plainRoot(schema, named);
  const isRecursive = root !== undefined && JSON.stringify(named).includes(`"${prefix}${root}"`);
  const used = usedBy(plain, named);
  const others = Object.entries(named).filter(([name]) => used.has(name) && (name !== root || isRecursive));
  const whole = others.length > 0 ? { ...plain, $defs: Object.fromEntries(others) } : plain;
  return JSON.parse(JSON.stringify(whole, plainJsonSchema).replaceAll(prefix, '#/$defs/')) as ObjectSchema;
}

const nameOf = (reference: JsonSchema): string => String(reference['$ref']).slice(prefix.length);

/**
 * Model APIs reject the whole list when one root is not a plain object. So alternatives become one object with all of
 * their fields. A field is required if all alternatives require it. The service validates the combination.
 */
function plainRoot(schema: JsonSchema, named: Schemas['named']): ObjectSchema {
  const { oneOf, anyOf, discriminator: _discriminator, ...rest } = schema;
  const forms = ((oneOf ?? anyOf) as JsonSchema[] | undefined)?.map((form) =>
    plainRoot('$ref' in form ? named[nameOf(form)]! : form, named),
  );
  if (!forms) return { properties: {}, ...schema, type: 'object' };
  const names = [...new Set(forms.flatMap(({ properties }) => Object.keys(properties)))];
  const properties = Object.fromEntries(names.map((name) => [name, merged(forms, name)]));
  const requiredBy = forms.map(({ required }) => (required as string[] | undefined) ?? []);
  const required = names.filter((name) => requiredBy.every((list) => list.includes(name)));
  const description = requiredBy
    .map((list) => list.filter((name) => !required.includes(name)).join(', '))
    .filter((list) => list !== '')
    .join('; or ');
  return {
    ...rest,
    ...(oneOf !== undefined && description !== '' && { description: `Send ${description}` }),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function merged(forms: readonly ObjectSchema[], name: string): JsonSchema {
  const each: JsonSchema[] = forms
    .map(({ properties }) => properties[name])
    .filter((one) => one !== undefined);
  const different = [...new Map(each.map((one) => [JSON.stringify(one), one])).values()];
  return different.length > 1 ? { anyOf: different } : different[0]!;
}

/** The names of the schemas that a schema uses, directly or indirectly. */
function usedBy(schema: JsonSchema, named: Schemas['named'], found = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name!)) continue;
    found.add(name!);
    usedBy(named[name!]!, named, found);
  }
  return found;
}

const jsonSchemaFormats: unknown[] = ['uuid', 'uri', 'date-time', 'date', 'email'];
const lookaround = /\(\?<?[=!]/;

/**
 * Removes what model APIs reject: extensions and formats of OpenAPI, and patterns that engines with linear time do not
 * support.
 */
function plainJsonSchema(key: string, value: unknown): unknown {
  if (key === 'discriminator' && typeof value === 'object' && value !== null && 'propertyName' in value)
    return undefined;
  if (key === 'format' && typeof value === 'string' && !jsonSchemaFormats.includes(value)) return undefined;
  // Removes an extension of OpenAPI such as `x-maximum`. A field with such a name has a schema as its value.
  if (key.startsWith('x-') && typeof value !== 'object') return undefined;
  return key === 'pattern' && typeof value === 'string' && lookaround.test(value) ? undefined : value;
}

/** Examples of results are a third of the list of tools, and do not help to call a tool. */
const withoutExamples = (schema: ObjectSchema): ObjectSchema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'examples' && Array.isArray(value) ? undefined : value,
    ),
  ) as ObjectSchema;
