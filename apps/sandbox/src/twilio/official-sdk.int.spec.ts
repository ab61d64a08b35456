import { ManualClock } from '@tollbridge/testing';
import twilio from 'twilio';
import { startSmsSimulators, type RunningSmsSimulators } from '../simulators/start-sms-simulators';
import { undeliverableTo } from './magic-numbers';
import { twilioAccount } from './twilio';

const clock = new ManualClock();
let harness: RunningSmsSimulators;

beforeAll(async () => {
  harness = await startSmsSimulators(clock);
});
afterAll(() => harness?.close());

function sdk(token: string = twilioAccount.token) {
  const client = twilio(twilioAccount.sid, token);
  client.api.baseUrl = `${harness.url}/twilio`;
  return client;
}

const message = { to: '+447400123456', from: twilioAccount.from, body: 'Grüße & more=1\n+2' };

describe('Official Twilio SDK against the simulator', () => {
  it('sends a message, and polls it to its final state', async () => {
    const { sid, status, body, dateCreated, dateSent } = await sdk().messages.create(message);
    expect({ status, body, dateSent }).toEqual({ status: 'queued', body: message.body, dateSent: null });
    expect(sid).toMatch(/^SM[0-9a-f]{32}$/);
    expect(Math.abs(dateCreated.getTime() - clock.now())).toBeLessThan(1_000);
    const seen = new Set<string>();
    for (let step = 0; step < 5; step++) {
      seen.add((await sdk().messages(sid).fetch()).status);
      clock.advance(900);
    }
    expect([...seen]).toEqual(['queued', 'sending', 'sent', 'delivered']);
  });

  it('lists the messages to a number, over pages, newest first', async () => {
    const to = '+447400999001';
    for (const body of ['one', 'two', 'three']) await sdk().messages.create({ ...message, to, body });
    const listed = await sdk().messages.list({ to, pageSize: 2 });
    expect(listed.map(({ body }) => body)).toEqual(['three', 'two', 'one']);
    expect(await sdk().messages.list({ to, dateSent: new Date(0) })).toEqual([]);
  });

  it('reports the reason why a message was not delivered', async () => {
    const { sid } = await sdk().messages.create({ ...message, to: undeliverableTo });
    clock.advance(5_000);
    const { status, errorCode } = await sdk().messages(sid).fetch();
    expect({ status, errorCode }).toEqual({ status: 'undelivered', errorCode: 30003 });
  });

  it.each<[number, number, object]>([
    [21211, 400, { to: '+15005550001' }],
    [21612, 400, { to: '+15005550002' }],
    [21408, 400, { to: '+15005550003' }],
    [21610, 400, { to: '+15005550004' }],
    [21614, 400, { to: '+15005550009' }],
    [21211, 400, { to: '12' }],
    [21212, 400, { from: '+15005550001' }],
    [21606, 400, { from: '+15005550007' }],
    [21611, 400, { from: '+15005550008' }],
    [21617, 400, { body: 'x'.repeat(1_601) }],
    [20429, 429, { to: '+12025550129' }],
  ])('parses the error %s', async (code, status, changes) => {
    const failed = sdk().messages.create({ ...message, ...changes });
    await expect(failed).rejects.toMatchObject({
      code,
      status,
      moreInfo: `https://www.twilio.com/docs/errors/${code}`,
    });
  });

  it('rejects a wrong token, and returns 404 for an unknown message', async () => {
    await expect(sdk('another token').messages.create(message)).rejects.toMatchObject({
      code: 20003,
      status: 401,
    });
    await expect(
      sdk()
        .messages(`SM${'0'.repeat(32)}`)
        .fetch(),
    ).rejects.toMatchObject({ code: 20404 });
  });
});
