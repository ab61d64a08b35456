import { BusClient } from './bus-client';
import { BusConnection } from './bus-connection';
import { connectAppsOfProcess } from './in-process-bus';
import { developmentIdentity } from './service-identity';
import { callContext } from '../calls/call-context';
import { DomainError } from '../errors/domain-error';
import { closing } from '../testing/closing';
import { eventually, openTcpLink } from '../testing/servers';
import { gate, openShop, randomApp, sharedNatsUrl, shopApi, type Respond } from '../testing/shop';

const url = sharedNatsUrl();
const { closeLater, closeAll } = closing();
let app: string;
let disconnect: () => void;
/** Subjects of the calls that the NATS server has delivered. */
let overNats: string[];

beforeEach(async () => {
  app = randomApp();
  const observer = closeLater(await BusConnection.open({ app: randomApp(), url }));
  overNats = [];
  observer.nats.subscribe(`op.${app}.questions.>`, { callback: (_, { subject }) => overNats.push(subject) });
  await observer.nats.flush();
  disconnect = connectAppsOfProcess();
});

afterEach(async () => {
  disconnect();
  await closeAll();
});

const echo: Respond = ({ text }) => ({ text });

async function openClient(): Promise<BusClient> {
  const bus = closeLater(await BusConnection.open({ app: randomApp(), url }));
  return closeLater(new BusClient(bus, developmentIdentity('gateway')));
}

const ask = (client: BusClient, text = 'tea?') => client.call(shopApi(app).operations.ask, { text });

it('answers calls of the same process without the NATS server, each caller with its own reply', async () => {
  closeLater(await openShop(url, app, echo));
  const client = await openClient();
  const texts = Array.from({ length: 200 }, (_, index) => String(index));
  const answers = await Promise.all(texts.map((text) => ask(client, text)));
  expect(answers.map(({ text }) => text)).toEqual(texts);
  expect(overNats).toEqual([]);
});

it('passes context and failures as the NATS server does', async () => {
  const contexts: unknown[] = [];
  closeLater(
    await openShop(url, app, ({ text }, { requestId, principal }) => {
      contexts.push([requestId, principal]);
      if (text === 'coffee?') throw new DomainError('CONFLICT', 'There is tea only.');
      return { text };
    }),
  );
  const client = await openClient();
  const { ask: operation } = shopApi(app).operations;
  const context = callContext({ requestId: 'req_of_this_test', principal: 'wallet:w' });
  await client.call(operation, { text: 'tea?' }, context);
  await expect(client.call(operation, { text: 'coffee?' }, context)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'There is tea only.',
  });
  expect(contexts).toEqual(Array(2).fill(['req_of_this_test', 'wallet:w']));
  expect(overNats).toEqual([]);
});

it('verifies calls: a call that was signed for another app is rejected', async () => {
  const rejections: string[] = [];
  const respond = jest.fn(echo);
  closeLater(await openShop(url, app, respond, { onRejected: ({ reason }) => rejections.push(reason) }));
  const client = await openClient();
  const forged = { ...shopApi(app).operations.ask, app: 'another' };
  void client.call({ ...forged, timeoutMs: 3_600_000 }, { text: 'tea?' }).catch(() => undefined);
  await eventually(() => expect(rejections).toHaveLength(1));
  expect(respond).not.toHaveBeenCalled();
});

it('ends a running call when its caller hangs up', async () => {
  const [begun, ended] = [gate(), gate()];
  closeLater(
    await openShop(url, app, async ({ text }, { signal }) => {
      signal!.addEventListener('abort', () => ended.open());
      begun.open();
      await ended.opened;
      return { text };
    }),
  );
  const client = await openClient();
  const caller = new AbortController();
  const context = { ...callContext(), signal: caller.signal };
  const call = client.call(shopApi(app).operations.askAndWait, { text: 'tea?' }, context);
  await begun.opened;
  caller.abort();
  await expect(call).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  await ended.opened;
});

it('sends calls over NATS when no replica of this process answers, and finishes running calls first', async () => {
  const [begun, end] = [gate(), gate()];
  const shop = closeLater(
    await openShop(url, app, async ({ text }) => {
      begun.open();
      await end.opened;
      return { text: `first ${text}` };
    }),
  );
  const client = await openClient();
  const running = ask(client);
  await begun.opened;
  disconnect();
  closeLater(await openShop(url, app, ({ text }) => ({ text: `second ${text}` })));
  const stopped = shop.stopAnswering();
  expect(await ask(client)).toEqual({ text: 'second tea?' });
  expect(overNats).toHaveLength(1);
  end.open();
  expect(await running).toEqual({ text: 'first tea?' });
  await stopped;
});

it('fails a call that cannot reach the NATS server, as without the shortcut', async () => {
  closeLater(await openShop(url, app, echo));
  const link = closeLater(await openTcpLink(url));
  const bus = closeLater(await BusConnection.open({ app: randomApp(), url: link.url }));
  const options = { reconnectMs: 50 };
  const client = closeLater(new BusClient(bus, developmentIdentity('gateway'), undefined, options));
  expect(await ask(client)).toEqual({ text: 'tea?' });
  await link.cut();
  await eventually(() => expect(bus.isConnected).toBe(false));
  await expect(ask(client)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
