/** A field of an operation: a flag of its command. */
export interface FieldInfo {
  name: string;
  /** `scalar` is a number or a text. */
  type: 'string' | 'integer' | 'number' | 'boolean' | 'scalar' | 'list' | 'json';
  /** Type of the items of a list. */
  item?: string;
  description: string;
  isRequired?: boolean;
  /** The only values. */
  values?: readonly string[];
  default?: unknown;
  example?: unknown;
}

/** An operation of the API as the commands know it. */
export interface OperationInfo {
  /** The name of the function in `@tollbridge/sdk`. */
  id: string;
  group: string;
  title: string;
  name: string;
  method: string;
  path: string;
  summary: string;
  description?: string;
  isSandboxOnly?: boolean;
  /** Permission of the key that it needs; `public` for none, `wallet` for a session only. */
  auth: string;
  fields: readonly FieldInfo[];
  /** The field that is the whole body. */
  body?: string;
  list?: { items?: string };
  takesWallet?: boolean;
  /** Codes beside those that every operation has. */
  errors: readonly string[];
}
