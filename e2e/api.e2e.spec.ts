import { contractCases } from './contract';
import { notCovered } from './covered-routes';
import { crossChainCases } from './cross-chain.cases';
import { Api } from './http';
import { foundIn, logsIn } from './logs';
import { mcpCases } from './mcp/mcp.cases';
import { serviceCases } from './services';
import type { ServicesHarness } from './services/services-harness';
import { specificationCases } from './specification.cases';
import { Harness, startTimeoutMs } from './harness';
import { Wiretap } from './wiretap';

let wiretap: Wiretap;
const it = { secrets: [] as string[] } as ServicesHarness;

// One environment for all cases: its start lasts as long as half of them.
function casesOfEnvironment(): void {
  beforeAll(async () => {
    it.harness = await Harness.start({ PAY_ORDERS_DEPOSIT_POLL_MS: '250' });
    wiretap = await Wiretap.on(it.harness.state.urls.nats);
    it.api = await Api.at(it.harness.gateway);
    it.sandbox = (await it.api.get('/sandbox')).body;
  }, startTimeoutMs);

  afterAll(async () => {
    await wiretap?.close();
    await it.harness?.remove();
  });

  describe('the specification', () => specificationCases(() => it.harness.gateway));

  // After the specification: these cases stop the route provider, and minimum amounts are read again minutes later.
  describe('cross-chain', () => crossChainCases(() => it.harness));

  for (const [family, cases] of Object.entries(serviceCases)) describe(family, () => cases(it));

  describe('agents', () => mcpCases(() => it));

  describe('the API document', () => contractCases(() => it));

  describe('after all cases', () => {
    test('every operation of the service API has succeeded once and returned each declared error', () => {
      expect(notCovered((app) => app === 'service-api')).toEqual([]);
    });

    test('no log contains a secret that a client received', () => {
      const texts = logsIn(it.harness.directory);
      expect(texts.length).toBeGreaterThan(5);
      // The logs are from this run: they contain a request of this run.
      expect(texts.some((text) => text.includes('/sandbox'))).toBe(true);
      expect(it.secrets.length).toBeGreaterThan(0);
      expect(foundIn(texts, [...it.secrets, it.sandbox.merchant.secret])).toEqual([]);
    });

    test('no message on the bus contains a secret that a client received', () => {
      for (const seen of ['op.service-api.cards.get-card', 'events.service-api.'])
        expect([seen, wiretap.texts.some((text) => text.startsWith(seen))]).toEqual([seen, true]);
      expect(foundIn(wiretap.texts, [...it.secrets, it.sandbox.merchant.secret])).toEqual([]);
    });
  });
}

const running = process.env['TOLLBRIDGE_URL'];
if (running) describe('the specification', () => specificationCases(() => running));
else casesOfEnvironment();
