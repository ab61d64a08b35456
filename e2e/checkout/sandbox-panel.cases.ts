import { eventually } from '@tollbridge/testing';
import type { Browser } from 'playwright-core';
import { PayerPage } from './browser';

interface Given {
  url: string;
  browser: Browser;
  ask(changes?: Record<string, unknown>): Promise<string>;
}

type Action = 'pay' | 'underpay' | 'late' | 'expire';

/** The simulated provider does not deliver deposits with this ending of the amount (README of the sandbox). */
const failingAmount = '2506411';

// A local chain, so a transfer to the deposit address is possible.
const arbitrum = {
  from_token: 'USDC',
  from_chain: 'eip155:42161',
  payer_address: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
};
const base = { from_token: 'USDC', from_chain: 'eip155:8453' };

/** A payer of the sandbox without a wallet and without scripts. */
export function sandboxPanelCases(given: () => Given): void {
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(given().url + path, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams(fields),
    });
  const start = async (option: Record<string, string>, amount = '2500000'): Promise<string> => {
    const path = await given().ask({ amount });
    const reply = await post(`${path}/pay`, option);
    return reply.headers.get('location')!;
  };
  const until = async (path: string, text: string): Promise<void> =>
    eventually(
      async () => {
        const page = await (await fetch(given().url + path)).text();
        // Each value has its own element.
        expect(page.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')).toContain(text);
      },
      { everyMs: 200 },
    );

  const press = async (path: string, action: Action, text: string): Promise<string> => {
    const reply = await post(`${path}/sandbox`, { action }, { 'sec-fetch-site': 'same-origin' });
    expect([action, reply.status, reply.headers.get('location')]).toEqual([action, 303, path]);
    await until(path, text);
    return path;
  };
  let ended: Promise<string[]> | undefined;
  const endedPayments = (): Promise<string[]> =>
    (ended ??= Promise.all([
      start(arbitrum, failingAmount).then((path) => press(path, 'pay', 'This payment failed.')),
      start(arbitrum).then((path) => press(path, 'late', 'was returned to the refund address')),
      start(base).then((path) => press(path, 'expire', 'No payment arrived in time.')),
      start(arbitrum).then((path) => press(path, 'underpay', 'USDC missing.')),
      start(base).then((path) => press(path, 'pay', 'Paid.')),
    ]));

  it('pays exactly, pays half, pays late, expires, and shows a failure of the provider', async () => {
    expect(await endedPayments()).toHaveLength(5);
  });

  it('shows accessible pages of payments that failed, arrived late and were returned, expired, or are incomplete', async () => {
    const paths = await endedPayments();
    const payer = await PayerPage.open(given().browser, given().url);
    for (const path of paths.slice(0, 4)) {
      await payer.page.goto(given().url + path);
      await payer.page.locator('.notice').first().waitFor();
      await payer.expectAccessible();
    }
    await payer.close();
  });

  it('rejects a form of another site, an unknown action and a payment of another request', async () => {
    const path = await start(base);
    const foreign = await post(`${path}/sandbox`, { action: 'pay' }, { 'sec-fetch-site': 'cross-site' });
    const partial = await post(`${path}/sandbox`, { action: 'underpay' });
    const request = await given().ask();
    const moved = await post(`${request}/${path.split('/')[3]}/sandbox`, { action: 'pay' });
    expect([foreign.status, partial.status, moved.status]).toEqual([403, 409, 404]);
  });
}
