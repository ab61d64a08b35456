import { ManualClock } from '@tollbridge/testing';
import { startSmsSimulators, type RunningSmsSimulators } from '../simulators/start-sms-simulators';
import { smsActivateKey } from './sms-activate';

// The package has no types.
const SmsActivateSdk = jest.requireActual<new (key: string) => any>('sms-activate');

const clock = new ManualClock();
let harness: RunningSmsSimulators;

beforeAll(async () => {
  harness = await startSmsSimulators(clock);
});
afterAll(() => harness?.close());

function sdk(key = smsActivateKey): any {
  const client = new SmsActivateSdk(key);
  client.session.defaults.baseURL = `${harness.url}/sms-activate/stubs/handler_api.php`;
  return client;
}

describe('sms-activate npm client against the simulator', () => {
  it('rents a number, waits, and reads its code', async () => {
    const before = await sdk().getBalance();
    const { id, number } = await sdk().getNumber('tg', 16);
    expect(String(number)).toMatch(/^447400\d{6}$/);
    expect(await sdk().getBalance()).toBeLessThan(before);
    expect(await sdk().getStatus(id)).toBe('STATUS_WAIT_CODE');
    expect(await sdk().getCode(id)).toBeNull();
    clock.advance(harness.smsActivate.numbers.codeAfterMs);
    expect(await sdk().getStatus(id)).toBe('STATUS_OK');
    expect(await sdk().getCode(id)).toMatch(/^\d{6}$/);
    // A used number cannot be cancelled.
    await expect(sdk().setStatus(id, 8)).rejects.toThrow('Bad status');
    expect(await sdk().setStatus(id, 6)).toBe('ACCESS_ACTIVATION');
  });

  it('cancels a number after two minutes, and refunds it', async () => {
    const { numbers } = harness.smsActivate;
    const before = numbers.balanceMicros;
    const { id } = await sdk().getNumber('x1', 16);
    expect(await sdk().setStatus(id, 8)).toBe('EARLY_CANCEL_DENIED');
    clock.advance(120_000);
    expect(await sdk().getStatus(id)).toBe('STATUS_WAIT_CODE');
    expect(await sdk().setStatus(id, 8)).toBe('ACCESS_CANCEL');
    expect(await sdk().setStatus(id, 8)).toBe('ACCESS_CANCEL_ALREADY');
    expect(await sdk().getStatus(id)).toBe('STATUS_CANCEL');
    expect(numbers.balanceMicros).toBe(before);
  });

  it('refunds a number that was not cancelled after 20 minutes', async () => {
    const before = harness.smsActivate.numbers.balanceMicros;
    const { id } = await sdk().getNumber('x1', 22);
    clock.advance(20 * 60_000);
    expect(await sdk().getStatus(id)).toBe('STATUS_CANCEL');
    expect(harness.smsActivate.numbers.balanceMicros).toBe(before);
  });

  it.each<[string, string, unknown[], string]>([
    ['BAD_KEY', 'getBalance', [], 'Invalid API Key'],
    ['BAD_SERVICE', 'getNumber', ['zz', 16], 'Bad serivce'],
    ['NO_NUMBERS', 'getNumber', ['x2', 16], 'No free numbers'],
    ['NO_BALANCE', 'getNumber', ['x3', 16], 'Not enough money for the order'],
    ['BANNED', 'getNumber', ['x4', 16], 'Banned until 2030-01-01 00'],
    ['NO_ACTIVATION', 'getStatus', [1], 'Invalid activation id'],
  ])('parses %s', async (word, method, input, message) => {
    const client = sdk(word === 'BAD_KEY' ? 'another-key' : smsActivateKey);
    await expect(client[method](...input)).rejects.toThrow(message);
  });
});
