/** A field of an operation, which is a flag of its command. */
export interface FieldInfo {
  name: string;
  /** Type of the value. `scalar` is a number or a text. */
  type: 'string' | 'integer' | 'number' | 'boolean' | 'scalar' | 'list' | 'json';
  /** Type of the items, for a list. */
  item?: string;
  description: string;
  isRequired?: boolean;
  /** Permitted values, if they are limited. */
  values?: readonly string[];
  default?: unknown;
  example?: unknown;
}

/** An operation of the API, with the facts for its command. */
export interface OperationInfo {
  /** Name of the function in `@tollbridge/sdk`. */
  id: string;
  group: string;
  title: string;
  name: string;
  method: string;
  path: string;
  summary: string;
  description?: string;
  isSandboxOnly?: boolean;
  /** Required permission of the key; `public` for none, `wallet` for a session only. */
  auth: string;
  fields: readonly FieldInfo[];
  /** Field that is the whole body. */
  body?: string;
  list?: { items?: string };
  takesWallet?: boolean;
  /** Error codes besides those of every operation. */
  errors: readonly string[];
}
