import {
  DomainError,
  errorCodes,
  exampleOfOutput,
  fieldsOf,
  isWalletAuth,
  type Auth,
  type ErrorCode,
  type JsonSchema,
  type Operation,
  type ReplyStyle,
  type Schemas,
} from '@tollbridge/rpc';
import { errorDetails, type KeyRejection } from '@tollbridge/contracts';
import { permissionMissing } from '../auth/authorization';
import { unauthorized } from '../auth/rejections';
import { errorsPath, failureText, retryAfterOf } from '../http/replies';
import type { RouteDocumentation } from '../routes/gateway-route';

/** Errors of every operation. */
const commonErrors: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  // Also where no key is needed: a key that is sent must be valid.
  'UNAUTHORIZED',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
  'OUTCOME_UNKNOWN',
];
const bodyErrors: readonly ErrorCode[] = [
  'MALFORMED_JSON',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'IDEMPOTENCY_IN_PROGRESS',
  'IDEMPOTENCY_KEY_REUSED',
];
const pathErrors: readonly ErrorCode[] = ['URI_TOO_LONG'];
const keyErrors: readonly ErrorCode[] = ['FORBIDDEN'];

const exampleContext = { requestId: 'req_9f86d081884c7d659a2feaa0', publicUrl: 'https://api.example.com' };
const timestampExample = '2026-11-20T12:00:00.000Z';

/** Every error code of an operation: its own and those of its kind. */
export function errorsOf({ errors, auth, hasBody, pathFields }: Operation): ErrorCode[] {
  const all = [
    ...errors,
    ...commonErrors,
    ...(auth === 'public' ? [] : keyErrors),
    ...(hasBody ? bodyErrors : []),
    ...(pathFields.length > 0 ? pathErrors : []),
  ];
  return [...new Set(all)];
}

export function repliesOf(
  operation: Operation,
  schemas: Schemas,
  links: JsonSchema = {},
): Record<string, JsonSchema> {
  const hasLinks = Object.keys(links).length > 0;
  const ok = { ...success(operation, schemas), ...(hasLinks && { links }) };
  return { 200: ok, ...failuresOf(operation, schemas) };
}

/** The replies of a route that is not an operation, each with the request id. */
export function routeReplies(replies: RouteDocumentation['replies']): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(replies).map(([status, { description, content, headers }]) => [
      status,
      {
        description,
        headers: { ...requestIdHeader, ...headers },
        ...(content && {
          content: {
            [content.type]: {
              schema: content.schema,
              ...(content.example !== undefined && { example: content.example }),
            },
          },
        }),
      },
    ]),
  );
}

export function failuresOf(
  operation: Operation,
  schemas: Schemas,
  type: 'application/json' | 'text/html' = 'application/json',
): Record<string, JsonSchema> {
  const replies: Record<string, JsonSchema> = {};
  const codes = errorsOf(operation);
  for (const status of [...new Set(codes.map((code) => errorCodes[code][0]))].sort()) {
    const possible = codes.filter((code) => errorCodes[code][0] === status);
    const described = failure(operation, possible, schemas);
    const page = { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } };
    replies[status] = type === 'text/html' ? { ...described, content: page } : described;
  }
  return replies;
}

function success({ style, input, output, hoisted, hasBody }: Operation, schemas: Schemas): JsonSchema {
  const data = schemas.ofOutput(output);
  const example = exampleOfOutput(output);
  const headers = { ...limitHeaders, ...(hasBody && replayedHeader), ...pageHeadersOf(input) };
  if (style === 'bare') return reply('Success', data, { example }, headers);
  const beside = hoisted === undefined ? {} : { [hoisted]: (example as Record<string, unknown>)[hoisted] };
  const envelope = {
    type: 'object',
    required: ['success', ...Object.keys(beside), 'data', 'timestamp'],
    properties: {
      success: { type: 'boolean', const: true, description: 'Whether the call succeeded' },
      ...(hoisted !== undefined && { [hoisted]: fieldSchema(output, hoisted) }),
      data,
      timestamp,
    },
  };
  const enveloped = { success: true, ...beside, data: example, timestamp: timestampExample };
  return reply('Success', envelope, { example: enveloped }, headers);
}

/** Lists have a `cursor`, or numbered pages with a `size`. */
function pageHeadersOf(input: Operation['input']): Record<string, JsonSchema> {
  const has = (field: string) => fieldsOf(input).some(({ name }) => name === field);
  if (has('cursor')) return { ...nextPageHeader, ...usedLimitHeader };
  return has('size') ? usedLimitHeader : {};
}

/** The schema of a field that the envelope repeats beside `data`. */
function fieldSchema(output: Operation['output'], name: string): JsonSchema {
  return fieldsOf(output).find((field) => field.name === name)!.schema;
}

function failure(operation: Operation, codes: readonly ErrorCode[], schemas: Schemas): JsonSchema {
  const schema = failureSchema(operation.style, codes, schemas);
  const examples = codes.map((code) => [
    code,
    { summary: errorCodes[code][1], value: failureExample(operation, code) },
  ]);
  const meaning = codes.map((code) => `\`${code}\`: ${errorCodes[code][1]}`).join('\n\n');
  const saysWhen = codes.some((code) => 'retryAfter' in failureExample(operation, code));
  const headers = {
    ...(saysWhen && retryAfterHeader),
    ...(codes.includes('RATE_LIMIT_EXCEEDED') && limitHeaders),
    ...(codes.includes('UNAUTHORIZED') && challengeHeader),
    ...(operation.hasBody && codes.some(isStored) && replayedHeader),
  };
  return reply(meaning, schema, { examples: Object.fromEntries(examples) }, headers);
}

/** Whether a replay returns the failure, rather than executing the call. */
const isStored = (code: ErrorCode): boolean =>
  errorCodes[code][0] < 500 && ![401, 408, 413, 415, 429].includes(errorCodes[code][0]);

/** A failure as the gateway sends it, with a fixed time. */
function failureExample(operation: Operation, code: ErrorCode): Record<string, unknown> {
  const text = failureText(operation.style, errorExample(operation, code), exampleContext);
  const example = JSON.parse(text) as Record<string, unknown>;
  return 'timestamp' in example ? { ...example, timestamp: timestampExample } : example;
}

function errorExample({ auth }: Operation, code: ErrorCode): DomainError {
  if (code === 'VALIDATION_ERROR') return DomainError.invalid([{ field: 'a_field', message: 'is missing' }]);
  if (code === 'UNAUTHORIZED') return unauthorized(missingFrom(auth));
  if (code === 'FORBIDDEN' && auth !== 'public' && !isWalletAuth(auth))
    return permissionMissing(auth.permission);
  return new DomainError(code);
}

function missingFrom(auth: Auth): KeyRejection {
  if (auth === 'public') return 'unknown';
  return isWalletAuth(auth) ? 'wallet_missing' : 'missing';
}

function reply(
  description: string,
  schema: JsonSchema,
  examples: JsonSchema,
  headers: JsonSchema = {},
): JsonSchema {
  return {
    description,
    headers: { ...requestIdHeader, ...headers },
    content: { 'application/json': { schema, ...examples } },
  };
}

const requestIdHeader = {
  'x-request-id': {
    description: 'Yours if you sent one, otherwise a new one; quote it when you report a problem',
    schema: { type: 'string', examples: [exampleContext.requestId] },
  },
};
const retryAfterHeader = {
  'retry-after': {
    description: 'Seconds to wait before a retry',
    schema: { type: 'integer', minimum: 1, examples: [1] },
  },
};

const limitHeaders = {
  ratelimit: {
    description: 'Remaining requests (`r`), and seconds until the whole quota is available (`t`)',
    schema: { type: 'string', examples: ['"free";r=99;t=1'] },
  },
  'ratelimit-policy': {
    description: 'The limit: `q` requests within `w` seconds. Absent where there is none',
    schema: { type: 'string', examples: ['"free";q=100;w=60'] },
  },
};
const replayedHeader = {
  'idempotent-replayed': {
    description: '`true` on the stored reply of an earlier call with this `Idempotency-Key`',
    schema: { type: 'string', const: 'true', examples: ['true'] },
  },
};
const nextPageHeader = {
  link: {
    description: 'RFC 8288: the next page, with `rel="next"`. Absent on the last page',
    schema: {
      type: 'string',
      examples: ['</api/transactions?cursor=0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d>; rel="next"'],
    },
  },
};
const usedLimitHeader = {
  'x-limit': {
    description:
      'The `limit` (or `size`) that was used: the maximum, where a higher one was requested. Absent where the whole list is returned',
    schema: { type: 'integer', minimum: 1, examples: [100] },
  },
};
const challengeHeader = {
  'www-authenticate': {
    description: 'How to send a key',
    schema: { type: 'string', examples: ['Bearer realm="tollbridge"'] },
  },
};

const timestamp: JsonSchema = {
  type: 'string',
  format: 'date-time',
  description: 'Time of the reply',
  examples: [timestampExample],
};
const message: JsonSchema = {
  type: 'string',
  description: 'What is wrong and what to do, for people',
  examples: [errorCodes.NOT_FOUND[1]],
};
const retryAfter: JsonSchema = {
  type: 'integer',
  minimum: 1,
  description: 'Seconds to wait before a retry',
  examples: [1],
};

const requestId: JsonSchema = {
  type: 'string',
  description:
    'Same as `x-request-id`; a replayed failure has the id of the first reply. Quote it when you report a problem',
  examples: [exampleContext.requestId],
};

/** In every failure, so that the client can report it and read about its code. */
const reportFields = (code: ErrorCode) => ({
  request_id: requestId,
  documentation_url: {
    type: 'string',
    format: 'uri',
    description: 'What the code means and what to do',
    examples: [`${exampleContext.publicUrl}${errorsPath}#${code}`],
  },
});
const reportFieldNames = ['request_id', 'documentation_url'];

/** A failure with one of these codes: one schema per code, so that `details` has a type. */
function failureSchema(style: ReplyStyle, codes: readonly ErrorCode[], schemas: Schemas): JsonSchema {
  if (style === 'bare') return byCode(codes, (code) => schemas.add(errorName(code), bareErrorSchema(code)));
  return {
    type: 'object',
    description: 'A failure',
    required: ['success', 'data', 'error', 'timestamp'],
    properties: {
      success: {
        type: 'boolean',
        const: false,
        description: 'Whether the call succeeded',
        examples: [false],
      },
      data: { type: 'null', description: 'Null, since the call failed', examples: [null] },
      error: {
        description: 'What went wrong',
        ...byCode(codes, (code) => schemas.add(`Enveloped${errorName(code)}`, envelopedErrorSchema(code))),
      },
      timestamp,
      ...(codes.some(hasRetryAfter) && { retryAfter }),
    },
  };
}

function byCode(codes: readonly ErrorCode[], schemaOf: (code: ErrorCode) => JsonSchema): JsonSchema {
  const refs = codes.map((code) => [code, schemaOf(code)['$ref']] as const);
  const [first] = refs;
  if (refs.length === 1) return { $ref: first![1] };
  return {
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: 'code', mapping: Object.fromEntries(refs) },
  };
}

/** `NOT_FOUND` as the name of a schema: `NotFoundError`. */
function errorName(code: ErrorCode): string {
  const words = code.split('_').map((word) => word[0] + word.slice(1).toLowerCase());
  return `${words.join('')}${words.at(-1) === 'Error' ? '' : 'Error'}`;
}

const hasRetryAfter = (code: ErrorCode): boolean => retryAfterOf(new DomainError(code)) !== undefined;

const codeSchema = (code: ErrorCode): JsonSchema => ({
  type: 'string',
  enum: [code],
  description: 'Stable; switch over this',
  examples: [code],
});

function bareErrorSchema(code: ErrorCode): JsonSchema {
  const details = errorDetails[code];
  return {
    type: 'object',
    description: errorCodes[code][1],
    required: ['error', 'code', ...(hasRetryAfter(code) ? ['retryAfter'] : []), ...reportFieldNames],
    properties: {
      error: message,
      code: codeSchema(code),
      ...(details && { details }),
      ...(hasRetryAfter(code) && { retryAfter }),
      ...reportFields(code),
    },
  };
}

function envelopedErrorSchema(code: ErrorCode): JsonSchema {
  return {
    type: 'object',
    description: errorCodes[code][1],
    required: ['code', 'message', 'details', ...reportFieldNames],
    properties: {
      code: codeSchema(code),
      message,
      details: envelopedDetails(code),
      ...reportFields(code),
    },
  };
}

const noDetails: JsonSchema = { type: 'object', description: 'No details of this failure', examples: [{}] };

/** An envelope always has `details`, if only an empty object. */
function envelopedDetails(code: ErrorCode): JsonSchema {
  const details = errorDetails[code];
  if (!details) return noDetails;
  const mayBeEmpty = details['type'] === 'object' && details['required'] === undefined;
  if (mayBeEmpty) return details;
  const { description, ...schema } = details;
  return { description, anyOf: [schema, { ...noDetails, maxProperties: 0 }] };
}
