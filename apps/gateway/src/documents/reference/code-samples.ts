import { commandWord } from '@tollbridge/contracts';
import { isWalletAuth } from '@tollbridge/rpc';
import type { ParameterObject } from './open-api';
import type { ReferenceOperation } from './reference-groups';

export interface Deployment {
  /** The URL of the gateway. */
  url: string;
  /** In the sandbox, the address of a wallet suffices, without a session. */
  isSandbox: boolean;
}

export interface CodeSample {
  language: 'curl' | 'sdk' | 'cli';
  code: string;
}

type Input = Record<string, unknown>;

const walletOfExamples = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

/** Shows a call with curl, and with the SDK and the command line if they support it. */
export function codeSamples(
  operation: ReferenceOperation,
  group: string,
  deployment: Deployment,
): CodeSample[] {
  const samples: CodeSample[] = [{ language: 'curl', code: curlSample(operation, deployment) }];
  if (operation.client) samples.push({ language: 'sdk', code: sdkSample(operation, deployment) });
  // The command line signs in with keys. It signs in with a wallet in the sandbox only.
  const hasCommand = deployment.isSandbox || !isWalletAuth(operation.declaration.auth);
  if (operation.client === 'function' && hasCommand)
    samples.push({ language: 'cli', code: cliSample(operation, group) });
  return samples;
}

function curlSample(operation: ReferenceOperation, { url, isSandbox }: Deployment): string {
  const { method, body, replies } = operation;
  const target = quoted(url + pathOf(operation));
  const [reply] = replies;
  const flags = [
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(reply?.status === 101 ? handshake : []),
    ...(reply?.content?.type === 'text/event-stream' ? ['--no-buffer'] : []),
    ...(/^(image|application\/(pdf|octet-stream))/.test(reply?.content?.type ?? '')
      ? ['--output reply']
      : []),
    ...curlHeaders(operation, isSandbox).map((header) => `-H ${header}`),
    ...(body ? curlBody(body) : []),
  ];
  return [`curl ${target}`, ...flags].join(' \\\n  ');
}

const handshake = [
  '--include --no-buffer --http1.1',
  "-H 'connection: upgrade' -H 'upgrade: websocket'",
  "-H 'sec-websocket-version: 13' -H 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='",
];

function curlHeaders({ declaration, parameters }: ReferenceOperation, isSandbox: boolean): string[] {
  const named = requiredOf(parameters).filter((each) => each.in === 'header' && each.name !== 'x-wallet');
  const isWallet = isWalletAuth(declaration.auth);
  return [
    ...(isWallet ? [quoted(`x-wallet: ${walletOfExamples}`)] : []),
    ...(isWallet && !isSandbox ? ['"Authorization: Bearer $TOLLBRIDGE_SESSION_TOKEN"'] : []),
    ...(!isWallet && declaration.auth !== 'public' ? ['"Authorization: Bearer $TOLLBRIDGE_API_KEY"'] : []),
    ...named.map(({ name, example }) => quoted(`${name}: ${String(example)}`)),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key') ? ['"Idempotency-Key: $(uuidgen)"'] : []),
  ];
}

function curlBody({ type, example }: NonNullable<ReferenceOperation['body']>): string[] {
  if (type === 'application/x-www-form-urlencoded')
    return Object.entries(example as Input).map(
      ([name, value]) => `--data-urlencode ${quoted(`${name}=${String(value)}`)}`,
    );
  const header = `-H ${quoted(`content-type: ${type}`)}`;
  if (type !== 'application/json') return [header, '--data-binary @body'];
  return [header, `-d ${quoted(JSON.stringify(example ?? {}, null, 2))}`];
}

/** The path with the required path and query fields. */
function pathOf({ path, parameters }: ReferenceOperation): string {
  const required = requiredOf(parameters);
  const inPath = new Map(required.filter((each) => each.in === 'path').map((each) => [each.name, each]));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(exampleOf(inPath.get(name)))),
  );
  const query = new URLSearchParams();
  for (const each of required.filter(({ in: place }) => place === 'query'))
    for (const value of [exampleOf(each)].flat()) query.append(each.name, String(value));
  return query.size > 0 ? `${filled}?${query}` : filled;
}

const requiredOf = (parameters: readonly ParameterObject[]): ParameterObject[] =>
  parameters.filter(({ required }) => required);

const exampleOf = (parameter: ParameterObject | undefined): unknown => parameter?.example ?? '…';

/** Path, query and body in one object, as the SDK and the command line expect them. */
function inputOf({ parameters, body, declaration }: ReferenceOperation): Input {
  const fields = requiredOf(parameters).filter((each) => each.in !== 'header');
  const input = Object.fromEntries(fields.map((each) => [each.name, exampleOf(each)]));
  if (!body) return input;
  return {
    ...input,
    ...(declaration.body === undefined ? (body.example as Input) : { [declaration.body]: body.example }),
  };
}

function sdkSample(operation: ReferenceOperation, { url, isSandbox }: Deployment): string {
  const { id, client, declaration } = operation;
  const { auth } = declaration;
  const options = [
    `baseUrl: ${literal(url)}`,
    ...(isWalletAuth(auth) ? [`wallet: ${literal(walletOfExamples)}`] : []),
    ...(isWalletAuth(auth) && !isSandbox ? ['sessionToken: process.env.TOLLBRIDGE_SESSION_TOKEN'] : []),
    ...(!isWalletAuth(auth) && auth !== 'public' ? ['apiKey: process.env.TOLLBRIDGE_API_KEY'] : []),
  ];
  const input = inputOf(operation);
  const given = Object.keys(input).length > 0 ? `client, ${literal(input)}` : 'client';
  const call = `${id}(${given})`;
  return [
    `import { createClient, ${id} } from '@tollbridge/sdk';`,
    '',
    `const client = createClient({\n${options.map((option) => `  ${option},\n`).join('')}});`,
    client === 'stream'
      ? `for await (const message of ${call}) console.log(message);`
      : `console.log(await ${call});`,
  ].join('\n');
}

/** A value as JavaScript source. */
function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  const block = (open: string, lines: readonly string[], close: string) =>
    lines.length === 0
      ? open + close
      : `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
  if (typeof value === 'string')
    return `'${JSON.stringify(value)
      .slice(1, -1)
      .replaceAll('\\"', '"')
      .replaceAll("'", String.raw`\'`)}'`;
  if (Array.isArray(value))
    return block(
      '[',
      value.map((each) => literal(each, inner)),
      ']',
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${keyOf(name)}: ${literal(each, inner)}`);
  return block('{', entries, '}');
}

const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

function cliSample(operation: ReferenceOperation, group: string): string {
  const flags = Object.entries(inputOf(operation)).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `--${name.replaceAll('_', '-')} ${/^[\w.:/@+-]+$/.test(text) ? text : quoted(text)}`;
  });
  const wallet = isWalletAuth(operation.declaration.auth) ? [`--as-wallet ${walletOfExamples}`] : [];
  return [`tollbridge ${group} ${commandWord(operation.id)}`, ...flags, ...wallet].join(' \\\n  ');
}

/** A text as one word of a shell command. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
