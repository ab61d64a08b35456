import { Controller, Module } from '@nestjs/common';
import { clockAdvancedSubject, clockAheadApi, type ClockAheadReply } from '@tollbridge/contracts';
import { idempotencyTable, leasesTable, outboxTables, realTimeOf } from '@tollbridge/database';
import { BusConnection, DomainError, Handles } from '@tollbridge/rpc';
import {
  eventually,
  freshDatabase,
  startNats,
  type FreshDatabase,
  type NatsServer,
} from '@tollbridge/testing';
import { SandboxClock } from './sandbox-clock';
import type { RunningService } from '../service';
import { createTables, startTestService } from '../testing/test-service';

process.env['LOG_LEVEL'] = 'silent';

let ahead = 0;
let isAway = false;

@Controller()
@Handles(clockAheadApi)
class SandboxHandlers {
  clockAhead(): ClockAheadReply {
    if (isAway) throw new DomainError('SERVICE_UNAVAILABLE');
    return { ahead_ms: ahead };
  }
}

@Module({ controllers: [SandboxHandlers] })
class SandboxModule {}

@Module({})
class ShopModule {}

let nats: NatsServer;
let fresh: FreshDatabase;
let sandbox: RunningService;
let observer: BusConnection;
const services: RunningService[] = [];

beforeAll(async () => {
  [nats, fresh] = await Promise.all([startNats(), freshDatabase('shop')]);
  await createTables('shop', fresh.ownerUrl, [outboxTables, idempotencyTable, leasesTable]);
  observer = await BusConnection.open({ app: 'observer', url: nats.url });
  sandbox = await startTestService({ app: 'sandbox', module: SandboxModule, natsUrl: nats.url, config: {} });
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.close()));
});
afterAll(async () => {
  await observer?.close();
  await sandbox?.close();
  await Promise.all([nats?.remove(), fresh?.drop()]);
});

async function startShop(follows: boolean): Promise<RunningService> {
  const service = await startTestService({
    app: 'shop',
    module: ShopModule,
    natsUrl: nats.url,
    config: {},
    ...(follows && { followsSandboxClock: true }),
    database: { url: fresh.runtimeUrl, entities: [], maxConnections: 4 },
  });
  services.push(service);
  return service;
}

// Adding zero turns minus zero, the rounded difference of a millisecond, into zero. Jest distinguishes them.
const aheadOf = ({ clock }: RunningService): number => Math.round((clock.now() - Date.now()) / 1_000) + 0;

describe('an app that follows the clock of the sandbox', () => {
  it('uses the time of that clock from the start, and the new time when the sandbox publishes it', async () => {
    ahead = 3_600_000;
    const shop = await startShop(true);
    await eventually(() => expect(aheadOf(shop)).toBe(3_600));
    let woken = 0;
    shop.clock.onSet!(() => woken++);
    ahead = 7_200_000;
    observer.publish(clockAdvancedSubject, new Uint8Array());
    await eventually(() => expect([aheadOf(shop), woken]).toEqual([7_200, 1]));
    expect(Math.abs(realTimeOf(shop.clock) - Date.now())).toBeLessThan(1_000);
  });

  it('starts without the sandbox, and retries until the sandbox answers', async () => {
    isAway = true;
    const shop = await startShop(true);
    expect(aheadOf(shop)).toBe(0);
    isAway = false;
    await eventually(() => expect(aheadOf(shop)).toBe(7_200));
  });

  it('ignores an older reply that comes later', () => {
    const clock = new SandboxClock({ now: () => 1_000 });
    clock.setAhead(50);
    clock.setAhead(20);
    expect([clock.now(), clock.realNow()]).toEqual([1_050, 1_000]);
  });
});

it('leaves the clocks of other apps unchanged', async () => {
  const shop = await startShop(false);
  expect(shop.clock).not.toBeInstanceOf(SandboxClock);
  observer.publish(clockAdvancedSubject, new Uint8Array());
  await observer.nats.flush();
  expect(aheadOf(shop)).toBe(0);
  expect(Math.abs(realTimeOf(shop.clock) - shop.clock.now())).toBeLessThan(1_000);
});
