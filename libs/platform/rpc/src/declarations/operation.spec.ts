import { Text } from './fields';
import { feature, internalFeature, internalOperation, operation, type Feature } from './operation';

class Query {
  @Text('Which')
  id: string;
}

class Reply {
  @Text('What')
  name: string;
}

const route = '/api/v1/shops/{id}/goods/{good_id}';
const readSpec = {
  summary: 'Read',
  input: Query,
  output: Reply,
  errors: ['NOT_FOUND'],
  auth: 'public',
} as const;
const read = operation(`GET ${route}`, readSpec);

describe('feature', () => {
  it('builds the subject of an operation from the app, feature and name', () => {
    const { operations } = feature('pay-orders', 'shop-goods', 'Goods', { readOneGood: read });
    expect(operations.readOneGood).toMatchObject({
      app: 'pay-orders',
      feature: 'shop-goods',
      name: 'readOneGood',
      subject: 'op.pay-orders.shop-goods.read-one-good',
    });
  });

  it('reads the path fields from the braces of the path', () => {
    const { operations } = feature('shop', 'goods', 'Goods', { read });
    expect(operations.read.pathFields).toEqual(['id', 'good_id']);
  });

  it.each([
    ['GET', false],
    ['DELETE', false],
    ['POST', true],
    ['PUT', true],
  ] as const)('declares for %s whether it has a body: %s', (method, hasBody) => {
    const { operations } = feature('shop', 'goods', 'Goods', {
      read: operation(`${method} ${route}`, readSpec),
    });
    expect(operations.read.hasBody).toBe(hasBody);
  });

  it('adds the default time-out, style and environment', () => {
    const special = operation(`GET ${route}`, {
      ...readSpec,
      timeoutMs: 60_000,
      style: 'envelope',
      isSandboxOnly: true,
    });
    const { operations } = feature('shop', 'goods', 'Goods', { read, special });
    expect(operations.read).toMatchObject({ timeoutMs: 10_000, style: 'bare', isSandboxOnly: false });
    expect(operations.special).toMatchObject({ timeoutMs: 60_000, style: 'envelope', isSandboxOnly: true });
  });

  it('assigns each operation its own subject', () => {
    const { operations } = feature('shop', 'goods', 'Goods', { read, readAll: read, remove: read });
    const subjects = Object.values(operations).map(({ subject }) => subject);
    expect(new Set(subjects).size).toBe(3);
  });
});

describe('operation', () => {
  it.each([
    ['GET', undefined, false],
    ['GET', true, true],
    ['POST', undefined, true],
    ['PUT', undefined, true],
    ['DELETE', undefined, true],
    ['POST', false, false],
  ] as const)('marks %s with isCostly %s as costly: %s', (method, isCostly, expected) => {
    const cost = isCostly === undefined ? {} : { isCostly };
    const { operations } = feature('shop', 'goods', 'Goods', {
      read: operation(`${method} ${route}`, { ...readSpec, ...cost }),
    });
    expect(operations.read.isCostly).toBe(expected);
  });
});

describe('internalFeature', () => {
  const inside = internalFeature('shop', 'stock', {
    countAll: internalOperation({ summary: 'Count', input: Query, output: Reply, errors: ['NOT_FOUND'] }),
  });

  it('adds a subject and a time-out, but no route', () => {
    expect(inside.operations.countAll).toEqual({
      summary: 'Count',
      input: Query,
      output: Reply,
      errors: ['NOT_FOUND'],
      timeoutMs: 10_000,
      hasSecretReply: false,
      isSealed: false,
      endsWithCaller: false,
      isRead: false,
      app: 'shop',
      feature: 'stock',
      name: 'countAll',
      subject: 'op.shop.stock.count-all',
    });
  });

  it('marks an operation as a read if it is a GET or declares isRead', () => {
    const reading = internalFeature('shop', 'stock', {
      readAll: internalOperation({ summary: '', input: Query, output: Reply, isRead: true }),
    });
    expect(reading.operations.readAll.isRead).toBe(true);
    const all = { summary: '', input: Query, output: Reply, auth: 'public' } as const;
    const routes = feature('shop', 'all', 'All', {
      read: operation('GET /all', all),
      write: operation('POST /all', all),
    });
    expect([routes.operations.read.isRead, routes.operations.write.isRead]).toEqual([true, false]);
  });

  it('returns a type that cannot be part of a list of features with routes', () => {
    // @ts-expect-error an internal feature has neither a method nor a path
    const features: Feature[] = [inside];
    expect(features).toHaveLength(1);
  });
});
