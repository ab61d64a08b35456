import type { Network } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentRequiredHeader } from '@x402/core/http';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { signerOfSeed, payerAddress, TonNanopayClient } from '@tollbridge/paywall/x402';
import { Wallet } from 'ethers';
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import { ok, waitFor } from './client';
import { walk } from './walk';

const rent = { service: 'tg', country: 44 };
const headers = { 'content-type': 'application/json' };
const urlOf = (path: string): string => `${walk.api.baseUrl}${path}`;
const post = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) });
const decode = (value: string | null): any => JSON.parse(Buffer.from(value ?? '', 'base64').toString());

/** Records the paid request, to send the same request again. */
function recorded(): { fetch: typeof fetch; paid: () => string } {
  let paid = '';
  const record: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    paid = request.headers.get('payment-signature') ?? paid;
    return fetch(request);
  };
  return { fetch: record, paid: () => paid };
}

async function evmBuyer(amount = '5000000') {
  const wallet = Wallet.createRandom();
  await walk.base.transfer('USDC', wallet.address, amount);
  const network = walk.base.caip2 as Network;
  const allowedAssets = [{ network, asset: walk.base.token('USDC').address }];
  const client = new x402Client()
    .register(network, new ExactEvmScheme(privateKeyToAccount(wallet.privateKey as `0x${string}`)))
    .setSpendControls({ allowedAssets });
  return { client, address: wallet.address };
}

async function nanoBuyer(amount = '5000000') {
  const signer = signerOfSeed(randomBytes(32));
  const address = payerAddress(signer);
  ok(await walk.api.post('/sandbox/nanopay/deposit', { address, amount }));
  await waitFor('the deposit is credited', async () =>
    ok(await walk.api.get(`/balance/${address}`)).available === amount ? true : undefined,
  );
  const client = new x402Client().register('ton-mainnet' as Network, new TonNanopayClient({ signer }));
  return { client, address };
}

const pricedByProviders = ['/sms/number', '/sms/send', '/gift/giftcards/order', '/gift/airtime/topup'];

/** Clients that use only the official packages and a wallet. */
export function describeSales(): void {
  // After a time-out of its node, a payment option is not offered for half a minute.
  beforeAll(() =>
    waitFor('all ways to pay are offered', async () => {
      const response = await fetch(urlOf('/sms/number'), { method: 'POST' });
      const { accepts } = decodePaymentRequiredHeader(response.headers.get('payment-required')!);
      return accepts.length >= 4 ? true : undefined;
    }),
  );
  describeOtherServices();

  it('returns 402 with a price to a client without an account, before it validates the body', async () => {
    for (const path of [...pricedByProviders, '/x402/v1/quote']) {
      const response = await fetch(urlOf(path), { method: 'POST' });
      const body = (await response.json()) as { isFrom: boolean };
      expect([path, response.status, body.isFrom]).toEqual([path, 402, true]);
      const { accepts, resource } = decodePaymentRequiredHeader(response.headers.get('payment-required')!);
      expect(accepts.map(({ scheme }) => scheme)).toEqual(['ton-nanopay', 'ton-nanopay', 'exact', 'exact']);
      expect(resource!.url).toBe(urlOf(path));
    }
    const wrongKey = { ...headers, authorization: 'Bearer wrong' };
    expect((await fetch(urlOf('/sms/number'), { ...post(rent), headers: wrongKey })).status).toBe(401);
  });

  it.each([
    ['exact on an EVM chain', evmBuyer],
    ['ton-nanopay', nanoBuyer],
  ])('sells a number to a wallet that pays by %s, and provides its code', async (_title, open) => {
    const buyer = await open();
    const record = recorded();
    const response = await wrapFetchWithPayment(record.fetch, buyer.client)(urlOf('/sms/number'), post(rent));
    const number = (await response.json()) as { id: string; number: string };
    expect([response.status, number]).toEqual([
      200,
      { id: expect.any(String), activationId: expect.any(String), number: expect.stringMatching(/^\+44/) },
    ]);
    const receipt = decode(response.headers.get('payment-response'));
    expect(receipt).toMatchObject({ success: true, amount: '660000' });
    expect(String(receipt.payer).toLowerCase()).toBe(buyer.address.toLowerCase());

    // The same payment returns the stored response for the same body, but rejects another body.
    const again = { ...headers, 'payment-signature': record.paid() };
    const repeated = await fetch(urlOf('/sms/number'), { ...post(rent), headers: again });
    expect([repeated.status, await repeated.json()]).toEqual([200, number]);
    const other = await fetch(urlOf('/sms/number'), { ...post({ ...rent, country: 1 }), headers: again });
    expect(other.status).toBe(409);

    const token = { 'purchase-token': response.headers.get('purchase-token')! };
    await waitFor('the code arrives', async () => {
      const status = await fetch(urlOf(`/sms/status/${number.id}`), { headers: token });
      expect(status.status).toBe(200);
      return ((await status.json()) as { status: string }).status === 'received' ? true : undefined;
    });
    expect((await fetch(urlOf(`/sms/status/${number.id}`))).status).toBe(401);
  });

  it('refunds a message that the provider declined', async () => {
    const { client, address } = await evmBuyer('1000000');
    // The simulator of the provider declines this number.
    const message = { to: '+12025550110', body: 'hello' };
    const response = await wrapFetchWithPayment(fetch, client)(urlOf('/sms/send'), post(message));
    expect([response.status, await response.json()]).toMatchObject([422, { code: 'PURCHASE_REFUSED' }]);
    expect(decode(response.headers.get('payment-response'))).toMatchObject({
      success: false,
      errorReason: 'refunded',
      extra: { refund: 'pending', refundedAmount: '300000' },
    });
    await waitFor('the refund is on the chain', async () =>
      (await walk.base.balance('USDC', address)) === 1_000_000n ? true : undefined,
    );
  });
}

function describeOtherServices(): void {
  it('sells gift cards with their codes', async () => {
    const { client } = await nanoBuyer('50000000');
    client.setSpendControls({ maxAmountPerPayment: false });
    const order = { productId: 1001, quantity: 1, unitPrice: 25, senderName: 'An agent' };
    const response = await wrapFetchWithPayment(fetch, client)(urlOf('/gift/giftcards/order'), post(order));
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { status: 'SUCCESSFUL', cards: [{}] },
    ]);
  });

  it('sells a number with its code, a bill, addresses, mail and a quote of a swap', async () => {
    const { client } = await nanoBuyer('50000000');
    client.setSpendControls({ maxAmountPerPayment: false });
    const record = recorded();
    const buy = async (path: string, body: object): Promise<any> => {
      const response = await wrapFetchWithPayment(record.fetch, client)(urlOf(path), post(body));
      const bought = await response.json();
      expect([path, response.status, bought]).toEqual([path, 200, expect.any(Object)]);
      return bought;
    };
    const awaited = await buy('/sms/number-and-wait', { ...rent, timeout: 20 });
    expect(awaited.code).toMatch(/^\d+$/);
    const bill = {
      billerId: 5001,
      subscriberAccountNumber: '04223568280',
      amount: 5_000,
      useLocalAmount: true,
    };
    expect((await buy('/gift/utilities/pay', bill)).billerId).toBe(5001);
    const mailbox = await buy('/email/account', {});
    expect(mailbox.token).toEqual(expect.any(String));
    // The paying wallet identifies the buyer.
    const mail = { to: mailbox.address, subject: 'Hello', text: 'Your parcel has arrived.' };
    const { address } = await buy('/resend/agent-email', { agentId: 'shop' });
    const sent = await buy('/resend/send', { ...mail, from: address });
    expect(sent.from).toBe(address);
    const again = { ...headers, 'payment-signature': record.paid() };
    const repeated = await fetch(urlOf('/resend/send'), {
      ...post({ ...mail, from: address }),
      headers: again,
    });
    expect([repeated.status, await repeated.json()]).toEqual([200, sent]);
    const { inbox_id } = await buy('/agentmail/inboxes', { name: `agent ${randomBytes(6).toString('hex')}` });
    expect((await buy('/agentmail/send', { ...mail, inbox_id })).messageId).toEqual(expect.any(String));
    const [inputToken, outputToken] = ['USDT', 'USDC'].map((symbol) => walk.base.token(symbol));
    const quoted = await buy('/x402/v1/quote', { inputToken, outputToken, inputAmount: '1000000' });
    expect(quoted).toMatchObject({ success: true, data: { quoteId: quoted.quoteId } });
  });
}
