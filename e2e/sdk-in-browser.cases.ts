import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import type * as Sdk from '@tollbridge/sdk';
import { repository } from './harness';

interface Given {
  url: string;
  browser: Browser;
}

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const order = {
  pay_blockchain: 'base',
  pay_token: 'USDC',
  settle_chain: 'base',
  settle_token: 'USDC',
  merchant_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  fee_receiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  fee_amount: '5000',
  merchant_id: 'browser',
  payer_address: '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
};

/** The SDK, bundled for browsers. In a separate process, because the bundler is an ES module. */
function bundledSdk(): string {
  const program = `import('rolldown')
    .then(({ rolldown }) => rolldown({ input: 'libs/sdk/src/index.ts', platform: 'browser' }))
    .then((built) => built.generate({ format: 'esm' }))
    .then(({ output }) => process.stdout.write(output[0].code));`;
  return execFileSync(process.execPath, ['-e', program], { cwd: repository, encoding: 'utf8' });
}

/** A page of a shop, on its own origin. */
async function serveSdk(): Promise<{ server: Server; origin: string }> {
  const code = bundledSdk();
  const server = createServer((request, response) => {
    const isModule = request.url === '/sdk.js';
    response.setHeader('content-type', isModule ? 'text/javascript' : 'text/html');
    response.end(isModule ? code : '<!doctype html><title>shop</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** The SDK in a real browser, on a page with another origin than the gateway. */
export function sdkInBrowserCases(given: () => Given): void {
  describe('@tollbridge/sdk in a browser', () => {
    let server: Server;
    let page: Page;

    beforeAll(async () => {
      let origin: string;
      ({ server, origin } = await serveSdk());
      page = await given().browser.newPage();
      await page.goto(origin);
    });
    afterAll(async () => {
      await page?.context().close();
      server?.close();
    });

    /**
     * Runs in the page.
     * @param run receives the SDK and `value`
     */
    const inPage = <T, R>(run: (sdk: typeof Sdk, given: T) => Promise<R>, value: T): Promise<R> =>
      page.evaluate(
        `import('/sdk.js').then((sdk) => (${run.toString()})(sdk, ${JSON.stringify(value)}))`,
      ) as Promise<R>;

    it('creates an order, follows its stream and lists it', async () => {
      const seen = await inPage(
        async (sdk, { url, order }) => {
          let requestId: string | undefined;
          const client = sdk.createClient({ baseUrl: url });
          const input = { ...order, merchant_amount: String(sdk.toAtomic('1.5', 6)) };
          const created = await sdk.createOrder(client, input as Sdk.CreateOrderInput, {
            onReply: (facts) => (requestId = facts.requestId),
          });
          const statuses: string[] = [];
          for await (const { data } of sdk.followOrder(client, { id: created.order_id })) {
            statuses.push((data as { status: string }).status);
            break;
          }
          const listed: string[] = [];
          for await (const each of sdk.listOrders(client, { payer: order.payer_address }))
            listed.push(each.order_id);
          return { requestId, statuses, isListed: listed.includes(created.order_id) };
        },
        { url: given().url, order },
      );
      expect(seen).toEqual({
        requestId: expect.stringMatching(/^req_/),
        statuses: ['waiting_payment'],
        isListed: true,
      });
    });

    it('throws the errors of the API with their codes and bad fields', async () => {
      const failed = await inPage(async (sdk, url) => {
        const client = sdk.createClient({ baseUrl: url });
        const result = await sdk.toResult(sdk.quotePayment(client, {} as Sdk.QuotePaymentInput));
        if (result.ok || result.error.code !== 'VALIDATION_ERROR') return result;
        const { code, status, details } = result.error;
        return { code, status, fields: details?.map(({ field }) => field) };
      }, given().url);
      expect(failed).toEqual({
        code: 'VALIDATION_ERROR',
        status: 400,
        fields: expect.arrayContaining(['pay_token', 'settle_token']),
      });
    });

    it('verifies a webhook, and rejects a changed one', async () => {
      const body = JSON.stringify({ type: 'webhook.test', data: {} });
      const at = new Date();
      const signature = new Webhook(secret).sign('msg_1', at, body);
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
        'webhook-signature': signature,
      };
      const verdicts = await inPage(
        async (sdk, { body, headers, secret }) => {
          const verdict = (text: string) =>
            sdk.verifyWebhook(text, headers, secret).then(
              ({ type }) => type as string,
              (error: { reason: string }) => error.reason,
            );
          return [await verdict(body), await verdict(`${body} `)];
        },
        { body, headers, secret },
      );
      expect(verdicts).toEqual(['webhook.test', 'signature_mismatch']);
    });
  });
}
