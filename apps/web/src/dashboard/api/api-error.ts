/** The error of a failed reply, in either style of the API. */
export class ApiError extends Error {
  constructor(
    /** 0 without a reply. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | undefined,
    /** Messages by field name. */
    readonly fields: Readonly<Record<string, string>>,
  ) {
    super(message);
  }
}

interface FailureBody {
  error?: string | FailureBody;
  message?: string;
  code?: string;
  details?: unknown;
  request_id?: string;
}

/** @param body the JSON of a failure, or any other value */
export function toApiError(status: number, body: unknown, requestId: string | null): ApiError {
  const outer = isObject(body) ? (body as FailureBody) : {};
  const failure = isObject(outer.error) ? (outer.error as FailureBody) : outer;
  const text = typeof failure.error === 'string' ? failure.error : failure.message;
  return new ApiError(
    status,
    failure.code ?? 'UNKNOWN',
    text ?? `The gateway answered with status ${status}.`,
    failure.request_id ?? requestId ?? undefined,
    fieldsOf(failure.details),
  );
}

export function unreachable(): ApiError {
  return new ApiError(
    0,
    'UNREACHABLE',
    'The gateway cannot be reached. Check the connection.',
    undefined,
    {},
  );
}

function fieldsOf(details: unknown): Record<string, string> {
  if (!Array.isArray(details)) return {};
  const named = details.filter((it) => isObject(it) && typeof it['field'] === 'string');
  return Object.fromEntries(named.map(({ field, message }) => [field, sentence(String(message))]));
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
