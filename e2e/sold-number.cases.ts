import { eventually } from '@tollbridge/testing';
import { wrapFetchWithPayment } from '@x402/fetch';
import { BoughtRoute, decode, type Given } from './premium.cases';

const headers = { 'content-type': 'application/json' };
const init = { method: 'POST', headers, body: JSON.stringify({ service: 'tg', country: 44 }) };
const rented = { id: expect.any(String), number: expect.stringMatching(/^\+44/) };
/** Price of the simulator's number, with the margin. */
const price = 660_000n;

/**
 * Buys a number without an account, by the ways that need more than an EVM chain. See also specification/sales.cases.
 */
export function soldNumberCases(given: () => Given): void {
  let route: BoughtRoute;
  beforeAll(() => {
    route = new BoughtRoute(given(), '/sms/number');
  });

  const readCode = async ({ id }: { id: string }, token: string) => {
    const url = `${given().harness.gateway}/sms/status/${id}`;
    await eventually(async () => {
      const reply = await fetch(url, { headers: { 'purchase-token': token } });
      expect(await reply.json()).toMatchObject({ status: 'received' });
    });
  };

  /** Returns the reply, and the paid request for a repeat. */
  async function buyOnSolana(url: string, body?: string) {
    const { client, address } = await route.solanaBuyer();
    let paid: Request | undefined;
    const recorded: typeof fetch = async (input, options) => {
      const request = new Request(input, options);
      if (request.headers.has('payment-signature')) paid = request.clone();
      return fetch(request);
    };
    const reply = await wrapFetchWithPayment(recorded, client)(url, { ...init, ...(body && { body }) });
    return { reply, address, again: () => fetch(paid!.clone()) };
  }

  it('accepts @x402/fetch with a Solana wallet', async () => {
    const { reply, address, again } = await buyOnSolana(route.url);
    const number = (await reply.json()) as { id: string };
    expect([reply.status, number]).toEqual([200, expect.objectContaining(rented)]);
    const receipt = decode(reply.headers.get('payment-response'));
    expect(receipt).toMatchObject({ success: true, payer: address, amount: String(price) });
    expect(await (await again()).json()).toEqual(number);
    await readCode(number, reply.headers.get('purchase-token')!);
  });

  it('accepts mppx', async () => {
    const { address, privateKey } = await route.evmWallet(price);
    const reply = await route.buyByMppx(privateKey, { init, most: String(price) });
    const number = JSON.parse(reply.body);
    expect([reply.status, number]).toEqual([200, expect.objectContaining(rented)]);
    const { reference } = decode(reply.headers['payment-receipt']!);
    expect(await given().payer.provider.getTransactionReceipt(reference)).toMatchObject({ status: 1 });
    expect(await route.usdcOf(address)).toBe(0n);
    await readCode(number, reply.headers['purchase-token']!);
  });

  it('refunds on Solana when the provider declines', async () => {
    // The simulator of the provider declines this number.
    const body = JSON.stringify({ to: '+12025550110', body: 'hello' });
    const { reply, again } = await buyOnSolana(`${given().harness.gateway}/sms/send`, body);
    expect(reply.status).toBe(422);
    await eventually(async () => {
      const repeated = await again();
      const { extra } = decode(repeated.headers.get('payment-response'));
      expect([repeated.status, extra]).toEqual([422, expect.objectContaining({ refund: 'done' })]);
      expect(extra.refundTransaction).toMatch(/^\w{64,88}$/);
    });
  });
}
