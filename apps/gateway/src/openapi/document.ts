import {
  exampleOf,
  fieldsOf,
  idempotencyKeyForm,
  isWalletAuth,
  Schemas,
  type Auth,
  type Feature,
  type JsonSchema,
  type Operation,
} from '@tollbridge/rpc';
import { linksOf, tags, webhooksApi, type Tag } from '@tollbridge/contracts';
import type { DocumentedRoute } from './documented-route';
import { failuresOf, repliesOf, routeReplies } from './replies';
import { webhooksSection } from './webhooks';

const description = `One API to take a payment on any chain, swap across chains, and sell anything by HTTP 402.

**Requests.** Bodies are JSON objects of at most 256 KiB (64 KiB without a key or a wallet). A field that is not described
here is refused, so that a typing mistake never silently drops an amount. Amounts are strings of an integer in the token's smallest unit.

**Failures.** Switch over \`code\`, which is stable; the sentence is for people. \`documentation_url\` explains the code,
and \`request_id\` finds the request in our logs. After \`503\`, retry in \`Retry-After\` seconds. After \`504\`, the call may
have taken effect: read the resource before you repeat it.

**Lists.** Pass \`next_cursor\` of a page as \`cursor\` to get the next one; \`Link: <...>; rel="next"\` names its URL. A
\`limit\` above the maximum is read as the maximum; \`x-limit\` says which limit was used.

**Keys.** Send an API key as \`Authorization: Bearer\` or \`X-API-Key\`. Its publishable half (\`tb_test_pk_…\`) may stand
in a page and calls what moves no money by itself; the secret (\`tb_test_sk_…\`) calls everything that its
permissions allow (\`read\`, \`pay\`, \`write\`, \`settings\`, \`webhooks\`), for the wallet that made the key. What needs a key
says so; elsewhere one that is sent must be valid too. In \`401\`, \`details.reason\` says what is wrong with it.

**Wallets.** What belongs to a merchant's wallet is called with the secret of one of its keys, or with the header
\`x-wallet\`; keys and sessions are managed by the wallet only. Sign in first: the wallet signs what
\`POST /api/auth/challenge\` answers, \`POST /api/auth/verify\` answers a token (\`tb_test_ws_…\`), and that stands in
\`Authorization: Bearer\` beside the header. In the sandbox the header alone will do. An API key of the same merchant
may stand beside both, in \`X-API-Key\` where the session token is in \`Authorization\`: it makes the calls that it may
make, and the wallet makes the others.

**Limits.** Requests are counted by key and its plan, without a key by address. "100 a minute, burst 200" means 100 a minute
in the long run and at most 200 in any 60 seconds: a bucket of \`q\` requests that fills up within \`w\` seconds, as
\`RateLimit-Policy\` says; \`RateLimit\` says what is left. Over it, \`429\` with \`Retry-After\`.

**Repeat safely.** Send a new \`Idempotency-Key\` (1 to 255 visible ASCII characters, a UUID for example) with each new
POST or PUT, and the same one when you repeat it: after a time-out, a cut connection, a \`503\` or a \`504\`. For 24 hours
the call takes effect once, and a repetition gets the first reply byte for byte, with \`idempotent-replayed: true\`. While
the first is being served, it gets \`409 IDEMPOTENCY_IN_PROGRESS\` with \`Retry-After\`; the same key with another body is
\`422 IDEMPOTENCY_KEY_REUSED\`. Keys belong to their caller and their route: the API key, the wallet, or without both the
address. What may pass
(\`429\`, \`5xx\`) is not kept: repeat it under the same key. A body that you have corrected is a new request.

**Ids.** Every reply carries \`x-request-id\`. Send your own (8 to 64 letters, digits, \`-\`, \`_\`), and a W3C
\`traceparent\`, to find your calls in the logs of both sides.`;

/** The OpenAPI 3.1 document of the given features and routes; it says what their declarations say. */
export function openApiDocument(
  features: readonly Feature[],
  serverUrl: string,
  version: string,
  routes: readonly DocumentedRoute[] = [],
): JsonSchema {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, unknown>> = {};
  const put = ({ path, method }: Operation, described: JsonSchema) =>
    void ((paths[path] ??= {})[method.toLowerCase()] = described);
  const operations = features.flatMap(({ title, operations: own }) =>
    Object.values(own).map((one) => [title, one as Operation] as const),
  );
  const offered = new Set(operations.map(([, { subject }]) => subject));
  for (const [title, operation] of operations) put(operation, describe(title, operation, schemas, offered));
  for (const route of routes) put(route.operation, describeRoute(route, schemas));
  const used = new Set([...features.map(({ title }) => title), ...routes.map(({ tag }) => tag)]);
  return {
    openapi: '3.1.0',
    info: { title: 'Tollbridge', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl, description: 'The gateway' }],
    tags: [...used].map((name) => ({ name, description: tags[name as Tag] })),
    paths,
    ...(features.includes(webhooksApi) && { webhooks: webhooksSection(webhooksApi.title, schemas) }),
    components: { schemas: schemas.named, securitySchemes },
  };
}

function describe(
  tag: string,
  operation: Operation,
  schemas: Schemas,
  offered: ReadonlySet<string>,
): JsonSchema {
  const { hasBody } = operation;
  const body = hasBody && {
    requestBody: { required: true, content: { 'application/json': bodyOf(operation, schemas) } },
  };
  const links = linksTo(operation, offered);
  return { ...headOf(tag, operation), ...body, responses: repliesOf(operation, schemas, links) };
}

function describeRoute(
  { tag, operation, headers = [], ...route }: DocumentedRoute,
  schemas: Schemas,
): JsonSchema {
  const { body } = route;
  // Its body, if any, is not JSON: the fields of its input are parameters.
  const plain = { ...operation, hasBody: false };
  const content = body && { [body.type]: { schema: body.schema, example: body.example } };
  const head = headOf(tag, plain, headers);
  return {
    ...head,
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...routeReplies(route.replies), ...failuresOf(plain, schemas, route.failures) },
  };
}

function headOf(tag: string, operation: Operation, headers: readonly JsonSchema[] = []): JsonSchema {
  const parameters = [...parametersOf(operation), ...headers];
  return {
    operationId: operation.operationId,
    tags: [tag],
    summary: operation.summary,
    ...(describeKey(operation) && { description: describeKey(operation) }),
    // Said of each, so that none is public by being forgotten.
    security: securityOf(operation.auth),
    ...(parameters.length > 0 && { parameters }),
  };
}

/** OpenAPI links by the operations that they lead to. */
function linksTo(operation: Operation, offered: ReadonlySet<string>): Record<string, JsonSchema> {
  const links: Record<string, JsonSchema> = {};
  for (const { pointer, to, field } of linksOf(operation)) {
    if (!offered.has(to.subject)) continue;
    const isInBody = to.hasBody && !to.pathFields.includes(field);
    const value = `$response.body#${pointer}`;
    const link = (links[to.operationId] ??= { operationId: to.operationId });
    const [part, entry] = isInBody ? ['requestBody', nest(field, value)] : ['parameters', { [field]: value }];
    link[part] = { ...(link[part] as JsonSchema | undefined), ...entry };
  }
  return links;
}

/** `a/0/b` as the object that holds the value there. */
function nest(field: string, value: string): JsonSchema {
  const build = ([name, ...rest]: string[]): unknown => {
    if (name === undefined) return value;
    return /^\d+$/.test(name) ? [build(rest)] : { [name]: build(rest) };
  };
  return build(field.split('/')) as JsonSchema;
}

/** The body is the input without what stands in the path, or one field of it. */
function bodyOf({ input, pathFields, body }: Operation, schemas: Schemas): JsonSchema {
  const whole = fieldsOf(input).find(({ name }) => name === body)?.schema as
    { examples?: unknown[] } | undefined;
  if (whole) return { schema: whole, example: whole.examples?.[0] };
  return { schema: schemas.of(input, pathFields), example: exampleOf(input, pathFields) };
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer tb_test_sk_…`' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same key in a header of its own',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of a wallet that has signed in: `Authorization: Bearer tb_test_ws_…`, beside the header `x-wallet`. In the sandbox the header alone is taken',
  },
};
const keySchemes = [{ bearer: [] }, { apiKey: [] }];
const walletSchemes = [{ session: [] }];

// `x-wallet` is a parameter: an address is no credential, and generated clients send one credential by every scheme.
function securityOf(auth: Auth): JsonSchema[] {
  if (auth === 'public') return [{}, ...keySchemes];
  if (isWalletAuth(auth)) return walletSchemes;
  return auth.orWallet ? [...keySchemes, ...walletSchemes] : keySchemes;
}

function walletParameter(auth: Auth): JsonSchema[] {
  const isNeeded = isWalletAuth(auth);
  if (auth === 'public' || (!isNeeded && !auth.orWallet)) return [];
  const alone = isNeeded
    ? 'An API key of the same merchant may stand beside it.'
    : 'Leave it out when you send the secret of an API key; with one it must be the wallet of that key.';
  return [
    {
      name: 'x-wallet',
      in: 'header',
      required: isNeeded,
      description: `The address of your wallet. Outside the sandbox it must be the one that has signed in, with its session token in \`Authorization: Bearer\`. ${alone}`,
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    },
  ];
}

/** What it does, and which key it needs, or that it needs the wallet. */
function describeKey({ description, auth }: Operation): string {
  if (auth === 'public') return description;
  if (isWalletAuth(auth)) return `${description}\n\n**Needs** the wallet, in the header \`x-wallet\`.`.trim();
  const half = auth.key === 'secret' ? 'the secret of an API key' : 'an API key, either half,';
  return `${description}\n\n**Needs** ${half} with the permission \`${auth.permission}\`${auth.orWallet ? ', or the wallet in `x-wallet`' : ''}.`.trim();
}

const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes the call safe to repeat: the same key and body within 24 hours get the first reply again',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: idempotencyKeyForm.source },
  example: '5f0c1a52-6f0e-4c0b-9d0a-0b7c6a3a2d11',
};

function parametersOf({ input, hasBody, pathFields, auth }: Operation): JsonSchema[] {
  const fields = fieldsOf(input)
    .filter(({ name }) => !hasBody || pathFields.includes(name))
    .flatMap(({ name, schema, isOptional, header }) => {
      const { description, examples, ...rest } = schema as { description: string; examples?: unknown[] };
      const inPath = pathFields.includes(name);
      const required = inPath || !isOptional;
      // Readers of the document send every `example`: filters that the reader did not choose would empty their lists.
      const shown = !examples ? {} : required ? { example: examples[0] } : undefined;
      const schemaOf = shown ? rest : { ...rest, examples };
      const place = {
        ...{ name, in: inPath ? 'path' : 'query', required, description },
        ...{ schema: schemaOf, ...shown },
      };
      return header === undefined ? [place] : [{ ...place, name: header, in: 'header' }, place];
    });
  const wallet = walletParameter(auth);
  return hasBody ? [...fields, ...wallet, idempotencyKeyParameter] : [...fields, ...wallet];
}
