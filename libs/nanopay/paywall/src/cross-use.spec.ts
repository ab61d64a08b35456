import { testnet, type Deployment } from '@tollbridge/nanopay-protocol';
import type { PaywallOptions } from './paywall';
import { deployment, headerFor, sampleHarness, readHeader } from './testing/samples';

// Each test presents one authorization for something other than the signed resource. All paywalls share one ledger
// service, so only the paywall itself prevents one payment from paying twice.

const price = { amount: '1000' };
const signedFor = { method: 'GET', url: '/weather' };
const other = `0:${'33'.repeat(32)}`;
const { ledger, paywall: home } = sampleHarness();
const sells = (changes: Partial<Deployment>): Partial<PaywallOptions> => ({
  deployment: { ...deployment, ...changes },
});

async function headerOf(): Promise<string> {
  const verdict = await home.route(price).decide({ ...signedFor, payment: undefined });
  return headerFor(
    (verdict as { answer: { headers: Record<string, string> } }).answer.headers['PAYMENT-REQUIRED']!,
  );
}

interface Elsewhere {
  options?: Partial<PaywallOptions>;
  request?: Partial<typeof signedFor>;
  /** Unsigned claims that an attacker adds to the payment. */
  claims?: { network?: string };
}

const codeOf = async ({ options = {}, request = {}, claims }: Elsewhere, header: string): Promise<string> => {
  const { paywall } = sampleHarness({ transport: ledger, ...options });
  const document = JSON.parse(Buffer.from(header, 'base64').toString());
  Object.assign(document.accepted, claims);
  const payment = Buffer.from(JSON.stringify(document)).toString('base64');
  const verdict = await paywall.route(price).decide({ ...signedFor, ...request, payment });
  if (verdict.kind === 'granted') return 'granted';
  expect(verdict.answer.status).toBe(402);
  const { errorReason } = readHeader<{ errorReason: string }>(verdict.answer.headers['PAYMENT-RESPONSE']);
  expect(errorReason).toBe(verdict.answer.code);
  return verdict.answer.code;
};

it.each<[string, Elsewhere, string]>([
  ['another resource', { request: { url: '/news' } }, 'invalid_ton_nanopay_resource_mismatch'],
  ['another query', { request: { url: '/weather?all' } }, 'invalid_ton_nanopay_resource_mismatch'],
  ['another method', { request: { method: 'POST' } }, 'invalid_ton_nanopay_resource_mismatch'],
  [
    'another host',
    { options: { baseUrl: 'https://api.example.org' } },
    'invalid_ton_nanopay_resource_mismatch',
  ],
  ['another seller', { options: { to: other } }, 'invalid_ton_nanopay_recipient_mismatch'],
  ['another network', { options: sells({ network: testnet }) }, 'invalid_network'],
  [
    'another network, which it claims',
    { options: sells({ network: testnet }), claims: { network: 'tvm:-3' } },
    'invalid_network',
  ],
  [
    'another contract',
    { options: sells({ verifyingContract: other }) },
    'invalid_ton_nanopay_contract_mismatch',
  ],
  [
    'another asset',
    { options: sells({ asset: { symbol: 'EURT', master: other, decimals: 6 } }) },
    'invalid_ton_nanopay_asset_mismatch',
  ],
])('rejects a payment at %s and accepts it at its own resource afterwards', async (_, elsewhere, code) => {
  const header = await headerOf();
  expect(await codeOf(elsewhere, header)).toBe(code);
  expect(await codeOf({}, header)).toBe('granted');
});
