import {
  deployUsdc,
  deployX402Contracts,
  permit2Address,
  type SandboxTokenHandle,
} from '@tollbridge/onchain';
import { freePort, startAnvil, type Anvil } from '@tollbridge/testing';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { declareDiscoveryExtension } from '@x402/extensions/bazaar';
import { createSIWxClientExtension } from '@x402/extensions/sign-in-with-x';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Contract, MaxUint256 } from 'ethers';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { jwsIssuer } from '../extensions/offer-receipt-issuer';
import { startLocalFacilitator, type LocalFacilitator } from '../testing/local-facilitator';
import { deployment, readHeader, seller } from '../testing/samples';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';
import type { AcceptedWay } from './offers';
import type { SettledElsewhere } from './official-sales';

const chainId = 84_532;
const network = `eip155:${chainId}` as const;
const payTo = '0x00000000000000000000000000000000000be4c4';

const discovery = {
  extensions: declareDiscoveryExtension({
    input: { city: 'Lisbon' },
    inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] },
    output: { example: { celsius: 21 } },
  }),
};

let anvil: Anvil;
let usdc: SandboxTokenHandle;
let facilitator: LocalFacilitator;
let accepts: AcceptedWay[];
const shops: OfficialShop[] = [];

beforeAll(async () => {
  anvil = await startAnvil({ chainId });
  usdc = await deployUsdc(anvil.wallet(0), { name: 'USDC' });
  await usdc.mint(anvil.wallet(1).address, 1_000_000n);
  await deployX402Contracts(anvil.wallet(0));
  facilitator = await startLocalFacilitator(anvil);
  const asset = { address: usdc.address, decimals: 6, symbol: 'USDC', name: 'USDC', version: '2' };
  accepts = [{ scheme: 'exact', network, payTo, asset }];
});
afterAll(async () => {
  await facilitator?.stop();
  await anvil?.stop();
});
afterEach(async () => {
  facilitator.loses.clear();
  for (const shop of shops.splice(0)) await shop.stop();
});

async function open(options = {}, port?: number) {
  const shop = await startOfficialShop(facilitator.server.url, { accepts, ...options }, {}, port);
  shops.push(shop);
  return shop;
}

/** The official client, unmodified except for the spending limits, which only support tokens of public chains. */
const clientOf = (wallet: number) => {
  const account = privateKeyToAccount(anvil.wallet(wallet).privateKey as `0x${string}`);
  return new x402Client()
    .register(network, new ExactEvmScheme(account))
    .register(network, new UptoEvmScheme(account))
    .setSpendControls({ allowedAssets: true });
};

const buy = (wallet: number) => wrapFetchWithPayment(fetch, clientOf(wallet));

const headerOf = async (shop: OfficialShop, wallet: number) => {
  const payload = await clientOf(wallet).createPaymentPayload(readHeader(await shop.required()));
  return Buffer.from(JSON.stringify(payload)).toString('base64');
};

const paid = async (): Promise<bigint> => {
  const abi = ['function balanceOf(address) view returns (uint256)'];
  return (await new Contract(usdc.address, abi, anvil.provider)
    .getFunction('balanceOf')
    .staticCall(payTo)) as bigint;
};

const settlementOf = (reply: Response) =>
  readHeader<{ success: boolean; transaction: string; payer: string }>(reply.headers.get('payment-response'));

it.each(['GET', 'POST'])('sells %s to the unmodified official client', async (method) => {
  const shop = await open({ to: seller, deployment });
  const before = await paid();
  const reply = await buy(1)(`${shop.url}/sold`, { method });
  expect(reply.status).toBe(200);
  expect(await reply.json()).toEqual({ paidBy: anvil.wallet(1).address });
  const { success, transaction, payer } = settlementOf(reply);
  expect([success, payer]).toEqual([true, anvil.wallet(1).address]);
  expect(await anvil.provider.getTransactionReceipt(transaction)).toMatchObject({ status: 1 });
  expect((await paid()) - before).toBe(1_000n);
});

it('serves a paid resource again to the wallet of the unmodified client', async () => {
  const port = await freePort();
  const options = {
    baseUrl: `http://127.0.0.1:${port}`,
    offerReceipts: { issuer: jwsIssuer({ key: '07'.repeat(32) }) },
  };
  const shop = await startOfficialShop(
    facilitator.server.url,
    { accepts, ...options },
    { signIn: { accessS: 60 }, ...discovery },
    port,
  );
  shops.push(shop);
  const signer = privateKeyToAccount(anvil.wallet(1).privateKey as `0x${string}`);
  const client = clientOf(1).registerExtension(createSIWxClientExtension({ signers: [signer] }));
  const before = await paid();
  const read = wrapFetchWithPayment(fetch, client);
  for (const _time of ['first', 'second', 'third']) {
    const reply = await read(`${shop.url}/sold`);
    expect([reply.status, await reply.json()]).toEqual([200, { paidBy: signer.address }]);
  }
  expect((await paid()) - before).toBe(1_000n);
  await read(`${shop.url}/other`);
  expect((await paid()) - before).toBe(2_000n);
});

it('charges nothing for a failed handler', async () => {
  const shop = await open();
  const before = await paid();
  shop.handler.answer = (_request, response) => response.status(500).json({});
  const reply = await buy(1)(`${shop.url}/sold`);
  expect([reply.status, settlementOf(reply).success]).toEqual([500, false]);
  expect(await paid()).toBe(before);
});

it('rejects the payment of a client without funds', async () => {
  const shop = await open();
  const reply = await shop.pay(await headerOf(shop, 2));
  expect(reply.status).toBe(402);
  expect(await reply.json()).toMatchObject({ code: 'invalid_exact_evm_insufficient_balance' });
  expect(shop.handler.calls).toBe(0);
});

it('serves one payment once in two processes, although both have verified it', async () => {
  const [first, second] = [await open(), await open()];
  const before = await paid();
  const payment = await headerOf(first, 1);
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  for (const { handler } of [first, second])
    handler.answer = async (_request, response) => {
      if (first.handler.calls + second.handler.calls === 2) release();
      await held;
      response.json({ is: 'served' });
    };
  const replies = await Promise.all([first.pay(payment), second.pay(payment)]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 402]);
  expect((await paid()) - before).toBe(1_000n);
});

it('serves only one of 50 concurrent copies of a payment', async () => {
  const shop = await open();
  const before = await paid();
  const payment = await headerOf(shop, 1);
  const replies = await Promise.all(Array.from({ length: 50 }, () => shop.pay(payment)));
  expect(replies.every(({ status }) => status === 200 || status === 503)).toBe(true);
  expect(shop.handler.calls).toBe(1);
  expect((await paid()) - before).toBe(1_000n);
});

it('requests no second payment after a lost answer of the facilitator', async () => {
  const shop = await open();
  const before = await paid();
  const payment = await headerOf(shop, 1);
  facilitator.loses.add('settle');
  const reply = await shop.pay(payment);
  expect([reply.status, reply.headers.get('payment-required')]).toEqual([503, null]);
  facilitator.loses.clear();
  // The official facilitator does not store the outcome, so it rejects the nonce as used.
  const again = await shop.pay(payment);
  expect([again.status, again.headers.get('payment-required')]).toEqual([503, null]);
  expect((await paid()) - before).toBe(1_000n);
});

it('reports a pending settlement after its transaction is mined', async () => {
  const shop = await open({ facilitator: { url: facilitator.server.url, settleTimeoutMs: 10_000 } });
  const payment = await headerOf(shop, 1);
  await anvil.setAutomine(false);
  const reply = shop.pay(payment);
  await new Promise((resolve) => setTimeout(resolve, 500));
  await anvil.setAutomine(true);
  await anvil.mine();
  expect((await reply).status).toBe(200);
});

describe('by Permit2', () => {
  beforeAll(async () => {
    const abi = ['function approve(address spender, uint256 amount) returns (bool)'];
    const approve = new Contract(usdc.address, abi, anvil.wallet(1)).getFunction('approve');
    const { hash } = await approve.send(permit2Address, MaxUint256);
    await anvil.provider.waitForTransaction(hash);
  });
  const ofPermit2 = (scheme: 'exact' | 'upto') =>
    open({ accepts: [{ ...accepts[0]!, scheme, assetTransferMethod: 'permit2' }] });

  it.each(['exact', 'upto'] as const)('sells %s to the unmodified official client, once', async (scheme) => {
    const shop = await ofPermit2(scheme);
    const before = await paid();
    const payment = await headerOf(shop, 1);
    const replies = await Promise.all([shop.pay(payment), shop.pay(payment), shop.pay(payment)]);
    expect(replies.some(({ status }) => status === 200)).toBe(true);
    expect(shop.handler.calls).toBe(1);
    expect((await buy(1)(`${shop.url}/sold`)).status).toBe(200);
    expect((await paid()) - before).toBe(2_000n);
  });

  it('charges the amount of the handler, up to the maximum', async () => {
    const shop = await ofPermit2('upto');
    shop.handler.answer = (request, response) => {
      request.payment!.chargeOnly!(400n);
      response.json({});
    };
    const before = await paid();
    const reply = await buy(1)(`${shop.url}/sold`);
    expect([reply.status, settlementOf(reply).success]).toEqual([200, true]);
    expect((await paid()) - before).toBe(400n);
  });

  it.each(['eip3009', 'permit2'])(
    'serves a payment by %s that another account settled when the seller finds its transaction',
    async (assetTransferMethod) => {
      const sold = new Set<string>();
      /** Finds the transfer on the chain like a seller with a node. Each transfer buys one response. */
      const onSettledElsewhere = async ({ payTo: receiver, payer, amount }: SettledElsewhere) => {
        const token = new Contract(
          usdc.address,
          ['event Transfer(address indexed, address indexed, uint256)'],
          anvil.provider,
        );
        const found = await token.queryFilter(token.filters['Transfer']!(payer, receiver), fromBlock);
        const transfer = found.find(
          ({ data, transactionHash }) => BigInt(data) === BigInt(amount) && !sold.has(transactionHash),
        );
        if (transfer) sold.add(transfer.transactionHash);
        return transfer?.transactionHash;
      };
      const way = { ...accepts[0]!, assetTransferMethod: assetTransferMethod as 'eip3009' };
      const [shop, another] = [
        await open({ accepts: [way], onSettledElsewhere }),
        await open({ accepts: [way], onSettledElsewhere }),
      ];
      const fromBlock = (await anvil.provider.getBlockNumber()) + 1;
      const before = await paid();
      const payment = await headerOf(shop, 1);
      const paymentPayload = readHeader<{ accepted: object }>(payment);
      const body = JSON.stringify({
        x402Version: 2,
        paymentPayload,
        paymentRequirements: paymentPayload.accepted,
      });
      const settled = await fetch(`${facilitator.server.url}/settle`, { method: 'POST', body });
      expect(await settled.json()).toMatchObject({ success: true });
      const replies = [await shop.pay(payment), await shop.pay(payment), await another.pay(payment)];
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 402]);
      expect([shop.handler.calls, another.handler.calls]).toEqual([1, 0]);
      expect((await paid()) - before).toBe(1_000n);
    },
  );
});

describe('the unmodified mppx client', () => {
  interface Reply {
    status: number;
    headers: Record<string, string>;
    body: string;
  }

  /** Buys in a separate process, because the package is an ES module. */
  async function mppxBuys(url: string): Promise<Reply> {
    const key = anvil.wallet(1).privateKey;
    const parameters = JSON.stringify({ url, key, token: usdc.address, chainId });
    const script = join(__dirname, '../testing/mppx-buyer.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, parameters]);
    return JSON.parse(stdout) as Reply;
  }

  it.each([
    ['the scheme Payment', { mpp: { secret: 'a secret of the tests, long enough' } }, 'payment-receipt'],
    ['x402', {}, 'payment-response'],
  ])('pays by %s', async (_name, options, receipt) => {
    const port = await freePort();
    const shop = await open(
      { to: seller, deployment, baseUrl: `http://127.0.0.1:${port}`, ...options },
      port,
    );
    const before = await paid();
    const { status, headers, body } = await mppxBuys(`${shop.url}/sold`);
    expect([status, JSON.parse(body)]).toEqual([200, { paidBy: anvil.wallet(1).address }]);
    const { reference, transaction } = JSON.parse(
      Buffer.from(headers[receipt]!, 'base64url').toString(),
    ) as Settled;
    expect(await anvil.provider.getTransactionReceipt(reference ?? transaction)).toMatchObject({ status: 1 });
    expect((await paid()) - before).toBe(1_000n);
  });
});

interface Settled {
  reference?: string;
  transaction: string;
}
