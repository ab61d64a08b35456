import { callContext, type CallContext } from './call-context';
import { DomainError } from './domain-error';
import { Flag, Integer, ListOf, Text } from './fields';
import { Handles, type BoundHandler, type Outcome } from './handlers';
import { feature, operation } from './operation';

class CountQuery {
  @Text({ description: 'Whose' })
  owner: string;
  @Integer({ description: 'At most', optional: true, min: 1 })
  limit?: number;
  @Flag({ description: 'Only what is there', optional: true })
  only_available?: boolean;
  @ListOf('string', { description: 'Of these kinds', optional: true, maxItems: 2 })
  kinds?: string[];
}

class CountReply {
  @Integer({ description: 'How many' })
  count: number;
}

class AddRequest {
  @Integer({ description: 'Which shelf; in the path' })
  shelf: number;
  @Integer({ description: 'How many' })
  count: number;
}

const goodsApi = feature('shop', 'goods', 'Goods', {
  countGoods: operation({
    method: 'GET',
    path: '/goods/{owner}',
    summary: 'Count',
    input: CountQuery,
    output: CountReply,
    errors: [],
    auth: 'public',
  }),
  addGoods: operation({
    method: 'POST',
    path: '/shelves/{shelf}/goods',
    summary: 'Add',
    input: AddRequest,
    output: CountReply,
    errors: [],
    auth: 'public',
  }),
});

/** What each handler was given last, and what it does next. */
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

function ask(name: keyof typeof goodsApi.operations, json: string): Promise<Outcome> {
  const handlers = new GoodsHandlers() as unknown as Record<string, BoundHandler>;
  return handlers[`bound:${name}`]!.call(handlers, { json: Buffer.from(json), context });
}

beforeEach(() => {
  seen = undefined;
  next = () => ({ count: 7 });
});

describe('a bound handler', () => {
  it('gives the method the decoded input and the context, on its object', async () => {
    const outcome = await ask('countGoods', '{"owner":"me"}');
    expect(outcome).toEqual({ ok: true, output: { count: 7 } });
    expect(seen).toEqual({ query: { owner: 'me' }, context, by: 'goods' });
    expect((seen as { query: unknown }).query).toBeInstanceOf(CountQuery);
  });

  it('does not call the method when the input is not valid', async () => {
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

  it('reads the text of a query by the types of its fields', async () => {
    await ask('countGoods', '{"owner":"12","limit":"3","only_available":"true","kinds":"tea"}');
    expect(seen).toMatchObject({
      query: { owner: '12', limit: 3, only_available: true, kinds: ['tea'] },
    });
  });

  it('reads the text of a path field also where there is a body, and nothing else of it', async () => {
    expect(await ask('addGoods', '{"shelf":"4","count":2}')).toMatchObject({ ok: true });
    expect(seen).toEqual({ shelf: 4, count: 2 });
    expect(await ask('addGoods', '{"shelf":"4","count":"2"}')).toMatchObject({
      error: { details: [{ field: 'count', message: 'must be an integer' }] },
    });
  });

  it.each([
    ['no JSON', '{'],
    ['nothing', ''],
  ])('answers %s with MALFORMED_JSON', async (_case, json) => {
    expect(await ask('addGoods', json)).toMatchObject({ ok: false, error: { code: 'MALFORMED_JSON' } });
  });

  it('passes on what the method refuses', async () => {
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
  ])('turns what the method %s into an internal error that says nothing of it', async (_how, fail) => {
    next = fail;
    const outcome = await ask('addGoods', '{"shelf":1,"count":1}');
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
    const { error } = outcome as { error: DomainError };
    expect(error.message).not.toContain('SELECT');
    expect(error.cause).toBeInstanceOf(TypeError);
  });
});

// Each class below is an error for the compiler, which `npm run typecheck` would miss if it were none.
describe('the compiler refuses a class that', () => {
  it('misses an operation', () => {
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

  it('answers with a field of the wrong type', () => {
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

  it('answers without a field', () => {
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

  it('asks for more than the operation gives', () => {
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

  it('takes a field by another type', () => {
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

it('a property that holds a function is refused at start: it is not there yet when the class is bound', () => {
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
