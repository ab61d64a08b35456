import {
  DomainError,
  errorCodes,
  exampleOfOutput,
  fieldsOf,
  isWalletAuth,
  type Auth,
  type DocumentComponents,
  type ErrorCode,
  type JsonSchema,
  type Operation,
} from '@tollbridge/rpc';
import type { KeyRejection } from '@tollbridge/contracts';
import { permissionMissing } from '../auth/authorization';
import { unauthorized } from '../auth/rejections';
import { failureText } from '../http/replies';
import type { RouteDocumentation } from '../routes/gateway-route';
import { paidHeadersOf, paymentRequiredReplies } from '../sales/sale-documentation';
import { failureSchema, timestamp } from './error-schemas';
import { exampleContext, timestampExample } from './example-context';
import {
  challengeHeader,
  limitHeaders,
  nextPageHeader,
  replayedHeader,
  requestIdHeader,
  retryAfterHeader,
  usedLimitHeader,
} from './reply-headers';

/** The error codes of every operation. */
const commonErrors: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  // Also for operations that need no key, because a given key must be valid.
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

/** Every error code of an operation: its own codes and the codes of its kind. */
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
  components: DocumentComponents,
  links: JsonSchema = {},
): Record<string, JsonSchema> {
  const hasLinks = Object.keys(links).length > 0;
  const ok = { ...success(operation, components), ...(hasLinks && { links }) };
  return {
    200: ok,
    ...paymentRequiredReplies(operation, components),
    ...failuresOf(operation, components),
  };
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
  components: DocumentComponents,
  type: 'application/json' | 'text/html' = 'application/json',
): Record<string, JsonSchema> {
  const replies: Record<string, JsonSchema> = {};
  const codes = errorsOf(operation);
  const page = { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } };
  for (const status of [...new Set(codes.map((code) => errorCodes[code][0]))].sort()) {
    const possible = codes.filter((code) => errorCodes[code][0] === status);
    const name = failureName(operation, possible);
    const described = failure(operation, possible, components);
    replies[status] =
      type === 'text/html'
        ? components.response(`${name}.html`, { ...described, content: page })
        : components.response(name, described);
  }
  return replies;
}

/**
 * A name from the codes and from other differences between failures of a status: style, permission or reason, and
 * replays.
 */
function failureName(operation: Operation, codes: readonly ErrorCode[]): string {
  const details = codes.map((code) => errorExample(operation, code).details as Record<string, string>);
  const variant = details.map((of) => of?.['permission'] ?? of?.['reason']).find(Boolean);
  const { style } = operation;
  const parts = [style !== 'bare' && style, ...codes, variant, isReplayed(operation, codes) && 'replayed'];
  return parts.filter(Boolean).join('.');
}

function success(operation: Operation, components: DocumentComponents): JsonSchema {
  const { style, input, output, hoisted, hasBody } = operation;
  const data = components.schemas.ofOutput(output);
  const example = exampleOfOutput(output);
  const headers = {
    ...limitHeaders,
    ...(hasBody && replayedHeader),
    ...pageHeadersOf(input),
    ...paidHeadersOf(operation),
  };
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

/** The input of a list contains a `cursor`, or a `size` for numbered pages. */
function pageHeadersOf(input: Operation['input']): Record<string, JsonSchema> {
  const has = (field: string) => fieldsOf(input).some(({ name }) => name === field);
  if (has('cursor')) return { ...nextPageHeader, ...usedLimitHeader };
  return has('size') ? usedLimitHeader : {};
}

/** The schema of a field that the envelope repeats next to `data`. */
function fieldSchema(output: Operation['output'], name: string): JsonSchema {
  return fieldsOf(output).find((field) => field.name === name)!.schema;
}

function failure(
  operation: Operation,
  codes: readonly ErrorCode[],
  components: DocumentComponents,
): JsonSchema {
  const schema = failureSchema(operation.style, codes, components.schemas);
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
    ...(isReplayed(operation, codes) && replayedHeader),
  };
  return reply(meaning, schema, { examples: Object.fromEntries(examples) }, headers);
}

const isReplayed = ({ hasBody }: Operation, codes: readonly ErrorCode[]): boolean =>
  hasBody && codes.some(isStored);

/** Whether a replay returns the stored failure instead of executing the call again. */
const isStored = (code: ErrorCode): boolean =>
  errorCodes[code][0] < 500 && ![401, 408, 413, 415, 429].includes(errorCodes[code][0]);

/** A failure in the format of the gateway, with a fixed time. */
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
