import { DomainError } from '@tollbridge/rpc';
import { declareRoute, openRoute, type OwnRoute } from '../routes/gateway-route';
import { OperationLimits } from '../rate-limit/operation-limits';
import { GatewayHarness } from '../testing/gateway-harness';

const limited: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('tests', 'limited', {
    method: 'POST',
    path: '/limited/{id}',
    summary: 'A route with a limit of its own',
    callsPerMinute: 20,
  }),
};
const open = openRoute('tests', 'open', '/open', 'An open route');

let harness: GatewayHarness;
let order: string[];

beforeEach(async () => {
  order = [];
  harness = await GatewayHarness.open({
    routes: [limited, open],
    register: (server) => {
      server.post('/limited/:id', { preHandler: async () => void order.push('handler') }, async () => 'ok');
      server.get('/open', async () => 'ok');
    },
  });
  harness.admit = () => void order.push('admission');
  harness.get(OperationLimits).count = () => {
    order.push('operation limit');
    return undefined;
  };
  const reserve = harness.bodies.bytes.reserve.bind(harness.bodies.bytes);
  harness.bodies.bytes.reserve = (...given) => {
    order.push('body capacity');
    return reserve(...given);
  };
});
afterEach(() => harness.close());

describe('the request hooks', () => {
  it('run in this order: admission, operation limit, body capacity, handler', async () => {
    const reply = await harness.send('POST', '/limited/1', { body: '{}' });
    expect(reply.statusCode).toBe(200);
    expect(order).toEqual(['admission', 'operation limit', 'body capacity', 'handler']);
  });

  it('reserve no body capacity for a request that admission rejects', async () => {
    harness.admit = () => {
      throw new DomainError('UNAUTHORIZED');
    };
    expect((await harness.send('POST', '/limited/1', { body: '{}' })).statusCode).toBe(401);
    expect(order).toEqual([]);
  });

  it('reject a path without a route and a wrong method before admission', async () => {
    expect((await harness.send('POST', '/none', { body: '{}' })).statusCode).toBe(404);
    expect((await harness.send('PUT', '/limited/1', { body: '{}' })).statusCode).toBe(405);
    expect(order).toEqual([]);
  });

  it('answer a preflight before admission', async () => {
    expect((await harness.send('OPTIONS', '/limited/1')).statusCode).toBe(204);
    expect(order).toEqual([]);
  });

  it('skip admission for an open route', async () => {
    expect((await harness.send('GET', '/open')).statusCode).toBe(200);
    expect(order).toEqual([]);
  });

  it('do not count a request against the limit of its operation when admission rejects it', async () => {
    harness.admit = () => Promise.reject(new DomainError('FORBIDDEN'));
    expect((await harness.send('POST', '/limited/1', { body: '{}' })).statusCode).toBe(403);
    expect(order).toEqual([]);
  });
});

describe('an undeclared route', () => {
  it('prevents the start of the gateway', async () => {
    const opening = GatewayHarness.open({
      register: (server) => void server.get('/undeclared', async () => 'ok'),
    });
    await expect(opening).rejects.toThrow('Route GET /undeclared is not declared in the route table');
  });
});
