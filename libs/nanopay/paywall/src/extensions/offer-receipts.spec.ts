import {
  createEIP712OfferReceiptIssuer,
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  verifyOfferSignatureEIP712,
  verifyOfferSignatureJWS,
  verifyReceiptMatchesOffer,
  verifyReceiptSignatureEIP712,
  verifyReceiptSignatureJWS,
} from '@x402/extensions/offer-receipt';
import { generateKeyPairSync } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { evmBuyer, evmNetwork, FakeFacilitator, officialHeaderFor } from '../testing/fake-facilitator';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';
import { readHeader } from '../testing/samples';
import { jwsIssuer } from './offer-receipt-issuer';

const url = 'https://api.example.com/sold';
const key = '07'.repeat(32);

let facilitator: FakeFacilitator;
const shops: OfficialShop[] = [];
beforeAll(async () => void (facilitator = await FakeFacilitator.start()));
afterAll(() => facilitator.close());
beforeEach(() => facilitator.reset());
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop();
});

async function open(options = {}) {
  const shop = await startOfficialShop(facilitator, options);
  shops.push(shop);
  return shop;
}

const requiredOf = async (shop: OfficialShop) => readHeader<any>(await shop.required());
const receiptOf = (reply: Response) =>
  readHeader<any>(reply.headers.get('payment-response')).extensions['offer-receipt'].info.receipt;

describe('offers and receipts as JWS', () => {
  const offerReceipts = { issuer: jwsIssuer({ key }) };

  it('passes the verification of the official client', async () => {
    const shop = await open({ offerReceipts });
    const header = await shop.required();
    const required = readHeader<any>(header);
    const offers = extractOffersFromPaymentRequired(required);
    expect(offers).toHaveLength(required.accepts.length);
    for (const [at, offer] of decodeSignedOffers(offers).entries()) {
      await verifyOfferSignatureJWS(offers[at] as never);
      expect(findAcceptsObjectFromSignedOffer(offer, required.accepts)).toEqual(required.accepts[at]);
      expect(offer).toMatchObject({ resourceUrl: url, validUntil: expect.any(Number) });
    }
    const reply = await shop.pay(officialHeaderFor(header));
    const receipt = receiptOf(reply);
    const payload = await verifyReceiptSignatureJWS(receipt);
    expect(payload).toMatchObject({ version: 1, network: evmNetwork, resourceUrl: url, payer: evmBuyer });
    expect(payload.transaction).toBeUndefined();
    const exact = decodeSignedOffers(offers).find(({ scheme }) => scheme === 'exact')!;
    expect(verifyReceiptMatchesOffer(receipt, exact, [evmBuyer])).toBe(true);
  });

  it("includes the transaction when the seller enables it, and identifies the key by the seller's DID", async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const issuer = jwsIssuer({ key: privateKey, kid: 'did:web:api.example.com#key-1' });
    const shop = await open({ offerReceipts: { issuer, includeTransaction: true } });
    const receipt = receiptOf(await shop.pay(officialHeaderFor(await shop.required())));
    const payload = await verifyReceiptSignatureJWS(receipt, publicKey.export({ format: 'jwk' }) as never);
    expect(payload.transaction).toBe(`0x${'ab'.repeat(32)}`);
    const [head] = receipt.signature.split('.');
    expect(readHeader(head)).toEqual({ alg: 'EdDSA', kid: 'did:web:api.example.com#key-1' });
  });

  it('signs an offer once for all requests of one URL', async () => {
    let signed = 0;
    const issueOffer: typeof offerReceipts.issuer.issueOffer = (...offer) => {
      signed++;
      return offerReceipts.issuer.issueOffer(...offer);
    };
    const shop = await open({ offerReceipts: { issuer: { ...offerReceipts.issuer, issueOffer } } });
    expect(await requiredOf(shop)).toEqual(await requiredOf(shop));
    expect(signed).toBe(2);
    const other = readHeader<any>(await shop.required('/other'));
    const urls = decodeSignedOffers(extractOffersFromPaymentRequired(other)).map(
      (offer) => offer.resourceUrl,
    );
    expect(new Set(urls)).toEqual(new Set(['https://api.example.com/other']));
  });

  it('omits offers and receipts when the issuer fails, and serves the payment', async () => {
    const fails = async () => Promise.reject(new Error('no signer'));
    const shop = await open({ offerReceipts: { issuer: { issueOffer: fails, issueReceipt: fails } } });
    const header = await shop.required();
    expect(readHeader<any>(header).extensions['offer-receipt']).toBeUndefined();
    const reply = await shop.pay(officialHeaderFor(header));
    expect(reply.status).toBe(200);
    expect(readHeader<any>(reply.headers.get('payment-response'))).toMatchObject({ success: true });
    expect(shop.errors).toHaveLength(2);
  });

  it('sends no receipt for a payment that was not settled', async () => {
    const shop = await open({ offerReceipts });
    facilitator.changes.settle = () => ({
      body: { success: false, errorReason: 'insufficient_funds', transaction: '', network: evmNetwork },
    });
    const reply = await shop.pay(officialHeaderFor(await shop.required()));
    expect(reply.status).toBe(402);
    expect(readHeader<any>(reply.headers.get('payment-response')).extensions).toBeUndefined();
  });

  it('repeats the receipt of the first settlement in a replayed response', async () => {
    const shop = await open({ offerReceipts });
    const payment = officialHeaderFor(await shop.required());
    const first = receiptOf(await shop.pay(payment));
    expect(receiptOf(await shop.pay(payment))).toEqual(first);
  });

  it('does not send the offers to the facilitator', async () => {
    const shop = await open({ offerReceipts });
    await shop.pay(officialHeaderFor(await shop.required()));
    const { paymentPayload } = JSON.parse(facilitator.calls('settle')[0]!.body);
    expect(Object.keys(paymentPayload.extensions)).toEqual(['payment-identifier']);
  });
});

it('accepts the EIP-712 issuer of the official package', async () => {
  const account = privateKeyToAccount(`0x${key}`);
  const issuer = createEIP712OfferReceiptIssuer(`did:pkh:eip155:1:${account.address}`, (typed) =>
    account.signTypedData(typed as never),
  );
  const shop = await open({ offerReceipts: { issuer } });
  const header = await shop.required();
  const [offer] = extractOffersFromPaymentRequired(readHeader<any>(header));
  expect((await verifyOfferSignatureEIP712(offer as never)).signer).toBe(account.address);
  const receipt = receiptOf(await shop.pay(officialHeaderFor(header)));
  expect((await verifyReceiptSignatureEIP712(receipt)).signer).toBe(account.address);
});

it('signs only as many offers as a client can return in a header', async () => {
  const asset = { address: `0x${'44'.repeat(20)}`, decimals: 6, name: 'Test', version: '1' };
  const accepts = Array.from({ length: 8 }, (_, at) => ({
    scheme: 'exact' as const,
    network: `eip155:${at + 1}`,
    payTo: `0x${'33'.repeat(20)}`,
    asset,
  }));
  facilitator.changes.supported = () => ({
    body: { kinds: accepts.map(({ network }) => ({ x402Version: 2, scheme: 'exact', network })) },
  });
  const shop = await open({ accepts, offerReceipts: { issuer: jwsIssuer({ key }) } });
  const header = await shop.required();
  const offers = extractOffersFromPaymentRequired(readHeader<any>(header));
  expect(offers.length).toBeGreaterThanOrEqual(5);
  expect(offers.length).toBeLessThan(8);
  const payment = officialHeaderFor(header, { pick: ({ network }) => network === 'eip155:1' });
  expect((await shop.pay(payment)).status).toBe(200);
});

it.each(['no key', '07', generateKeyPairSync('x25519').privateKey])('rejects the key %p', (wrong) => {
  expect(() => jwsIssuer({ key: wrong })).toThrow();
});
