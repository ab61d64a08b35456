import { declareDiscoveryExtension, validateDiscoveryExtension } from '@x402/extensions/bazaar';
import type { PaymentRequired } from '@tollbridge/nanopay-protocol';
import type { PaidOptions } from '../paid-options';
import { FakeFacilitator, officialHeaderFor } from '../testing/fake-facilitator';
import { startOfficialShop } from '../testing/official-shop';
import { readHeader, sampleHarness } from '../testing/samples';

const inputSchema = { properties: { city: { type: 'string' } }, required: ['city'] };
const output = { example: { celsius: 21 } };
const read = declareDiscoveryExtension({ input: { city: 'Lisbon' }, inputSchema, output });
const write = declareDiscoveryExtension({ bodyType: 'json', input: { city: 'Lisbon' }, inputSchema, output });

async function extensionsOf(extensions: PaidOptions['extensions'], method: string) {
  const { paywall } = sampleHarness();
  const route = paywall.route({ amount: '1000', extensions: extensions! });
  const verdict = await route.decide({ method, url: '/sold', payment: undefined });
  if (verdict.kind !== 'payment_required') throw new Error(verdict.kind);
  return readHeader<PaymentRequired>(verdict.answer.headers['PAYMENT-REQUIRED']).extensions as any;
}

it.each([
  ['GET', read],
  ['DELETE', read],
  ['POST', write],
])('puts the discovery declaration of the official package into the 402 of %s', async (method, declared) => {
  const { bazaar, ...others } = await extensionsOf(declared as never, method);
  expect(bazaar.info.input).toMatchObject({ type: 'http', method });
  expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
  expect(Object.keys(others)).toEqual(['payment-identifier']);
});

it('leaves other extensions unchanged', async () => {
  const { terms } = await extensionsOf({ terms: { info: { url: 'https://a.example' } } }, 'GET');
  expect(terms).toEqual({ info: { url: 'https://a.example' } });
});

it.each([
  [{ 'sign-in-with-x': {} }, 'the paywall creates it'],
  [{ terms: 'a'.repeat(4_096) }, 'at most 4096 bytes'],
])('rejects at the start an extension that clients cannot return: %j', (extensions, message) => {
  expect(() => sampleHarness().paywall.route({ amount: '1', extensions })).toThrow(message);
});

it('passes the declaration on to the facilitator', async () => {
  const facilitator = await FakeFacilitator.start();
  const shop = await startOfficialShop(facilitator, {}, { extensions: read as never });
  const reply = await shop.pay(officialHeaderFor(await shop.required()));
  const { paymentPayload } = JSON.parse(facilitator.calls('verify')[0]!.body);
  expect([reply.status, paymentPayload.extensions.bazaar.info.input.method]).toEqual([200, 'GET']);
  await shop.stop();
  await facilitator.close();
});
