import {
  DomainError,
  errorCodes,
  type ErrorCode,
  type JsonSchema,
  type ReplyStyle,
  type Schemas,
} from '@tollbridge/rpc';
import { errorDetails } from '@tollbridge/contracts';
import { errorsPath, retryAfterOf } from '../http/replies';
import { exampleContext, timestampExample } from './example-context';

export const timestamp: JsonSchema = {
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

/** Fields of every failure, so that the client can report it and read about its code. */
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

/** The schema of a failure with one of these codes. There is one schema per code, so that `details` has a type. */
export function failureSchema(style: ReplyStyle, codes: readonly ErrorCode[], schemas: Schemas): JsonSchema {
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

/** The name of a code's schema, for example `NotFoundError` for `NOT_FOUND`. */
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

/** An envelope always contains `details`, which may be an empty object. */
function envelopedDetails(code: ErrorCode): JsonSchema {
  const details = errorDetails[code];
  if (!details) return noDetails;
  const mayBeEmpty = details['type'] === 'object' && details['required'] === undefined;
  if (mayBeEmpty) return details;
  const { description, ...schema } = details;
  return { description, anyOf: [schema, { ...noDetails, maxProperties: 0 }] };
}
