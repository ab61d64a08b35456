/** What a generated function says about its operation. */
export interface Route {
  id: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with the names of its fields in braces. */
  path: string;
  /** The codes that the operation declares, separated by spaces. */
  errors: string;
  /** The field of the input that is the whole body. */
  body?: string;
  /** Fields that travel in a header, with its name. */
  headers?: Readonly<Record<string, string>>;
  /** The reply is `{success, data, …}`. */
  isEnveloped?: true;
  /** `x-wallet` is a header of the operation. */
  takesWallet?: true;
  /** It changes nothing, so it may be repeated without an idempotency key. */
  isRead?: true;
  /** Time-out of operations that may take longer than others. */
  timeoutMs?: number;
  list?: ListShape;
}

export interface ListShape {
  /** The field of the reply that has the items; without it the reply is the list. */
  items?: string;
  /** The first page, where pages have numbers; otherwise pages have cursors. */
  firstPage?: number;
}

export type Input = Readonly<Record<string, unknown>>;
