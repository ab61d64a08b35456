import {
  DocumentComponents,
  exampleOf,
  fieldsOf,
  idempotencyKeyForm,
  isWalletAuth,
  type Auth,
  type JsonSchema,
  type Operation,
  type Schemas,
} from '@tollbridge/rpc';
import { linksOf, tags, webhooksApi, type Tag } from '@tollbridge/contracts';
import type { DocumentedRoute, GatewayRoute, OperationRoute } from '../routes/gateway-route';
import { describeSale, paymentInfoOf, saleParametersOf } from '../sales/sale-documentation';
import { failuresOf, repliesOf, routeReplies } from './documented-replies';
import { commonHeaders } from './reply-headers';
import { webhooksSection } from './webhooks';

const description = `One API to take a payment on any chain, swap across chains, and sell anything by HTTP 402.

**Requests.** Bodies are JSON objects of at most 256 KiB (64 KiB without a key or a wallet). A field that is not described
here is rejected, so that a typing mistake never silently drops an amount. Amounts are strings of an integer in the token's smallest unit.

**Failures.** Switch over \`code\`, which is stable; the message is for people. \`documentation_url\` explains the code,
and \`request_id\` finds the request in our logs. After \`503\`, nothing was done: retry in
\`Retry-After\` seconds. After \`504\`, the call may have taken effect: repeat it under the same \`Idempotency-Key\`, or
read the resource first.

**Lists.** Pass \`next_cursor\` of a page as \`cursor\` to get the next one; \`Link: <...>; rel="next"\` names its URL. A
\`limit\` above the maximum is treated as the maximum; \`x-limit\` is the limit that was used.

**Keys.** Send an API key as \`Authorization: Bearer\` or \`X-API-Key\`. Its publishable half (\`tb_test_pk_…\`) may be
published in a web page and calls operations that move no money by themselves; the secret (\`tb_test_sk_…\`) calls everything
that its permissions allow (\`read\`, \`pay\`, \`write\`, \`settings\`, \`webhooks\`), for the wallet that created the key.
Operations that need a key say so; elsewhere a key that is sent must be valid too. In \`401\`, \`details.reason\` is the reason.

**Wallets.** Operations on the resources of a merchant's wallet accept the secret of one of its keys, or the header
\`x-wallet\`; only the wallet manages keys and sessions. Sign in first: the wallet signs the reply of
\`POST /api/auth/challenge\`, \`POST /api/auth/verify\` returns a token (\`tb_test_ws_…\`); send it as
\`Authorization: Bearer\` beside the header. In the sandbox the header alone is enough. You may send an API key of the same
merchant beside both, in \`X-API-Key\` where the session token is in \`Authorization\`: the key makes the calls that its
permissions allow, and the wallet makes the others.

**Limits.** Requests are counted by key and its plan, without a key by address. "100 a minute, burst 200" means 100 a minute
in the long run and at most 200 in any 60 seconds: a bucket of \`q\` requests that fills up within \`w\` seconds, as
\`RateLimit-Policy\` says; \`RateLimit\` is the remainder. Over the limit, \`429\` with \`Retry-After\`.

**Repeat safely.** Send a new \`Idempotency-Key\` (1 to 255 visible ASCII characters, a UUID for example) with each new
POST or PUT, and the same one when you retry it: after a time-out, a cut connection, a \`503\` or a \`504\`. For 24 hours
the call takes effect once, and a replay gets the first reply byte for byte, with \`idempotent-replayed: true\`. While
the first call is in progress, a replay gets \`409 IDEMPOTENCY_IN_PROGRESS\` with \`Retry-After\`; the same key with another
body is \`422 IDEMPOTENCY_KEY_REUSED\`. Keys are scoped to the client and the route: the API key, the wallet, or without both
the address. Temporary failures (\`429\`, \`5xx\`) are not stored: retry under the same key. A corrected body is a new request.

**Ids.** Every reply carries \`x-request-id\`. Send your own (8 to 64 letters, digits, \`-\`, \`_\`), and a W3C
\`traceparent\`, to find your calls in the logs of both sides.`;

/** The OpenAPI 3.1 document of all routes that are operations or have documentation. */
export function openApiDocument(
  routes: readonly GatewayRoute[],
  serverUrl: string,
  version: string,
): JsonSchema {
  const components = new DocumentComponents();
  const { schemas, responses, parameters } = components;
  const paths: Record<string, Record<string, unknown>> = {};
  const put = ({ path, method }: Operation, described: JsonSchema) =>
    void ((paths[path] ??= {})[method.toLowerCase()] = described);
  const operations = routes.filter((route) => route.kind === 'operation');
  const own = routes.filter(isDocumented);
  const offered = new Set(operations.map(({ declaration }) => declaration.subject));
  for (const route of operations) put(route.declaration, describe(route, components, offered));
  for (const route of own) put(route.declaration, describeRoute(route, components));
  const used = new Set([
    ...operations.map(({ feature }) => feature.title),
    ...own.map(({ documentation }) => documentation.tag),
  ]);
  const hasWebhooks = operations.some(({ feature }) => feature === webhooksApi);
  return {
    openapi: '3.1.0',
    info: { title: 'Tollbridge', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl, description: 'The gateway' }],
    'x-service-info': serviceInfo(serverUrl),
    tags: [...used].map((name) => ({ name, description: tags[name as Tag] })),
    paths,
    ...(hasWebhooks && { webhooks: webhooksSection(webhooksApi.title, schemas) }),
    components: { schemas: schemas.named, headers: commonHeaders, parameters, responses, securitySchemes },
  };
}

/** Links to further documents for programs, as specified in draft-payment-discovery-00. */
function serviceInfo(serverUrl: string): JsonSchema {
  const base = serverUrl.replace(/\/+$/, '');
  const docs = { apiReference: `${base}/docs`, homepage: `${base}/guides`, llms: `${base}/llms.txt` };
  return { categories: ['payments', 'communication', 'shopping'], docs };
}

const isDocumented = (route: GatewayRoute): route is DocumentedRoute =>
  route.kind === 'own' && route.documentation !== undefined;

function describe(
  { declaration: operation, feature }: OperationRoute,
  components: DocumentComponents,
  offered: ReadonlySet<string>,
): JsonSchema {
  const { hasBody } = operation;
  const body = hasBody && {
    requestBody: { required: true, content: { 'application/json': bodyOf(operation, components.schemas) } },
  };
  const links = linksTo(operation, offered);
  const head = { ...headOf(feature.title, operation, components), ...paymentInfoOf(operation) };
  return { ...head, ...body, responses: repliesOf(operation, components, links) };
}

function describeRoute(
  { declaration, documentation }: DocumentedRoute,
  components: DocumentComponents,
): JsonSchema {
  const { tag, headers = [], body, replies, failures, offers } = documentation;
  // Fields of the input become parameters, because a body of these routes is not JSON.
  const plain = { ...declaration, hasBody: false };
  const content = body && { [body.type]: { schema: body.schema, example: body.example } };
  const head = headOf(tag, plain, components, headers);
  return {
    ...head,
    ...(offers && { 'x-payment-info': { offers } }),
    ...(content && { requestBody: { required: true, content } }),
    responses: { ...routeReplies(replies), ...failuresOf(plain, components, failures) },
  };
}

function headOf(
  tag: string,
  operation: Operation,
  components: DocumentComponents,
  headers: readonly JsonSchema[] = [],
): JsonSchema {
  const parameters = [...parametersOf(operation, components), ...headers];
  return {
    operationId: operation.operationId,
    tags: [tag],
    summary: operation.summary,
    ...(describeKey(operation) && { description: describeKey(operation) }),
    // Set on every operation, so that no operation becomes public by omission.
    security: securityOf(operation),
    ...(parameters.length > 0 && { parameters }),
  };
}

/** OpenAPI links, by the operation that they lead to. */
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

/** An object with the value at a path such as `a/0/b`. */
function nest(field: string, value: string): JsonSchema {
  const build = ([name, ...rest]: string[]): unknown => {
    if (name === undefined) return value;
    return /^\d+$/.test(name) ? [build(rest)] : { [name]: build(rest) };
  };
  return build(field.split('/')) as JsonSchema;
}

/** The body is the input without its path fields, or one field of the input. */
function bodyOf({ input, pathFields, body }: Operation, schemas: Schemas): JsonSchema {
  const whole = fieldsOf(input).find(({ name }) => name === body)?.schema as
    | { examples?: unknown[] }
    | undefined;
  if (whole) return { schema: whole, example: whole.examples?.[0] };
  return { schema: schemas.of(input, pathFields), example: exampleOf(input, pathFields) };
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer tb_test_sk_…`' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same key in its own header',
  },
  session: {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token of a wallet that has signed in: `Authorization: Bearer tb_test_ws_…`, beside the header `x-wallet`. In the sandbox the header alone is enough',
  },
};
const keySchemes = [{ bearer: [] }, { apiKey: [] }];
const walletSchemes = [{ session: [] }];

// `x-wallet` is a parameter, because an address is not a credential, and generated clients send every security scheme
// as a credential.
function securityOf({ auth, sale }: Operation): JsonSchema[] {
  if (auth === 'public') return [{}, ...keySchemes];
  // A payment can replace a key, and so can the purchase token that the payment bought.
  return sale === undefined ? schemesOf(auth) : [{}, ...schemesOf(auth)];
}

function schemesOf(auth: Exclude<Auth, 'public'>): JsonSchema[] {
  if (isWalletAuth(auth)) return walletSchemes;
  return auth.orWallet ? [...keySchemes, ...walletSchemes] : keySchemes;
}

function walletParameter(auth: Auth, components: DocumentComponents): JsonSchema[] {
  const isNeeded = isWalletAuth(auth);
  if (auth === 'public' || (!isNeeded && !auth.orWallet)) return [];
  const alone = isNeeded
    ? 'You may send an API key of the same merchant beside it.'
    : 'Not needed with the secret of an API key; beside one, it must be the wallet of that key.';
  return [
    components.parameter(isNeeded ? 'Wallet' : 'WalletOfKey', {
      name: 'x-wallet',
      in: 'header',
      required: isNeeded,
      description: `The address of your wallet. Outside the sandbox it must be the one that has signed in, with its session token in \`Authorization: Bearer\`. ${alone}`,
      schema: { type: 'string', minLength: 1, maxLength: 128 },
      example: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    }),
  ];
}

/** The description of the operation, with the key or wallet that it requires. */
function describeKey(operation: Operation): string {
  const { description, auth } = operation;
  if (auth === 'public') return description;
  if (isWalletAuth(auth)) return `${description}\n\n**Needs** the wallet, in the header \`x-wallet\`.`.trim();
  const half = auth.key === 'secret' ? 'the secret of an API key' : 'an API key, either half,';
  return `${description}\n\n**Needs** ${half} with the permission \`${auth.permission}\`${auth.orWallet ? ', or the wallet in `x-wallet`' : ''}.${describeSale(operation)}`.trim();
}

const idempotencyKeyParameter: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the call safe to retry: the same key and body within 24 hours get the first reply',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: idempotencyKeyForm.source },
  example: '5f0c1a52-6f0e-4c0b-9d0a-0b7c6a3a2d11',
};

function parametersOf(operation: Operation, components: DocumentComponents): JsonSchema[] {
  const { input, hasBody, pathFields, auth } = operation;
  const fields = fieldsOf(input)
    .filter(({ name }) => !hasBody || pathFields.includes(name))
    .flatMap(({ name, schema, isOptional, header }) => {
      const { description, examples, ...rest } = schema as { description: string; examples?: unknown[] };
      const inPath = pathFields.includes(name);
      const required = inPath || !isOptional;
      // Only required parameters have an `example`. API consoles send examples, and filters would reduce their lists.
      const shown = !examples ? {} : required ? { example: examples[0] } : undefined;
      const schemaOf = shown ? rest : { ...rest, examples };
      const place = {
        name,
        in: inPath ? 'path' : 'query',
        required,
        description,
        schema: schemaOf,
        ...shown,
      };
      return header === undefined ? [place] : [{ ...place, name: header, in: 'header' }, place];
    });
  const own = [...fields, ...walletParameter(auth, components), ...saleParametersOf(operation, components)];
  return hasBody ? [...own, components.parameter('IdempotencyKey', idempotencyKeyParameter)] : own;
}
