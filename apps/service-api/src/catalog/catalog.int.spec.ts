import { AnyCaller, catalogApi, type CatalogService } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  callContext,
  DomainError,
  keyPrincipal,
  type BusOperation,
} from '@tollbridge/rpc';
import { Database } from '@tollbridge/database';
import type { RunningService } from '@tollbridge/bootstrap';
import { startNats, type FreshDatabase, type NatsServer, testConnections } from '@tollbridge/testing';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entities } from '../entities';
import { start } from '../start';
import { CatalogRepository } from './catalog.repository';
import { services } from './services';
import { migratedDatabase } from '../testing/migrated-database';

const { listServices, searchServices, getService } = catalogApi.operations;
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-catalog-'));
let database: FreshDatabase;
let nats: NatsServer;
let apps: RunningService[] = [];
let bus: BusConnection;
let client: BusClient;

beforeAll(async () => {
  process.env['LOG_LEVEL'] ??= 'silent';
  [database, nats] = await Promise.all([migratedDatabase(), startNats()]);
  const chainsFile = join(folder, 'chains.json');
  const chains = [{ chain: 'base', rpcUrls: ['http://127.0.0.1:9'] }];
  writeFileSync(chainsFile, JSON.stringify({ chains }));
  const settings = {
    TOLLBRIDGE_ENV: 'sandbox',
    SERVICE_API_NATS_URL: nats.url,
    SERVICE_API_DATABASE_URL: database.runtimeUrl,
    SERVICE_API_DATABASE_CONNECTIONS: testConnections,
    SERVICE_API_MANAGEMENT_PORT_NUMBER: '0',
    CHAINS_FILE: chainsFile,
  };
  // Three replicas fill the empty table at the same time.
  apps = await Promise.all(Array.from({ length: 3 }, () => start(settings)));
  bus = await BusConnection.open({ app: 'test-caller', url: nats.url });
  client = new BusClient(bus, new AnyCaller());
});

afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
  client?.close();
  await bus?.close();
  await nats?.remove();
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const principal = keyPrincipal('key-1', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
const call = <I, O>(operation: BusOperation<I, O>, input: I): Promise<O> =>
  client.call(operation, input, callContext({ principal }));
const failureOf = async (operation: BusOperation<any, any>, input: unknown): Promise<DomainError> => {
  const outcome: unknown = await call(operation, input).catch((error: unknown) => error);
  if (outcome instanceof DomainError) return outcome;
  throw new Error(`${operation.subject} did not fail but returned ${JSON.stringify(outcome)}`);
};
const search = async (q?: string, category?: string): Promise<string[]> => {
  const given = { ...(q !== undefined && { q }), ...(category !== undefined && { category }) };
  const found = await call(searchServices, given);
  expect(found.count).toBe(found.services.length);
  return found.services.map(({ id }) => id);
};

describe('GET /catalog', () => {
  it('lists all services in order after concurrent fills', async () => {
    const { services: listed, count } = await call(listServices, {});
    expect(count).toBe(22);
    expect(listed.map(({ id }) => id)).toEqual(services.map(({ id }) => id));
    const payout = listed.at(-1)!;
    expect(payout).toEqual(await call(getService, { id: 'payout-batch' }));
    expect(payout).toMatchObject({
      id: 'payout-batch',
      category: 'payout',
      price: { model: 'percentage' },
      method: 'POST',
      route: '/payout/batch',
      request: { chain: 'base', token: 'USDC' },
      available: true,
      availability: 'available',
    });
    expect(payout).not.toHaveProperty('provider');
  });

  it('reports whether the provider of each service is configured', async () => {
    const { services: listed } = await call(listServices, {});
    const available = listed.filter(({ available }) => available).map(({ id }) => id);
    expect(available).toEqual(['payout-preview', 'payout-batch']);
    const other = listed.filter(({ availability }: CatalogService) => availability === 'not_configured');
    expect(other).toHaveLength(20);
  });

  it.each(['unknown', "'; DROP TABLE catalog_services; --", '%'])('returns 404 for %j', async (id) => {
    expect(await failureOf(getService, { id })).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  });
});

describe('GET /catalog/search', () => {
  it.each<[string, string]>([
    ['gift card', 'giftcard-products'],
    ['buy a gift card', 'giftcard-order'],
    ['giftcard-order', 'giftcard-order'],
    ['order gift', 'giftcard-order'],
    ['GIFT CARDS list', 'giftcard-products'],
    ['voucher buying', 'giftcard-order'],
    ['top up', 'airtime-topup'],
    ['send sms', 'sms-send'],
    ['text message phone', 'sms-send'],
    ['bill', 'utility-pay'],
    ['verification code email', 'email-account-and-wait'],
    ['virtual card', 'card-issue'],
    ['cvv', 'card-data'],
    ['preview payout', 'payout-preview'],
    ['payroll usdc bulk', 'payout-batch'],
    ['agent address', 'resend-agent-email'],
    ['prev', 'payout-preview'],
  ])('ranks first for %j: %s', async (q, first) => {
    expect((await search(q))[0]).toBe(first);
  });

  it('matches all words', async () => {
    expect(await search('gift sms')).toEqual([]);
  });

  it('filters by category', async () => {
    expect(await search('number', 'sms')).toEqual(
      expect.arrayContaining(['sms-number', 'sms-number-and-wait']),
    );
    expect(await search('number', 'card')).toEqual(['card-data']);
    expect(await search(undefined, 'payout')).toEqual(['payout-preview', 'payout-batch']);
    expect(await search('payout', 'pay%')).toEqual([]);
    expect(await search(undefined, "' OR true --")).toEqual([]);
    expect(await search()).toHaveLength(22);
  });

  it.each(['%', '_', '%%%%', "'", '"', '\\', ';', '&', '|', '!', ':*', '<->', '()', 'the', 'of the'])(
    'finds nothing for %j',
    async (q) => expect(await search(q)).toEqual([]),
  );

  it.each([
    ['gift & !card', 'gift card'],
    ["gift' | 'card", 'gift card'],
    ['gift:* <-> card:D', 'gift card d'],
    ['gift%card_', 'gift card'],
    [`"gift" -card OR`, 'gift card or'],
    ["gift'); DELETE FROM catalog_services; --", 'gift delete from catalog services'],
  ])('treats %j like %j', async (q, words) => {
    expect(await search(q)).toEqual(await search(words));
    expect((await call(listServices, {})).count).toBe(22);
  });

  it('rejects a query above the limits', async () => {
    expect(await search('gift '.repeat(51).trim())).toEqual(await search('gift'));
    const tooLong = { q: 'x'.repeat(257), category: 'y'.repeat(65) };
    expect((await failureOf(searchServices, tooLong)).details).toEqual([
      { field: 'q', message: 'must have at most 256 characters' },
      { field: 'category', message: 'must have at most 64 characters' },
    ]);
  });
});

describe('CatalogRepository.fill', () => {
  const rows = () =>
    database.query<{ id: string; xmin: string; name: string }>(
      'SELECT id, xmin::text, name FROM service_api.catalog_services ORDER BY place',
    );
  const fill = async (): Promise<void> => {
    const opened = await Database.open({
      app: 'test',
      url: database.runtimeUrl,
      entities,
      maxConnections: 8,
    });
    const repository = new CatalogRepository(opened);
    try {
      // Concurrent writes, as from eight replicas.
      await Promise.all(Array.from({ length: 8 }, () => repository.fill(services)));
    } finally {
      await opened.close();
    }
  };

  it('writes nothing when nothing has changed', async () => {
    const before = await rows();
    await fill();
    expect(await rows()).toEqual(before);
  });

  it('restores changed rows and deletes unlisted ones', async () => {
    const before = await rows();
    await database.query(
      `UPDATE service_api.catalog_services SET listed = '{"id": "sms-send"}', name = 'x' WHERE id = 'sms-send'`,
    );
    await database.query(
      `INSERT INTO service_api.catalog_services (id, place, category, name, keywords, description, listed)
       SELECT 'former', 99, category, name, keywords, description, listed
       FROM service_api.catalog_services WHERE id = 'sms-number'`,
    );
    await fill();
    const names = (all: { id: string; name: string }[]) => all.map(({ id, name }) => [id, name]);
    expect(names(await rows())).toEqual(names(before));
    expect((await search('send sms'))[0]).toBe('sms-send');
  });

  it('returns the best 50 matches', async () => {
    await database.query(
      `INSERT INTO service_api.catalog_services (id, place, category, name, keywords, description, listed)
       SELECT 'many-' || n, 100 + n, category, 'Service ' || n, keywords, 'It sends an sms of kind ' || n,
         json_build_object('id', 'many-' || n, 'category', category, 'name', 'Service ' || n, 'routes', listed->'routes',
           'description', 'one of many', 'price', listed->'price', 'keywords', '[]'::json, 'provider', 'sms')
       FROM service_api.catalog_services, generate_series(1, 1000) n WHERE id = 'sms-number'`,
    );
    const found = await search('send sms');
    expect(found).toHaveLength(50);
    expect(found[0]).toBe('sms-send');
    expect(await search('kind 777')).toEqual(['many-777']);
    await fill();
    expect((await call(listServices, {})).count).toBe(22);
  });
});
