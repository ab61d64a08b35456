// Renders the generated files of libs/sdk: a function and its types for each operation.
import { needsInput, routesOf } from './operations.mjs';
import { comment, declaration, indent, membersOf, neededSchemas, typeOf } from './schema-types.mjs';

const head = '// Generated from docs/openapi.json: node tools/generate.mjs\n';
const folder = 'libs/sdk/src/generated';
// The client waits longer than the server, because an error of the server has more details.
const marginMs = 5_000;

/**
 * @param {import('./describe.mjs').Description} description @param {import('./operations.mjs').SdkOperation[]} operations
 * @param {{ document: any, asyncApi: any }} documents
 * @returns {Record<string, string>} files by path
 */
export function renderSdk(description, operations, { document, asyncApi }) {
  const streams = streamsOf(description, document);
  return {
    [`${folder}/schemas.ts`]: renderSchemas(operations, streams, { document, asyncApi }),
    [`${folder}/errors.ts`]: renderErrors(description, document),
    [`${folder}/operations.ts`]: renderOperations(description, operations, streams, document),
    [`${folder}/webhooks.ts`]: renderWebhooks(document),
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
  // Some stream messages are not replies.
  const schemas = { ...asyncApi.components.schemas, ...document.components.schemas };
  const needed = neededSchemas(values, schemas);
  return [head, ...needed.map(([name, schema]) => `${declaration(name, schema)}\n`)].join('\n');
}

function renderErrors({ errors }, document) {
  const codes = Object.entries(errors);
  const codeLines = codes.map(([code, { message }]) => `${comment(message)}| '${code}'`);
  return [
    head,
    `/** Every code that the API declares for an operation. */\nexport type ErrorCode =\n${indent(codeLines.join('\n'))};\n`,
    `/** HTTP status of each code. */\nexport interface ErrorStatus {\n${indent(codes.map(([code, { status }]) => `${code}: ${status};`).join('\n'))}\n}\n`,
    '/** What each code says beside its message. */\nexport interface ErrorDetails {',
    ...codes.map(([code]) => indent(`${code}: ${detailsType(code, document.components.schemas)};`)),
    '}\n',
  ].join('\n');
}

function detailsType(code, schemas) {
  const failures = Object.values(schemas).filter(({ properties }) => properties?.code?.enum?.[0] === code);
  // Some codes occur only in routes with an envelope, where `details` may be empty.
  const { details } = (failures.find(({ properties }) => properties.error) ?? failures[0])?.properties ?? {};
  const declared = (details?.anyOf ?? [details]).filter((each) => each?.properties ?? each?.items);
  return declared.length > 0 ? typeOf({ anyOf: declared }) : 'undefined';
}

function renderOperations(description, operations, streams, document) {
  const { sharedErrors, socket, errors } = description;
  const lists = Object.entries(sharedErrors).map(
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
    ...operations.map((operation) => renderOperation(operation, { sharedErrors, document })),
    ...streams.map((stream) => renderStream(stream, sharedErrors)),
    renderSocket(socket, errors),
  ].join('\n');
}

/** Returns the codes of an operation, grouped by the lists that are completely included. */
function errorParts({ errors = [], shared = [] }, sharedErrors) {
  const names = ['Common', ...shared];
  const covered = names.flatMap((name) => sharedErrors[name]);
  const own = errors.filter((code) => !covered.includes(code));
  return {
    type: [...names, ...own.map(quoted)].join(' | '),
    text: `\`${[...names.map((name) => `\${${lower(name)}}`), ...own].join(' ')}\``,
  };
}

function renderOperation(operation, { sharedErrors, document }) {
  const { name, described, result, list } = operation;
  const type = upper(name);
  const parts = errorParts(described, sharedErrors);
  const given = inputType(operation);
  const isNeeded = needsInput(operation, document);
  const parameter = given === undefined ? '' : `input${isNeeded ? '' : '?'}: ${type}Input, `;
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

function routeText({ name, method, path, described, isEnveloped, list, documented }, errors) {
  const { body, isRead, timeoutMs } = described;
  const headers = (documented.parameters ?? []).filter((each) => each.in === 'header');
  const fieldOfHeader = fieldHeaders(documented);
  const entries = [
    `id: '${name}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    `errors: ${errors}`,
    body !== undefined && `body: '${body}'`,
    fieldOfHeader && `headers: ${JSON.stringify(fieldOfHeader)}`,
    isEnveloped && 'isEnveloped: true',
    headers.some((each) => each.name === 'x-wallet') && 'takesWallet: true',
    isRead && 'isRead: true',
    timeoutMs !== undefined && `timeoutMs: ${timeoutMs + marginMs}`,
    list && `list: ${JSON.stringify({ items: list.items, firstPage: list.firstPage })}`,
  ];
  return `{ ${entries.filter(Boolean).join(', ')} }`;
}

/** Fields that may be sent in a header instead of the URL, because URLs are logged. */
function fieldHeaders({ parameters = [] }) {
  const found = parameters.flatMap((each, at) => {
    const next = parameters[at + 1];
    const isPair = each.in === 'header' && next?.in === 'query' && next.description === each.description;
    return isPair ? [[next.name, each.name]] : [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

const describe = ({ method, path, summary, described: { isSandboxOnly }, documented }) =>
  [`${summary}: \`${method} ${path}\`.`, isSandboxOnly && 'In the sandbox only.', documented.description]
    .filter(Boolean)
    .join('\n\n');

/** Returns the streams of server-sent events, each with its documented route. */
function streamsOf({ streams }, document) {
  const routes = routesOf(document);
  return Object.entries(streams).map(([name, { messages, ...errors }]) => {
    const { path, documented } = routes.get(name);
    return {
      name,
      path,
      documented,
      errors,
      messages: Object.entries(messages).map(([event, schema]) => ({
        event,
        schema: { $ref: `#/components/schemas/${schema}` },
      })),
    };
  });
}

function renderStream({ name, path, documented, errors, messages }, sharedErrors) {
  const type = upper(name);
  const parts = errorParts(errors, sharedErrors);
  const union = messages.map(
    ({ event, schema }) => `StreamMessage<'${event}', ${typeOf(schema, 'schemas.')}>`,
  );
  const fields = documented.parameters
    .filter((each) => each.in === 'path')
    .map((each) => `${comment(each.description)}${each.name}: string;`);
  const text = `${documented.summary}, from the present state to the final one: \`GET ${path}\`.\n\nLeave the loop to close the stream. Lost connections are opened again. Throws a \`${type}Error\`.`;
  return `export interface ${type}Input {\n${indent(fields.join('\n'))}\n}
export type ${type}Message = ${union.join(' | ')};
export type ${type}Error = ErrorOf<${parts.type}>;
${comment(text)}export function ${name}(client: Client, input: ${type}Input, options?: StreamOptions): AsyncGenerator<${type}Message, void, undefined> {
  return eventStream(client, { id: '${name}', method: 'GET', path: '${path}', errors: ${parts.text}, events: ${JSON.stringify(messages.map(({ event }) => event))} }, input, options);
}
`;
}

/** Renders the WebSocket of transaction sets, with one set per connection. */
function renderSocket({ path, update, errors: codes }, errors) {
  const statuses = codes.map((code) => `${code}: ${errors[code].status}`);
  const text = `Follow a transaction set, from the present state to the final one: WebSocket \`${path}\`.\n\nLeave the loop to close the socket. After a lost connection it is opened again, and states that were returned are left out. Throws a \`FollowTransactionError\`.`;
  return `export interface FollowTransactionInput {\n  /** \`transactionId\` of the build reply */\n  transactionId: string;\n}
export type FollowTransactionError = ErrorOf<${codes.map(quoted).join(' | ')}>;
${comment(text)}export function followTransaction(client: Client, input: FollowTransactionInput, options?: SocketOptions): AsyncGenerator<schemas.TransactionUpdate, void, undefined> {
  return socketStream(client, { id: 'followTransaction', path: '${path}', errors: { ${statuses.join(', ')} }, update: '${update}', final: ['completed', 'failed', 'expired'] }, input, options);
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

const quoted = (text) => `'${text}'`;
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text) => text.charAt(0).toLowerCase() + text.slice(1);
