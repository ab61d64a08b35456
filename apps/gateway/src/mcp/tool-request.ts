import { DomainError, fieldsOf, type FieldError, type Operation } from '@tollbridge/rpc';

/** The HTTP request for a call of a tool. */
export interface ToolRequest {
  method: Operation['method'];
  url: string;
  headers: Record<string, string>;
  payload?: string;
}

/** The number of list items for a call without `limit`, because all pages would fill the context of a model. */
const defaultItems = 50;

/**
 * Maps arguments to path, query, headers and body of the route. The route validates them.
 * @throws DomainError VALIDATION_ERROR for arguments that cannot be part of a URL
 */
export function toolRequest(operation: Operation, given: Record<string, unknown>): ToolRequest {
  const { method, pathFields, hasBody, body: wholeBody } = operation;
  const path = pathOf(operation, given);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !pathFields.includes(name)));
  if (operation.isWholeList) rest['limit'] ??= defaultItems;
  if (!hasBody) return { method, ...queryOf(operation, path, rest) };
  const payload = JSON.stringify(wholeBody === undefined ? rest : bodyIn(wholeBody, rest));
  return { method, url: path, headers: { 'content-type': 'application/json' }, payload };
}

function pathOf({ path, pathFields }: Operation, given: Record<string, unknown>): string {
  const errors = pathFields.flatMap((field): FieldError[] => {
    const problem = pathProblem(given[field]);
    return problem === undefined ? [] : [{ field, message: problem }];
  });
  if (errors.length > 0) throw DomainError.invalid(errors);
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
}

/** A dot segment, even an encoded one, would lead to another route. */
function pathProblem(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return 'is missing';
  if (typeof value !== 'string' && typeof value !== 'number') return 'must be a text';
  return value === '.' || value === '..' ? 'is not valid' : undefined;
}

function bodyIn(field: string, { [field]: body, ...others }: Record<string, unknown>): unknown {
  const names = Object.keys(others);
  if (names.length > 0)
    throw DomainError.invalid(names.slice(0, 20).map((name) => ({ field: name, message: 'is unknown' })));
  return body ?? {};
}

function queryOf(
  { input }: Operation,
  path: string,
  given: Record<string, unknown>,
): Pick<ToolRequest, 'url' | 'headers'> {
  const headerOf = new Map(fieldsOf(input).map(({ name, header }) => [name, header]));
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    const header = headerOf.get(name);
    // A field with a header contains a secret, which must not be in a URL.
    if (header !== undefined && typeof value === 'string') headers[header] = headerText(name, value);
    else for (const item of [value].flat()) if (item !== null) query.append(name, textOf(item));
  }
  const text = query.toString();
  return { url: text === '' ? path : `${path}?${text}`, headers };
}

function headerText(field: string, value: string): string {
  if (!/^[!-~]*$/.test(value)) throw DomainError.invalid([{ field, message: 'is not valid' }]);
  return value;
}

const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);
