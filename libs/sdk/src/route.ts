/** Metadata of an operation in its generated function. */
export interface Route {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with the names of its fields in braces. */
  path: string;
  /** Error codes that the operation declares, separated by spaces. */
  errors: string;
  /** Name of the input field that is the whole body. */
  body?: string;
  /** Fields that are sent in a header, with the name of the header. */
  headers?: Readonly<Record<string, string>>;
  /** Whether the reply is `{success, data, …}`. */
  isEnveloped?: true;
  /** Whether the operation accepts the header `x-wallet`. */
  takesWallet?: true;
  /** Whether it changes nothing, so that it may be repeated without an idempotency key. */
  isRead?: true;
  /** Default time-out of an operation that is slower than others. */
  timeoutMs?: number;
  list?: ListShape;
}

export interface ListShape {
  /** Field of the reply with the items; by default the reply itself is the list. */
  items?: string;
  /** Number of the first page, for numbered pages; by default pages have cursors. */
  firstPage?: number;
}

export type Input = Readonly<Record<string, unknown>>;
