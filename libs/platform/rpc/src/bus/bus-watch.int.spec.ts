import { BusClient } from './bus-client';
import { BusConnection, type PermissionViolation } from './bus-connection';
import { BusWatch, type BusFault } from './bus-watch';
import { developmentIdentity } from './service-identity';
import { closing } from '../testing/closing';
import { eventually, startRestrictedNats, type RestrictedNats } from '../testing/servers';
import { gate, openShop, shopApi, type Respond } from '../testing/shop';
import { writtenSubject } from '../declarations/wire';

const { closeLater, closeAll } = closing();
afterEach(closeAll);

/** The bus checks use this subject, as in every app, so the server must not handle it as a call. */
const otherSubjects = new Set([writtenSubject('shop')]);
const { ask, askInHaste } = shopApi('shop').operations;

interface Rights {
  subscribes?: string;
  replies?: string[];
}

/** A short version of the production users: an app, a caller, and another app with stolen credentials. */
const usersWhere = ({
  subscribes = '["op.shop.>", "_INBOX.shop.>"]',
  replies = ['_INBOX.caller.shop.>', '_INBOX.shop.shop.>', '_INBOX.thief.shop.>'],
}: Rights = {}): string => `
  { user: shop, password: secret, permissions {
    publish: ${JSON.stringify(['op.shop.outbox-written', ...replies])}, subscribe: ${subscribes} } }
  { user: caller, password: secret }
  { user: thief, password: secret, permissions { publish: "${ask.subject}", subscribe: "_INBOX.thief.>" } }`;

interface WatchedShop {
  nats: RestrictedNats;
  bus: BusConnection;
  watch: BusWatch;
  faults: [BusFault['reason'], boolean][];
  violations: PermissionViolation[];
  statuses: string[];
  call(operation?: typeof ask): Promise<string>;
  connect(user: string): Promise<BusConnection>;
}

async function openWatchedShop({
  respond = ({ text }) => ({ text }),
  onFault,
}: { respond?: Respond; onFault?: (nats: RestrictedNats) => void } = {}): Promise<WatchedShop> {
  const nats = closeLater(await startRestrictedNats(usersWhere()));
  const urlOf = (user: string): string => `nats://${user}:secret@${nats.host}`;
  const connect = async (user: string): Promise<BusConnection> =>
    closeLater(await BusConnection.open({ app: user, url: urlOf(user) }));
  const [faults, violations, statuses]: [WatchedShop['faults'], PermissionViolation[], string[]] = [
    [],
    [],
    [],
  ];
  const onStatus = (status: string): void => void statuses.push(status);
  const { bus } = closeLater(
    await openShop(urlOf('shop'), 'shop', respond, {}, { otherSubjects }, { onStatus }),
  );
  bus.onViolation((violation) => violations.push(violation));
  const watch = new BusWatch(bus, {
    answersCalls: true,
    onFault: ({ reason }, isRepeated) => {
      faults.push([reason, isRepeated]);
      onFault?.(nats);
    },
  });
  const client = closeLater(new BusClient(await connect('caller'), developmentIdentity('gateway')));
  const call = async (operation = ask): Promise<string> =>
    (await client.call(operation, { text: 'open?' })).text;
  expect(await call()).toBe('open?');
  return { nats, bus, watch, faults, violations, statuses, call, connect };
}

describe('BusWatch', () => {
  it('reconnects, then closes the connection, when its app loses the permission to subscribe to its calls', async () => {
    const { nats, bus, watch, faults, violations } = await openWatchedShop();
    await nats.reload(usersWhere({ subscribes: '"_INBOX.shop.>"' }));
    await bus.closed;
    expect(faults).toEqual([
      ['subscription rejected', false],
      ['subscription rejected', true],
    ]);
    expect(violations).toContainEqual({ operation: 'subscription', subject: 'op.shop.>', purpose: 'calls' });
    expect(watch.isHealthy).toBe(false);
  });

  it('reconnects, then closes the connection, when the replies of its app are rejected', async () => {
    const { nats, bus, faults, call } = await openWatchedShop();
    await nats.reload(usersWhere({ replies: [] }));
    const unanswered = call(askInHaste).catch(({ code }) => code);
    await bus.closed;
    expect(faults).toEqual([
      ['own call failed', false],
      ['own call failed', true],
    ]);
    expect(await unanswered).toBe('OUTCOME_UNKNOWN');
  });

  it('answers calls again when its permissions are restored at the reconnect', async () => {
    let restored: Promise<void> | undefined;
    const shop = await openWatchedShop({
      onFault: (nats) => {
        restored = nats.reload(usersWhere());
      },
    });
    await shop.nats.reload(usersWhere({ subscribes: '"_INBOX.shop.>"' }));
    await eventually(() => expect(shop.statuses).toContain('reconnect'));
    await restored;
    await eventually(() => expect(shop.watch.isHealthy).toBe(true));
    expect(await shop.call()).toBe('open?');
    expect(shop.faults).toEqual([['subscription rejected', false]]);
  });

  it('keeps the connection while another app provokes violations', async () => {
    const { bus, watch, faults, violations, statuses, call, connect } = await openWatchedShop();
    const thief = await connect('thief');
    const body = Buffer.from('{"text":"unsigned"}');
    for (let round = 0; round < 30; round++) {
      // The app replies to every inbox with its name. NATS rejects replies to apps that do not call it.
      for (const reply of [`_INBOX.thief.shop.${round}`, '_INBOX.other.shop.1', '$JS.API.STREAM.DELETE.SHOP'])
        thief.nats.publish(ask.subject, body, { reply });
      await thief.nats.flush();
    }
    await eventually(() => expect(violations.length).toBeGreaterThan(10));
    // Two checks take place during this time.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(violations.every(({ operation }) => operation === 'publish')).toBe(true);
    expect(faults).toEqual([]);
    expect(statuses).not.toContain('disconnect');
    expect([watch.isHealthy, bus.isConnected]).toEqual([true, true]);
    expect(await call()).toBe('open?');
  });

  it('answers a request from before the reconnect', async () => {
    const [arrived, released] = [gate(), gate()];
    let isFirst = true;
    const { bus, faults, violations, statuses, call } = await openWatchedShop({
      respond: async ({ text }) => {
        if (isFirst) isFirst = false;
        else {
          arrived.open();
          await released.opened;
        }
        return { text };
      },
    });
    const waiting = call();
    await arrived.opened;
    bus.reconnect();
    await eventually(() => expect(statuses).toContain('reconnect'));
    released.open();
    expect(await waiting).toBe('open?');
    expect(violations).toEqual([]);
    expect(faults).toEqual([]);
    expect(await call()).toBe('open?');
  });
});
