import type { Call, CallOptions } from './call';
import type { Client } from './client';
import { ClientError, type TollbridgeError } from './errors';
import type { Input, Route } from './route';
import { exchange, type ReadReply } from './send';

/**
 * A list. `await` returns one page. `for await` iterates over the items of this page and of all following pages, and
 * `pages()` over the pages themselves. The first request is sent at that time.
 */
export interface ListCall<T, Item, E extends TollbridgeError = TollbridgeError>
  extends Call<T, E>, AsyncIterable<Item> {
  pages(): AsyncIterable<T>;
}

/** Calls an operation that returns a page of a list. */
export function list<T, Item, E extends TollbridgeError>(
  client: Client,
  route: Route,
  input: object = {},
  options: CallOptions = {},
): ListCall<T, Item, E> {
  const readPage = (query: Input) => exchange(client, route, query, options);
  return new Pages<T, Item>(route, input as Input, readPage) as ListCall<T, Item, E>;
}

class Pages<T, Item> implements Promise<T> {
  readonly [Symbol.toStringTag] = 'ListCall';
  private first: Promise<T> | undefined;

  constructor(
    private readonly route: Route,
    private readonly input: Input,
    private readonly readPage: (query: Input) => Promise<ReadReply>,
  ) {}

  // A call that is only iterated must not send the first request twice.
  private page(): Promise<T> {
    return (this.first ??= this.readPage(this.input).then(({ value }) => value as T));
  }

  then<A = T, B = never>(
    done?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.page().then(done, failed);
  }

  catch<B = never>(failed?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<T | B> {
    return this.page().catch(failed);
  }

  finally(done?: (() => void) | null): Promise<T> {
    return this.page().finally(done);
  }

  async *pages(): AsyncGenerator<T, void, undefined> {
    for await (const { value } of this.replies()) yield value as T;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const reply of this.replies()) yield* this.itemsOf(reply) as Item[];
  }

  private async *replies(): AsyncGenerator<ReadReply, void, undefined> {
    let query: Input | undefined = this.input;
    while (query) {
      const reply: ReadReply = await this.readPage(query);
      yield reply;
      query = this.next(query, reply);
    }
  }

  private itemsOf({ value }: ReadReply): unknown[] {
    const { items } = this.route.list!;
    return (items === undefined ? value : (value as Record<string, unknown>)[items]) as unknown[];
  }

  /** Returns the input for the next page; undefined after the last page. */
  private next(query: Input, reply: ReadReply): Input | undefined {
    const { firstPage } = this.route.list!;
    if (firstPage !== undefined) {
      const found = this.itemsOf(reply).length;
      const size = Number(reply.headers.get('x-limit') ?? query['size'] ?? 1);
      return found < size || found === 0
        ? undefined
        : { ...query, page: Number(query['page'] ?? firstPage) + 1 };
    }
    const cursor = cursorOf(reply);
    if (cursor === undefined) return undefined;
    // Otherwise a faulty server would cause endless requests.
    if (cursor === query['cursor'])
      throw new ClientError('UNEXPECTED_RESPONSE', 'The next page of the list is the same page.', {
        operation: this.route.id,
        status: 200,
      });
    return { ...query, cursor };
  }
}

/** Returns `next_cursor` of the reply, or for a list the cursor in the `Link` header (RFC 8288). */
function cursorOf({ value, headers }: ReadReply): string | undefined {
  if (!Array.isArray(value)) return (value as { next_cursor?: string | null }).next_cursor ?? undefined;
  const url = /<([^>]+)>;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  return url === undefined
    ? undefined
    : (new URL(url, 'http://list.invalid').searchParams.get('cursor') ?? undefined);
}
