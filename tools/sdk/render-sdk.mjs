// The generated files of libs/sdk: a function and its types for each operation.
import { needsInput, operationsOf } from './operations.mjs';
import { comment, declaration, indent, membersOf, neededSchemas, typeOf } from './schema-types.mjs';

const head = '// Generated from libs/contracts: npm run docs\n';
const folder = 'libs/sdk/src/generated';
const usualTimeoutMs = 30_000;
// Above that of the server, which says more.
const marginMs = 5_000;

/** @param {any} product @param {any} document @returns {Record<string, string>} files by path */
export function renderSdk(product, document, asyncApi) {
  const operations = operationsOf(product, document);
  const streams = streamsOf(product, document);
  return {
    [`${folder}/schemas.ts`]: renderSchemas(operations, streams, { document, asyncApi }),
    [`${folder}/errors.ts`]: renderErrors(operations, product),
    [`${folder}/operations.ts`]: renderOperations(operations, streams, { product, document }),
    [`${folder}/webhooks.ts`]: renderWebhooks(document),
    [`${folder}/declared-types.ts`]: renderTypeTests(operations, product),
  };
}

function renderSchemas(operations, streams, { document, asyncApi }) {
  const values = [
    ...operations.flatMap(({ input, body, result }) => [input, body, result]),
    ...streams.map(({ messages }) => messages),
    ...Object.values(document.webhooks).map(({ post }) => post.requestBody),
    // The states of the WebSocket.
    document.components.schemas.TransactionUpdate,
  ];
  // Some messages of streams are no reply.
  const schemas = { ...asyncApi.components.schemas, ...document.components.schemas };
  const needed = neededSchemas(values, schemas);
  return [head, ...needed.map(([name, schema]) => `${declaration(name, schema)}\n`)].join('\n');
}

function renderErrors(operations, { bus, api }) {
  const codes = [...new Set([...operations.flatMap(({ errors }) => errors), ...api.streamErrorCodes])];
  const codeLines = codes.map((code) => `${comment(bus.errorCodes[code][1])}| '${code}'`);
  return [
    head,
    `/** Every code that the API declares for an operation. */\nexport type ErrorCode =\n${indent(codeLines.join('\n'))};\n`,
    `/** HTTP status of each code. */\nexport interface ErrorStatus {\n${indent(codes.map((code) => `${code}: ${bus.errorCodes[code][0]};`).join('\n'))}\n}\n`,
    '/** What each code says beside its message. */\nexport interface ErrorDetails {',
    ...codes.map((code) => indent(`${code}: ${detailsType(api.errorDetails[code])};`)),
    '}\n',
  ].join('\n');
}

const detailsType = (schema) => (schema ? typeOf(schema) : 'undefined');

function renderOperations(operations, streams, { product, document }) {
  const common = commonErrors(product);
  const lists = Object.entries(common).map(
    ([name, codes]) =>
      `const ${lower(name)} = '${codes.join(' ')}';\ntype ${name} = ${codes.map(quoted).join(' | ')};`,
  );
  return [
    head,
    `import type { Call, CallOptions } from '../call';
import type { Client } from '../client';
import type { ErrorOf } from '../errors';
import { eventStream, type StreamMessage, type StreamOptions } from '../event-stream';
import { list, type ListCall } from '../list';
import { send } from '../send';
import { socketStream, type SocketOptions } from '../socket-stream';
import type * as schemas from './schemas';
`,
    ...lists,
    ...operations.map((operation) => renderOperation(operation, { common, document })),
    ...streams.map((stream) => renderStream(stream, common)),
    renderSocket(product),
  ].join('\n');
}

/** Codes that many operations share. */
function commonErrors({ gateway }) {
  const plain = { errors: [], auth: 'public', hasBody: false, pathFields: [] };
  const every = gateway.errorsOf(plain);
  const more = (kind) => gateway.errorsOf({ ...plain, ...kind }).filter((code) => !every.includes(code));
  return {
    Common: every,
    WithBody: more({ hasBody: true }),
    WithPath: more({ pathFields: ['id'] }),
    WithKey: more({ auth: { key: 'secret', permission: 'read' } }),
  };
}

/** The codes of an operation, by the lists that it has whole. */
function errorParts(errors, common) {
  const whole = Object.entries(common).filter(([, codes]) => codes.every((code) => errors.includes(code)));
  const covered = new Set(whole.flatMap(([, codes]) => codes));
  const own = errors.filter((code) => !covered.has(code));
  const names = whole.map(([name]) => name);
  return {
    type: [...names, ...own.map(quoted)].join(' | '),
    text: `\`${[...names.map((name) => `\${${lower(name)}}`), ...own].join(' ')}\``,
  };
}

function renderOperation(operation, { common, document }) {
  const { name, declaration: declared, errors, result } = operation;
  const type = upper(name);
  const parts = errorParts(errors, common);
  const given = inputType(operation);
  const isNeeded = needsInput(operation, document);
  const parameter = given === undefined ? '' : `input${isNeeded ? '' : '?'}: ${type}Input, `;
  const { list } = operation;
  const resultType = typeOf(result, 'schemas.');
  const types = `${type}Result, ${list ? `${typeOf(list.item, 'schemas.')}, ` : ''}${type}Error`;
  return `${given === undefined ? '' : `${given}\n`}export type ${type}Result = ${resultType};
export type ${type}Error = ErrorOf<${parts.type}>;
${comment(describe(operation))}export function ${name}(client: Client, ${parameter}options?: CallOptions): ${list ? 'List' : ''}Call<${types}> {
  return ${list ? 'list' : 'send'}(client, ${routeText(operation, parts.text)}, ${given === undefined ? '{}' : 'input'}, options);
}
`;
}

function inputType({ name, input, body }) {
  const type = `${upper(name)}Input`;
  const own = input && `{\n${membersOf(input, 'schemas.')}\n}`;
  if (!input && !body) return undefined;
  if (!body) return `export interface ${type} ${own}`;
  return `export type ${type} = ${[typeOf(body, 'schemas.'), own].filter(Boolean).join(' & ')};`;
}

function routeText({ name, declaration: declared, list, documented }, errors) {
  const { method, path, body, style, timeoutMs } = declared;
  const headers = (documented.parameters ?? []).filter((each) => each.in === 'header');
  const fieldOfHeader = fieldHeaders(documented);
  const entries = [
    `id: '${name}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    `errors: ${errors}`,
    body !== undefined && `body: '${body}'`,
    fieldOfHeader && `headers: ${JSON.stringify(fieldOfHeader)}`,
    style === 'envelope' && 'isEnveloped: true',
    headers.some((each) => each.name === 'x-wallet') && 'takesWallet: true',
    declared.hasBody && declared.isRead && 'isRead: true',
    timeoutMs + marginMs > usualTimeoutMs && `timeoutMs: ${timeoutMs + marginMs}`,
    list && `list: ${JSON.stringify({ items: list.items, firstPage: list.firstPage })}`,
  ];
  return `{ ${entries.filter(Boolean).join(', ')} }`;
}

/** Fields that may travel in a header instead of the URL, where they would be logged. */
function fieldHeaders({ parameters = [] }) {
  const found = parameters.flatMap((each, at) => {
    const next = parameters[at + 1];
    const isPair = each.in === 'header' && next?.in === 'query' && next.description === each.description;
    return isPair ? [[next.name, each.name]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

const describe = ({ declaration: { method, path, summary, isSandboxOnly }, documented }) =>
  [`${summary}: \`${method} ${path}\`.`, isSandboxOnly && 'In the sandbox only.', documented.description]
    .filter(Boolean)
    .join('\n\n');

/** The streams of server-sent events, each with its documented route. */
function streamsOf({ eventStreams, gateway, bus, api }, document) {
  return eventStreams.map((stream) => {
    const { declaration: declared } = gateway
      .gatewayRoutes('sandbox')
      .find(({ declaration: { path } }) => path === stream.path);
    const messages = Object.entries(stream.sends)
      .filter(([event]) => event !== 'end')
      .map(([event, { payload }]) => ({ event, schema: { $ref: `#/components/schemas/${payload.name}` } }));
    return { stream, declared, errors: gateway.errorsOf(declared), messages };
  });
}

function renderStream({ stream, declared, errors, messages }, common) {
  const { operationId: name, path, summary } = declared;
  const type = upper(name);
  const parts = errorParts(errors, common);
  const union = messages.map(
    ({ event, schema }) => `StreamMessage<'${event}', ${typeOf(schema, 'schemas.')}>`,
  );
  const fields = Object.entries(stream.parameters).map(
    ([field, meaning]) => `${comment(meaning)}${field}: string;`,
  );
  const text = `${summary}, from the present state to the final one: \`GET ${path}\`.\n\nLeave the loop to close the stream. Lost connections are opened again. Throws a \`${type}Error\`.`;
  return `export interface ${type}Input {\n${indent(fields.join('\n'))}\n}
export type ${type}Message = ${union.join(' | ')};
export type ${type}Error = ErrorOf<${parts.type}>;
${comment(text)}export function ${name}(client: Client, input: ${type}Input, options?: StreamOptions): AsyncGenerator<${type}Message, void, undefined> {
  return eventStream(client, { id: '${name}', method: 'GET', path: '${path}', errors: ${parts.text}, events: ${JSON.stringify(messages.map(({ event }) => event))} }, input, options);
}
`;
}

/** The WebSocket of transaction sets, one set at a time. */
function renderSocket({ api, bus }) {
  const { path, sends } = api.transactionStream;
  const [{ schema: updateType }] = bus
    .fieldsOf(sends.transactionUpdate.payload)
    .filter(({ name }) => name === 'type');
  const statuses = api.streamErrorCodes.map((code) => `${code}: ${bus.errorCodes[code][0]}`);
  const text = `Follow a transaction set, from the present state to the final one: WebSocket \`${path}\`.\n\nLeave the loop to close the socket. After a lost connection it is opened again, and states that were returned are left out. Throws a \`FollowTransactionError\`.`;
  return `export interface FollowTransactionInput {\n  /** \`transactionId\` of the build reply */\n  transactionId: string;\n}
export type FollowTransactionError = ErrorOf<${api.streamErrorCodes.map(quoted).join(' | ')}>;
${comment(text)}export function followTransaction(client: Client, input: FollowTransactionInput, options?: SocketOptions): AsyncGenerator<schemas.TransactionUpdate, void, undefined> {
  return socketStream(client, { id: 'followTransaction', path: '${path}', errors: { ${statuses.join(', ')} }, update: '${updateType.enum[0]}', final: ['completed', 'failed', 'expired'] }, input, options);
}
`;
}

function renderWebhooks({ webhooks }) {
  const members = Object.values(webhooks).map(({ post }) => {
    const { schema } = post.requestBody.content['application/json'];
    return `${comment(post.summary)}| ${typeOf(schema, 'schemas.')}`;
  });
  return `${head}
import type * as schemas from './schemas';

/** A message to a merchant, discriminated by \`type\`. */
export type WebhookEvent =
${indent(members.join('\n'))};

export type WebhookType = WebhookEvent['type'];
`;
}

/** For each operation: its types are those of the declaration, which the service implements. */
function renderTypeTests(operations, { features, api, bus }) {
  const exported = new Map(Object.entries(api).map(([name, value]) => [value, name]));
  const featureOf = new Map(
    features.flatMap((feature) =>
      Object.values(feature.operations).map((each) => [each, exported.get(feature)]),
    ),
  );
  const used = [...new Set(featureOf.values())].sort();
  const lines = operations.map((operation) => {
    const { name, declaration: declared } = operation;
    const declaredType = `(typeof ${featureOf.get(declared)}.operations)['${declared.name}']`;
    const hasInput = inputType(operation) !== undefined;
    const relation = hasInput ? relationOf(declared.input, bus, 'SameInput') : 'Empty';
    const input = `${hasInput ? `sdk.${upper(name)}Input, ` : ''}InputOf<${declaredType}>`;
    const result = `sdk.${upper(name)}Result, OutputOf<${declaredType}>`;
    return `  ${name}: [Expect<${relation}<${input}>>, Expect<${relationOf(declared.output, bus, 'Same')}<${result}>>];`;
  });
  return `${head}
import type { ${used.join(', ')} } from '@tollbridge/contracts';
import type { InputOf, OutputOf } from '@tollbridge/rpc';
import type * as sdk from '..';
import type { Accepts, Empty, Expect, Narrower, NarrowerInput, Same, SameInput } from '../testing/type-equality';

/** Compiled by the type check: a type that differs from its declaration is an error in its line. */
export interface DeclaredTypes {
${lines.join('\n')}
}
`;
}

/** The type of the schema is more precise where a class declares alternatives, or takes JSON as text. */
function relationOf(source, bus, otherwise) {
  const item = bus.itemOf(source);
  if (item) return relationOf(item, bus, otherwise);
  if (source.forms) return 'NarrowerInput';
  if (source.variants) return 'Narrower';
  const fields = bus.fieldsOf(source);
  if (fields.some(({ fromJson }) => fromJson)) return 'Accepts';
  const relations = fields.flatMap(({ nested }) =>
    nested ? relationOf(nested.class(), bus, otherwise) : [],
  );
  return relations.find((relation) => relation !== otherwise) ?? otherwise;
}

const quoted = (text) => `'${text}'`;
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
