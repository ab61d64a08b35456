import { fieldsOf, type Feature, type JsonSchema, type Operation } from '@tollbridge/bus';
import { repliesOf } from './replies';
import { exampleOf, Schemas } from './schemas';

const description = `One API to take a payment on any chain, swap across chains, and sell anything by HTTP 402.

**Requests.** Bodies are JSON objects of at most 256 KiB. A field that is not described here is refused, so that a
typing mistake never silently drops an amount. Amounts are strings of an integer in the token's smallest unit.

**Failures.** Switch over \`code\`, which is stable; the sentence beside it is for people. \`503\` means not now: repeat
after \`Retry-After\` seconds. \`504\` means that the call may have taken effect: read the resource before you repeat it.

**Keys.** Send an API key as \`Authorization: Bearer\` or \`X-API-Key\`. Its publishable half (\`tb_test_pk_…\`) may stand
in a page and calls what moves nobody's money by itself; the secret (\`tb_test_sk_…\`) calls everything that its
permissions allow. What needs a key says so; elsewhere one that is sent must be valid too. In \`401\`, \`details.reason\`
tells what is wrong with it.

**Limits.** Requests are counted by key and its plan, without a key by address: a bucket of \`q\` requests that fills up
within \`w\` seconds, as \`RateLimit-Policy\` says; \`RateLimit\` says what is left. Over it, \`429\` with \`Retry-After\`.

**Ids.** Every reply carries \`x-request-id\`. Send your own (8 to 64 letters, digits, \`-\`, \`_\`), and a W3C
\`traceparent\`, to find your calls in the logs of both sides.`;

/** The OpenAPI 3.1 document of the given features; what it says of an operation is what the operation declares. */
export function openApiDocument(
  features: readonly Feature[],
  serverUrl: string,
  version: string,
): JsonSchema {
  const schemas = new Schemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const feature of features) {
    for (const operation of Object.values(feature.operations) as Operation[]) {
      (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(feature, operation, schemas);
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Tollbridge', version, description, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: serverUrl, description: 'The gateway' }],
    tags: features.map(({ title, app }) => ({ name: title, description: `Answered by the service ${app}` })),
    paths,
    components: { schemas: schemas.named, securitySchemes },
  };
}

function describe(feature: Feature, operation: Operation, schemas: Schemas): JsonSchema {
  const { name, summary, input, auth, pathFields, hasBody } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: name,
    tags: [feature.title],
    summary,
    ...(describeKey(operation) && { description: describeKey(operation) }),
    // Said of each, so that none is public by being forgotten.
    security: auth === 'public' ? [{}, ...bothSchemes] : bothSchemes,
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemas.of(input, pathFields),
            example: exampleOf(input, pathFields),
          },
        },
      },
    }),
    responses: repliesOf(operation, schemas),
  };
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer tb_test_sk_…`' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'The same key in a header of its own',
  },
};
const bothSchemes = Object.keys(securitySchemes).map((scheme) => ({ [scheme]: [] }));

/** What it does, and which key it needs. */
function describeKey({ description, auth }: Operation): string {
  if (auth === 'public') return description;
  const half = auth.key === 'secret' ? 'the secret of an API key' : 'an API key, either half,';
  return `${description}\n\n**Needs** ${half} with the permission \`${auth.permission}\`.`.trim();
}

function parametersOf({ input, hasBody, pathFields }: Operation): JsonSchema[] {
  return fieldsOf(input)
    .filter(({ name }) => !hasBody || pathFields.includes(name))
    .map(({ name, schema, isOptional }) => {
      const { description, examples, ...rest } = schema as { description: string; examples?: unknown[] };
      const inPath = pathFields.includes(name);
      return {
        name,
        in: inPath ? 'path' : 'query',
        required: inPath || !isOptional,
        description,
        schema: rest,
        ...(examples && { example: examples[0] }),
      };
    });
}
