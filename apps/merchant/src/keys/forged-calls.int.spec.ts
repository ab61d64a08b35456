import { apiKeysApi, budgetsApi, internalKeysApi, webhooksApi } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  callContext,
  developmentDirectory,
  developmentIdentity,
  developmentIdentitySecret,
  ServiceIdentity,
  walletPrincipal,
  type BusOperation,
  type DomainError,
} from '@tollbridge/rpc';
import { headers as natsHeaders } from 'nats';
import { aReserveRequest } from '../budgets/testing/reserve-request.builder';
import { Merchant } from '../testing/merchant';

// Attacks with the stolen identity of another app, or with a bus connection without subject permissions.

const victim = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const principal = walletPrincipal(victim);
const newKey = { label: 'Mine now', permissions: ['read', 'pay', 'write'] };

let merchant: Merchant;
let bus: BusConnection;
const clients: BusClient[] = [];

beforeAll(async () => {
  merchant = await Merchant.start();
  bus = await BusConnection.open({ app: 'stream', url: merchant.nats.url });
});
afterAll(async () => {
  for (const client of clients) client.close();
  await bus?.close();
  await merchant?.close();
});

function clientOf(identity: ServiceIdentity): BusClient {
  const client = new BusClient(bus, identity);
  clients.push(client);
  return client;
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (error) => (error as DomainError).code,
  );

const keysOfVictim = () => merchant.database.query('SELECT FROM api_keys WHERE owner = $1', [victim]);
const spends = () => merchant.database.query('SELECT FROM key_spends');

async function rejections(): Promise<Record<string, number>> {
  const { values } = await merchant.apps[0]!.metrics.registry.getSingleMetric(
    'tollbridge_calls_rejected_total',
  )!.get();
  const counted = values.filter(({ value }) => value > 0);
  return Object.fromEntries(counted.map(({ labels, value }) => [labels['reason'], value]));
}

const targets: [string, BusOperation<any, any>, object][] = [
  ['creates an API key', apiKeysApi.operations.createKey, newKey],
  ['lists API keys', apiKeysApi.operations.listKeys, {}],
  ['replaces the webhook secret', webhooksApi.operations.rotateWebhookSecret, {}],
  ['looks up a secret', internalKeysApi.operations.authenticate, { digest: 'a'.repeat(64), kind: 'secret' }],
  ['reserves a budget', budgetsApi.operations.reserve, aReserveRequest()],
  ['releases a budget', budgetsApi.operations.release, { reference: 'x' }],
];

describe.each(targets)('a call that %s', (_what, operation, input) => {
  const context = callContext({ principal });

  it('rejects the call when the identity of the app stream signs it', async () => {
    const stolen = clientOf(developmentIdentity('stream'));
    await expect(codeOf(stolen.call(operation, input, context))).resolves.toBe('INTERNAL_ERROR');
  });

  it('rejects the call when the app stream signs it with its own secret as the gateway', async () => {
    const stream = developmentIdentity('stream');
    const forged = Object.assign(Object.create(stream) as ServiceIdentity, {
      sign: (callee: string, call: never) => stream.sign(callee, call).replace('.stream.', '.gateway.'),
    });
    await expect(codeOf(clientOf(forged).call(operation, input, context))).resolves.toBe('INTERNAL_ERROR');
  });

  it('rejects the call without a signature', async () => {
    const headers = natsHeaders();
    headers.set('x-request-id', 'req_forged');
    headers.set('tb-principal', principal);
    const reply = await bus.request(operation.subject, Buffer.from(JSON.stringify(input)), {
      headers,
      timeoutMs: 5_000,
    });
    expect(reply.headers?.get('tb-error')).toBe('INTERNAL_ERROR');
  });
});

it('a forged call stores no row and increments the rejection metric', async () => {
  expect(await keysOfVictim()).toHaveLength(0);
  expect(await spends()).toHaveLength(0);
  const n = targets.length;
  expect(await rejections()).toEqual({ notAllowed: n, unknownKey: n, unsigned: n });
});

it('the callee rejects a genuine signature on a call with another principal, body or operation', async () => {
  const gateway = developmentIdentity('gateway');
  const genuine: { signature?: string } = {};
  const recording = Object.assign(Object.create(gateway) as ServiceIdentity, {
    sign: (callee: string, call: never) => (genuine.signature ??= gateway.sign(callee, call)),
  });
  const client = clientOf(recording);
  const context = callContext({ principal: walletPrincipal('0xAttacker') });
  await expect(codeOf(client.call(apiKeysApi.operations.createKey, newKey as never, context))).resolves.toBe(
    'OK',
  );
  const { createKey, listKeys } = apiKeysApi.operations;
  const replays = [
    client.call(createKey, newKey as never, { ...context, principal }),
    client.call(createKey, { ...newKey, label: 'Other' } as never, context),
    client.call(listKeys, {}, context),
  ];
  for (const replay of replays) await expect(codeOf(replay)).resolves.toBe('INTERNAL_ERROR');
  expect(await keysOfVictim()).toHaveLength(0);
});

it('the callee rejects a call that was captured more than a minute ago', async () => {
  const past = new ServiceIdentity(
    'gateway',
    [developmentIdentitySecret('gateway')],
    developmentDirectory,
    () => Date.now() - 61_000,
  );
  const call = clientOf(past).call(apiKeysApi.operations.listKeys, {}, callContext({ principal }));
  await expect(codeOf(call)).resolves.toBe('INTERNAL_ERROR');
  await expect(rejections()).resolves.toMatchObject({ expired: 1 });
});

it('the callee uses the calling app as the principal, even if the call states another one', async () => {
  const pay = clientOf(developmentIdentity('pay-orders'));
  // The callee accepts the call, and rejects the reservation because the key does not exist.
  const given = aReserveRequest();
  const code = await codeOf(pay.call(budgetsApi.operations.reserve, given, callContext({ principal })));
  expect(['OK', 'INTERNAL_ERROR', 'OUTCOME_UNKNOWN']).not.toContain(code);
});
