import { callContext, type CallContext } from '../calls/call-context';
import { DomainError, type FieldError } from '../errors/domain-error';
import { Flag, Integer, ListOf, Text } from './fields';
import { callHandler, type Handler, type Outcome } from '../calls/call-handler';
import { Handles, LiveFields, Validates } from './handlers';
import { MemoryReplies } from '../calls/memory-replies';
import { feature, internalFeature, internalOperation, operation } from './operation';

class CountQuery {
  @Text('The owner')
  owner: string;
  @Integer('At most', { optional: true, min: 1 })
  limit?: number;
  @Flag('Only what is there', { optional: true })
  only_available?: boolean;
  @ListOf('string', 'Of these kinds', { optional: true, maxItems: 2 })
  kinds?: string[];
}

class CountReply {
  @Integer('How many')
  count: number;
}

class Label {
  @Text('What it says')
  text: string;
}

class AddRequest {
  @Integer('Which shelf; in the path')
  shelf: number;
  @Integer('How many')
  count: number;
  @ListOf(() => Label, 'Labels', { optional: true, maxItems: 3 })
  labels?: Label[];
}

const addGoods = { summary: 'Add', input: AddRequest, output: CountReply, auth: 'public' } as const;

const goodsApi = feature('shop', 'goods', 'Goods', {
  countGoods: operation('GET /goods/{owner}', {
    summary: 'Count',
    input: CountQuery,
    output: CountReply,
    auth: 'public',
  }),
  addGoods: operation('POST /shelves/{shelf}/goods', addGoods),
});

const stockApi = internalFeature('shop', 'stock', {
  takeStock: internalOperation({ summary: 'Take', input: AddRequest, output: CountReply }),
});

/** The last input of each handler, and its next result. */
let seen: unknown;
let next: () => CountReply | Promise<CountReply>;

@Handles(goodsApi)
class GoodsHandlers {
  readonly name = 'goods';
  countGoods(query: CountQuery, context: CallContext): Promise<CountReply> {
    seen = { query, context, by: this.name };
    return Promise.resolve(next());
  }
  addGoods(request: AddRequest): CountReply | Promise<CountReply> {
    seen = request;
    return next();
  }
}

const context = callContext({ principal: 'key:1' });
const replies = new MemoryReplies();

function ask(name: keyof typeof goodsApi.operations, json: string, by = context): Promise<Outcome> {
  const handlers = new GoodsHandlers() as unknown as Record<string, Handler>;
  return callHandler(handlers[name]!.bind(handlers), { json: Buffer.from(json), context: by, replies });
}

beforeEach(() => {
  seen = undefined;
  next = () => ({ count: 7 });
});

describe('callHandler', () => {
  it('calls the method with the decoded input and the context', async () => {
    const outcome = await ask('countGoods', '{"owner":"me"}');
    expect(outcome).toEqual({ ok: true, output: { count: 7 } });
    expect(seen).toEqual({ query: { owner: 'me' }, context, by: 'goods' });
    expect((seen as { query: unknown }).query).toBeInstanceOf(CountQuery);
  });

  it('stores the reply to a call with a key, but not that of a read', async () => {
    const store = new MemoryReplies();
    const handlers = new GoodsHandlers() as unknown as Record<string, Handler>;
    const askWithKey = (name: keyof typeof goodsApi.operations, json: string): Promise<Outcome> =>
      callHandler(handlers[name]!.bind(handlers), {
        json: Buffer.from(json),
        replies: store,
        context: { ...context, idempotencyKey: 'a-key' },
      });
    expect(await askWithKey('countGoods', '{"owner":"me"}')).toEqual({ ok: true, output: { count: 7 } });
    expect(store.size).toBe(0);
    next = () => ({ count: 8 });
    expect(await askWithKey('countGoods', '{"owner":"me"}')).toEqual({ ok: true, output: { count: 8 } });
    expect(await askWithKey('addGoods', '{"shelf":1,"count":1}')).toHaveProperty('stored');
    expect(store.size).toBe(1);
  });

  it('does not call the method with invalid input', async () => {
    const outcome = await ask('addGoods', '{"shelf":1,"count":"7","colour":"red"}');
    expect(seen).toBeUndefined();
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: 'VALIDATION_ERROR',
        details: [
          { field: 'colour', message: 'is not a known field' },
          { field: 'count', message: 'must be an integer' },
        ],
      },
    });
  });

  it('drops undeclared fields of another app, also nested ones', async () => {
    const peer = { ...context, isPeerCall: true };
    const json = '{"shelf":1,"count":7,"colour":"red","labels":[{"text":"new","size":3}]}';
    expect(await ask('addGoods', json, peer)).toEqual({ ok: true, output: { count: 7 } });
    expect(seen).toEqual({ shelf: 1, count: 7, labels: [{ text: 'new' }] });
    expect(await ask('addGoods', '{"shelf":1,"count":"7","colour":"red"}', peer)).toMatchObject({
      error: { details: [{ field: 'count', message: 'must be an integer' }] },
    });
  });

  it('does not pass isPeerCall to the method', async () => {
    await ask('countGoods', '{"owner":"me"}', { ...context, isPeerCall: true });
    expect((seen as { context: object }).context).toEqual(context);
  });

  it('drops undeclared fields in the input of an operation without a route', async () => {
    @Handles(stockApi)
    class StockHandlers {
      takeStock(request: AddRequest): CountReply {
        seen = request;
        return { count: request.count };
      }
    }
    const handlers = new StockHandlers() as unknown as Record<string, Handler>;
    const json = Buffer.from('{"shelf":1,"count":2,"colour":"red"}');
    expect(await callHandler(handlers['takeStock']!.bind(handlers), { json, context, replies })).toEqual({
      ok: true,
      output: { count: 2 },
    });
    expect(seen).toEqual({ shelf: 1, count: 2 });
  });

  it('converts the text of a query to the types of its fields', async () => {
    await ask('countGoods', '{"owner":"12","limit":"3","only_available":"true","kinds":"tea"}');
    expect(seen).toMatchObject({
      query: { owner: '12', limit: 3, only_available: true, kinds: ['tea'] },
    });
  });

  it('converts the text of path fields, but not of other fields of a body', async () => {
    expect(await ask('addGoods', '{"shelf":"4","count":2}')).toMatchObject({ ok: true });
    expect(seen).toEqual({ shelf: 4, count: 2 });
    expect(await ask('addGoods', '{"shelf":"4","count":"2"}')).toMatchObject({
      error: { details: [{ field: 'count', message: 'must be an integer' }] },
    });
  });

  it.each([
    ['text that is not JSON', '{'],
    ['an empty text', ''],
  ])('returns MALFORMED_JSON for %s', async (_case, json) => {
    expect(await ask('addGoods', json)).toMatchObject({ ok: false, error: { code: 'MALFORMED_JSON' } });
  });

  it('returns the DomainError that the method throws', async () => {
    const error = new DomainError('CONFLICT');
    next = () => Promise.reject(error);
    expect(await ask('addGoods', '{"shelf":1,"count":1}')).toEqual({ ok: false, error });
  });

  it.each([
    [
      'throws',
      () => {
        throw new TypeError('SELECT');
      },
    ],
    ['rejects', () => Promise.reject(new TypeError('SELECT'))],
  ])('returns INTERNAL_ERROR without the message when the method %s another error', async (_how, fail) => {
    next = fail;
    const outcome = await ask('addGoods', '{"shelf":1,"count":1}');
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
    const { error } = outcome as { error: DomainError };
    expect(error.message).not.toContain('SELECT');
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

describe('Validates', () => {
  let validate: (input: Partial<AddRequest>) => FieldError[];
  let checked: unknown[];

  @Handles(goodsApi)
  class Checking extends GoodsHandlers {
    @Validates(goodsApi.operations.addGoods)
    validateShelf(input: Partial<AddRequest>): FieldError[] {
      checked.push({ input: { ...input }, by: this.name });
      return validate(input);
    }
  }

  const askChecked = (name: string, json: string): Promise<Outcome> => {
    const handlers = new Checking() as unknown as Record<string, Handler>;
    return callHandler(handlers[name]!.bind(handlers), { json: Buffer.from(json), context, replies });
  };
  const tooHigh = { field: 'shelf', message: 'is too high' };

  beforeEach(() => {
    checked = [];
    validate = ({ shelf = 0 }) => (shelf > 3 ? [tooHigh] : []);
  });

  it('calls the method when the validator returns no errors', async () => {
    await expect(askChecked('addGoods', '{"shelf":3,"count":2}')).resolves.toMatchObject({ ok: true });
    expect(seen).toEqual({ shelf: 3, count: 2 });
    expect(checked).toEqual([{ input: { shelf: 3, count: 2 }, by: 'goods' }]);
  });

  it('rejects the input with the errors of the validator, without calling the method', async () => {
    await expect(askChecked('addGoods', '{"shelf":4,"count":2}')).resolves.toMatchObject({
      ok: false,
      error: { code: 'VALIDATION_ERROR', details: [tooHigh] },
    });
    expect(seen).toBeUndefined();
  });

  it.each<[string, string, object, object[]]>([
    ['of the wrong type', '{"shelf":4,"count":"2"}', { shelf: 4 }, [{ field: 'count' }, tooHigh]],
    ['that is missing', '{"shelf":4}', { shelf: 4 }, [{ field: 'count' }, tooHigh]],
    [
      'that is unknown',
      '{"shelf":4,"count":2,"colour":1}',
      { shelf: 4, count: 2 },
      [{ field: 'colour' }, tooHigh],
    ],
    ['that the validator checks', '{"shelf":"x","count":2}', { count: 2 }, [{ field: 'shelf' }]],
  ])('reports its errors together with the error of a field %s', async (_case, json, input, details) => {
    const outcome = await askChecked('addGoods', json);
    expect(outcome).toMatchObject({ error: { code: 'VALIDATION_ERROR', details } });
    expect((outcome as { error: { details: unknown[] } }).error.details).toHaveLength(details.length);
    expect(checked).toEqual([{ input, by: 'goods' }]);
  });

  it('drops the errors of the validator about a field that is already invalid', async () => {
    validate = ({ shelf, count }) => [
      ...(shelf === undefined ? [{ field: 'shelf', message: 'is missing' }] : []),
      ...(count === undefined ? [] : [{ field: 'count', message: 'is odd' }]),
    ];
    const outcome = await askChecked('addGoods', '{"shelf":"x","count":1}');
    expect(outcome).toMatchObject({
      error: {
        details: [{ field: 'shelf', message: expect.stringContaining('integer') }, { field: 'count' }],
      },
    });
  });

  it.each(['[1]', 'null', '5'])('passes an empty input to the validator for the body %s', async (json) => {
    await expect(askChecked('addGoods', json)).resolves.toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ field: 'body', message: 'must be an object' }] },
    });
    expect(checked).toEqual([{ input: {}, by: 'goods' }]);
  });

  it('does not run the validator for text that is not JSON, or for another operation', async () => {
    await expect(askChecked('addGoods', '{')).resolves.toMatchObject({ error: { code: 'MALFORMED_JSON' } });
    await expect(askChecked('countGoods', '{"owner":"me"}')).resolves.toMatchObject({ ok: true });
    expect(checked).toEqual([]);
  });

  it('returns INTERNAL_ERROR without the message when the validator throws', async () => {
    validate = () => {
      throw new TypeError('SELECT');
    };
    const outcome = await askChecked('addGoods', '{"shelf":1,"count":1}');
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
    expect((outcome as { error: DomainError }).error.message).not.toContain('SELECT');
    expect(seen).toBeUndefined();
  });

  it('returns the DomainError that the validator throws', async () => {
    const error = new DomainError('CONFLICT');
    validate = () => {
      throw error;
    };
    await expect(askChecked('addGoods', '{"shelf":1,"count":1}')).resolves.toEqual({ ok: false, error });
  });

  it('runs the validator for a class that extends the class with the validator', async () => {
    @Handles(goodsApi)
    class Extending extends Checking {}
    const handlers = new Extending() as unknown as Record<string, Handler>;
    const request = { json: Buffer.from('{"shelf":4,"count":1}'), context, replies };
    await expect(callHandler(handlers['addGoods']!.bind(handlers), request)).resolves.toMatchObject({
      error: { details: [tooHigh] },
    });
  });

  it('throws at start for a second validator of one operation', () => {
    const declare = () => {
      class Twice extends GoodsHandlers {
        @Validates(goodsApi.operations.addGoods)
        one(): FieldError[] {
          return [];
        }
        @Validates(goodsApi.operations.addGoods)
        other(): FieldError[] {
          return [];
        }
      }
      return Twice;
    };
    expect(declare).toThrow('op.shop.goods.add-goods has two methods as its validator');
  });

  it('throws at start for an operation of another feature', () => {
    const otherApi = feature('shop', 'other', 'Other', {
      addGoods: operation('POST /other', addGoods),
    });
    const declare = () => {
      @Handles(goodsApi)
      class Stray extends GoodsHandlers {
        @Validates(otherApi.operations.addGoods)
        validateOther(): FieldError[] {
          return [];
        }
      }
      return Stray;
    };
    expect(declare).toThrow('Stray links a method to op.shop.other.add-goods, which is not of its feature');
  });
});

describe('LiveFields', () => {
  class Sealed extends CountReply {
    @Text('Stored nowhere', { optional: true })
    secret?: string;
  }
  const vaultApi = feature('shop', 'vault', 'Vault', {
    addGoods: operation('POST /vault', {
      summary: 'Add',
      input: AddRequest,
      output: Sealed,
      auth: 'public',
    }),
  });
  let reads: unknown[];
  let read: () => Promise<Partial<Sealed>>;

  @Handles(vaultApi)
  class Vault {
    addGoods(): Sealed | Promise<Sealed> {
      return next();
    }
    @LiveFields(vaultApi.operations.addGoods)
    readSecret(stored: Sealed, { principal }: CallContext): Promise<Partial<Sealed>> {
      reads.push({ stored, principal });
      return read();
    }
  }

  const store = new MemoryReplies();
  const askVault = async (idempotencyKey?: string): Promise<Outcome & { reply?: unknown }> => {
    const handlers = new Vault() as unknown as Record<string, Handler>;
    const outcome = await callHandler(handlers['addGoods']!.bind(handlers), {
      json: Buffer.from('{"shelf":1,"count":1}'),
      replies: store,
      context: { ...context, ...(idempotencyKey !== undefined && { idempotencyKey }) },
    });
    const bytes = outcome.stored?.reply.bytes;
    return { ...outcome, ...(bytes && { reply: JSON.parse(Buffer.from(bytes).toString()) }) };
  };

  beforeEach(() => {
    reads = [];
    let count = 0;
    read = () => Promise.resolve({ secret: `read ${++count}` });
  });

  it('adds live fields to a reply without an idempotency key', async () => {
    expect(await askVault()).toEqual({ ok: true, output: { count: 7, secret: 'read 1' } });
    expect(reads).toEqual([{ stored: { count: 7 }, principal: 'key:1' }]);
  });

  it('reads live fields again for each replay, and stores the reply without them', async () => {
    const claim = jest.spyOn(store, 'claim');
    expect(await askVault('one')).toMatchObject({
      reply: { count: 7, secret: 'read 1' },
      stored: { isReplayed: false },
    });
    next = () => ({ count: 8 });
    expect(await askVault('one')).toMatchObject({
      reply: { count: 7, secret: 'read 2' },
      stored: { isReplayed: true },
    });
    const claimed = await claim.mock.results[1]!.value;
    expect(Buffer.from(claimed.reply.bytes).toString()).toBe('{"count":7}');
    claim.mockRestore();
  });

  it('reads no live fields for a failure', async () => {
    next = () => Promise.reject(new DomainError('CONFLICT'));
    expect(await askVault('two')).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
    expect(await askVault('two')).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
    expect(reads).toEqual([]);
  });

  it('returns the error of the read, and preserves the stored reply for the next replay', async () => {
    read = () => Promise.reject(new DomainError('UPSTREAM_UNAVAILABLE'));
    expect(await askVault('three')).toMatchObject({ ok: false, error: { code: 'UPSTREAM_UNAVAILABLE' } });
    read = () => Promise.resolve({ secret: 'back' });
    expect(await askVault('three')).toMatchObject({ reply: { count: 7, secret: 'back' } });
  });
});

// The compiler must reject each class below: `npm run typecheck` fails if it accepts one of them.
describe('Handles, at compile time,', () => {
  it('rejects a class without a method for an operation', () => {
    const declare = () => {
      // @ts-expect-error addGoods is missing
      @Handles(goodsApi)
      class Incomplete {
        countGoods(): CountReply {
          return { count: 1 };
        }
      }
      return Incomplete;
    };
    expect(declare).toThrow('Incomplete.addGoods must be a method');
  });

  it('rejects a reply with a field of the wrong type', () => {
    // @ts-expect-error count is a number
    @Handles(goodsApi)
    class WrongAnswer {
      countGoods(): { count: string } {
        return { count: '1' };
      }
      addGoods(): CountReply {
        return { count: 1 };
      }
    }
    expect(WrongAnswer).toBeDefined();
  });

  it('rejects a reply without a field', () => {
    // @ts-expect-error count is missing
    @Handles(goodsApi)
    class MissingField {
      async countGoods(): Promise<object> {
        return {};
      }
      addGoods(): CountReply {
        return { count: 1 };
      }
    }
    expect(MissingField).toBeDefined();
  });

  it('rejects a method that requires an undeclared field', () => {
    // @ts-expect-error the query has no colour
    @Handles(goodsApi)
    class WrongInput {
      countGoods(query: CountQuery & { colour: string }): CountReply {
        return { count: query.colour.length };
      }
      addGoods(): CountReply {
        return { count: 1 };
      }
    }
    expect(WrongInput).toBeDefined();
  });

  it('rejects a method that expects another type of a field', () => {
    // @ts-expect-error the count is a number
    @Handles(goodsApi)
    class WrongFieldType {
      countGoods(): CountReply {
        return { count: 1 };
      }
      addGoods(request: { shelf: number; count: string }): CountReply {
        return { count: request.count.length };
      }
    }
    expect(WrongFieldType).toBeDefined();
  });
});

describe('Validates, at compile time,', () => {
  it('rejects a validator that does not return field errors', () => {
    class WrongAnswer extends GoodsHandlers {
      // @ts-expect-error a text is not a list of errors
      @Validates(goodsApi.operations.addGoods)
      validate(): string {
        return '';
      }
    }
    expect(WrongAnswer).toBeDefined();
  });

  it('rejects a validator that returns a promise', () => {
    class Later extends GoodsHandlers {
      // @ts-expect-error a promise is not a list of errors
      @Validates(goodsApi.operations.addGoods)
      validate(): Promise<FieldError[]> {
        return Promise.resolve([]);
      }
    }
    expect(Later).toBeDefined();
  });

  it('rejects a validator that requires a field which may be missing', () => {
    class Relying extends GoodsHandlers {
      // @ts-expect-error the shelf may be missing
      @Validates(goodsApi.operations.addGoods)
      validate({ shelf }: { shelf: number }): FieldError[] {
        return shelf.toFixed() === '1' ? [] : [{ field: 'shelf', message: 'is not 1' }];
      }
    }
    expect(Relying).toBeDefined();
  });
});

describe('Handles', () => {
  it('throws at start for a property that holds a function', () => {
    const declare = () => {
      @Handles(goodsApi)
      class WithProperty {
        countGoods = (): CountReply => ({ count: 1 });
        addGoods = (): CountReply => ({ count: 1 });
      }
      return WithProperty;
    };
    expect(declare).toThrow('WithProperty.countGoods must be a method');
  });
});
