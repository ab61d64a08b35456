import { deployUsdc, deployX402Contracts, type SandboxTokenHandle } from '@tollbridge/onchain';
import { startAnvil, type Anvil } from '@tollbridge/testing';
import { toClientEvmSigner } from '@x402/evm';
import { BatchSettlementEvmScheme, signVoucher } from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Contract } from 'ethers';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { startFastifyShop, startNestShop } from '../../testing/framework-shops';
import { startLocalFacilitator, type LocalFacilitator } from '../../testing/local-facilitator';
import { startOfficialShop, type OfficialShop } from '../../testing/official-shop';
import { readHeader } from '../../testing/samples';
import { FileVoucherStore } from './file-voucher-store';
import type { VoucherOptions } from './voucher-options';

const chainId = 84_532;
const network = `eip155:${chainId}` as const;
const payTo = '0x00000000000000000000000000000000000ba7c4';

let anvil: Anvil;
let usdc: SandboxTokenHandle;
let facilitator: LocalFacilitator;
let folder: string;
const shops: OfficialShop[] = [];

beforeAll(async () => {
  anvil = await startAnvil({ chainId });
  usdc = await deployUsdc(anvil.wallet(0), { name: 'USDC' });
  await deployX402Contracts(anvil.wallet(0));
  facilitator = await startLocalFacilitator(anvil);
});
afterAll(async () => {
  await facilitator?.stop();
  await anvil?.stop();
});
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'vouchers-'))));
afterEach(async () => {
  facilitator.loses.clear();
  facilitator.keepsOutcomes = false;
  await anvil.setAutomine(true);
  for (const shop of shops.splice(0)) await stop(shop);
  await rm(folder, { recursive: true, force: true });
});

const authorizer = privateKeyToAccount(generatePrivateKey()) as VoucherOptions['authorizer'];

async function stop(shop: OfficialShop): Promise<void> {
  await shop.stop();
  await shop.paywall.close();
}

function selling() {
  const asset = { address: usdc.address, decimals: 6, symbol: 'USDC', name: 'USDC', version: '2' };
  const accepts = [{ scheme: 'batch-settlement' as const, network, payTo, asset }];
  return { accepts, vouchers: { authorizer, folder } };
}

async function open(options = {}): Promise<OfficialShop> {
  const shop = await startOfficialShop(facilitator.server.url, { ...selling(), ...options });
  shops.push(shop);
  return shop;
}

/** A buyer with the unmodified official client. */
async function newBuyer(heldAtomic = 1_000_000n) {
  const account = privateKeyToAccount(generatePrivateKey());
  await usdc.mint(account.address, heldAtomic);
  const signer = toClientEvmSigner(account, createPublicClient({ transport: http(anvil.url) }) as never);
  const scheme = () => new BatchSettlementEvmScheme(signer);
  const open = (of = scheme()) => {
    const client = new x402Client().register(network, of).setSpendControls({ allowedAssets: true });
    return { scheme: of, client, buy: wrapFetchWithPayment(fetch, client) };
  };
  return { ...open(), again: () => open(), address: account.address, signer };
}

type Buyer = Awaited<ReturnType<typeof newBuyer>>;

const headerOf = async ({ client }: Pick<Buyer, 'client'>, shop: OfficialShop, path?: string) => {
  const payload = await client.createPaymentPayload(readHeader(await shop.required(path)));
  return Buffer.from(JSON.stringify(payload)).toString('base64');
};
const balanceOf = async (address: string): Promise<bigint> => {
  const abi = ['function balanceOf(address) view returns (uint256)'];
  const token = new Contract(usdc.address, abi, anvil.provider);
  return (await token.getFunction('balanceOf').staticCall(address)) as bigint;
};
const settlementOf = (reply: Response) =>
  readHeader<{ success: boolean; transaction: string; extra?: { channelState?: Record<string, string> } }>(
    reply.headers.get('payment-response'),
  );
const charged = (reply: Response) => settlementOf(reply).extra?.channelState?.['chargedCumulativeAmount'];
const codeOf = async (reply: Response) => ((await reply.json()) as { code: string }).code;

it('sells to the unmodified official client, and collects all vouchers in one claim', async () => {
  const shop = await open();
  const buyer = await newBuyer();
  const before = await balanceOf(payTo);
  const first = await buyer.buy(`${shop.url}/sold`);
  expect([first.status, await first.json()]).toEqual([200, { paidBy: buyer.address }]);
  expect(settlementOf(first)).toMatchObject({ success: true, transaction: expect.stringMatching(/^0x/) });
  const more = [];
  for (let at = 0; at < 4; at++) more.push(await buyer.buy(`${shop.url}/sold`, { method: 'POST' }));
  expect(more.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(more.map(charged)).toEqual(['2000', '3000', '4000', '5000']);
  expect(settlementOf(more[3]!).transaction).toBe('');
  expect(await balanceOf(buyer.address)).toBe(990_000n);

  await shop.paywall.settle();
  expect((await balanceOf(payTo)) - before).toBe(5_000n);
  const settled = await buyer.scheme.refund(`${shop.url}/sold`);
  expect(settled).toMatchObject({ success: true });
  expect(await balanceOf(buyer.address)).toBe(995_000n);
  expect(shop.handler.calls).toBe(5);
  expect(shop.errors).toEqual([]);
});

it.each([
  ['Fastify', startFastifyShop],
  ['NestJS', startNestShop],
])('sells from %s too', async (_framework, start) => {
  const { url } = facilitator.server;
  const baseUrl = 'https://api.example.com';
  const shop = await start({ baseUrl, gateway: url, facilitator: { url }, ...selling() });
  try {
    const buyer = await newBuyer();
    for (const total of ['1000', '2000']) {
      const reply = await buyer.buy(`${shop.url}/sold`);
      expect([reply.status, await reply.json(), charged(reply)]).toEqual([
        200,
        { paidBy: buyer.address },
        total,
      ]);
    }
  } finally {
    await shop.stop();
  }
});

it('charges nothing for a failed handler, and less if the handler requests it', async () => {
  const shop = await open();
  const buyer = await newBuyer();
  await buyer.buy(`${shop.url}/sold`);
  shop.handler.answer = (_request, response) => response.status(500).json({});
  expect((await buyer.buy(`${shop.url}/sold`)).status).toBe(500);
  shop.handler.answer = (request, response) => {
    request.payment!.chargeOnly!(400n);
    response.json({});
  };
  const reply = await buyer.buy(`${shop.url}/sold`);
  expect([reply.status, charged(reply)]).toEqual([200, '1400']);
});

it('serves a voucher once, for any number of copies and resources', async () => {
  const shop = await open();
  const buyer = await newBuyer();
  await buyer.buy(`${shop.url}/sold`);
  const payment = await headerOf(buyer, shop);
  const replies = await Promise.all(Array.from({ length: 20 }, () => shop.pay(payment)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(shop.handler.calls).toBe(2);
  for (const path of ['/sold', '/other', '/dear']) expect((await shop.pay(payment, path)).status).toBe(402);
  expect(shop.handler.calls).toBe(2);
  // The buyer lost the answers and continues from the state in the 402.
  const next = await buyer.buy(`${shop.url}/sold`);
  expect([next.status, charged(next)]).toEqual([200, '3000']);
});

it('serves one voucher once after a restart, and continues with the channel', async () => {
  const first = await open();
  const buyer = await newBuyer();
  await buyer.buy(`${first.url}/sold`);
  const payment = await headerOf(buyer, first);
  expect((await first.pay(payment)).status).toBe(200);
  await stop(first);
  shops.length = 0;
  const second = await open();
  expect((await second.pay(payment)).status).toBe(402);
  expect(second.handler.calls).toBe(0);
  const restarted = buyer.again();
  expect(charged(await restarted.buy(`${second.url}/sold`))).toBe('3000');
  const before = await balanceOf(payTo);
  await second.paywall.settle();
  expect((await balanceOf(payTo)) - before).toBe(3_000n);
});

it('serves a voucher once across two processes that share a store', async () => {
  const store = await FileVoucherStore.open(folder);
  const vouchers = { authorizer, store: () => store };
  const [first, second] = [await open({ vouchers }), await open({ vouchers })];
  const buyer = await newBuyer();
  await buyer.buy(`${first.url}/sold`);
  const payment = await headerOf(buyer, first);
  const copies = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? first : second).pay(payment));
  const replies = await Promise.all(copies);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(first.handler.calls + second.handler.calls).toBe(2);
  expect(charged(await buyer.again().buy(`${second.url}/sold`))).toBe('3000');
  await store.close();
});

it.each<[string, (payment: Payment) => void]>([
  ['a higher total', ({ payload: { voucher } }) => void (voucher.maxClaimableAmount = '3000')],
  [
    'a signature of another account',
    ({ payload: { voucher } }) => void (voucher.signature = `0x${'11'.repeat(65)}`),
  ],
  ['another channel', ({ payload: { voucher } }) => void (voucher.channelId = `0x${'11'.repeat(32)}`)],
  ['another receiver', ({ payload: { channelConfig } }) => void (channelConfig.receiver = usdc.address)],
  ['a lower accepted price', ({ accepted }) => void (accepted.amount = '1')],
  ['another type', ({ payload }) => void (payload.type = 'claim')],
])('rejects a voucher with %s', async (_name, change) => {
  const shop = await open();
  const buyer = await newBuyer();
  await buyer.buy(`${shop.url}/sold`);
  const payment = JSON.parse(Buffer.from(await headerOf(buyer, shop), 'base64').toString()) as Payment;
  change(payment);
  const reply = await shop.pay(Buffer.from(JSON.stringify(payment)).toString('base64'));
  expect(reply.status).toBe(402);
  expect(shop.handler.calls).toBe(1);
});

it.each(['immediately', 'after a restart'])(
  'rejects a voucher with a total below the charged amount plus the price, %s',
  async (when) => {
    let shop = await open();
    const buyer = await newBuyer();
    for (let at = 0; at < 3; at++) await buyer.buy(`${shop.url}/sold`);
    const payment = JSON.parse(Buffer.from(await headerOf(buyer, shop), 'base64').toString()) as Payment;
    if (when === 'after a restart') {
      await stop(shops.pop()!);
      shop = await open();
    }
    const { calls } = shop.handler;
    // 3,000 are charged, and the price is 1,000. All signatures are valid.
    for (const total of ['0', '1000', '2999', '3000', '3999']) {
      const channelId = payment.payload.voucher['channelId'] as `0x${string}`;
      const voucher = await signVoucher(buyer.signer, channelId, total, network);
      const back = { ...payment, payload: { ...payment.payload, voucher } };
      const reply = await shop.pay(Buffer.from(JSON.stringify(back)).toString('base64'));
      expect([total, reply.status]).toEqual([total, 402]);
    }
    expect(shop.handler.calls).toBe(calls);
    const before = await balanceOf(payTo);
    await shop.paywall.settle();
    expect((await balanceOf(payTo)) - before).toBe(3_000n);
    const next = await buyer.again().buy(`${shop.url}/sold`);
    expect([next.status, charged(next)]).toEqual([200, '4000']);
  },
);

it('opens a channel once when its deposit arrives 10 times', async () => {
  const shop = await open();
  const buyer = await newBuyer();
  const payment = await headerOf(buyer, shop);
  const replies = await Promise.all(Array.from({ length: 10 }, () => shop.pay(payment)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect([shop.handler.calls, await balanceOf(buyer.address)]).toEqual([1, 990_000n]);
});

it('returns the response of a deposit with an unknown outcome after the deposit is found', async () => {
  const { url } = facilitator.server;
  facilitator.keepsOutcomes = true;
  const shop = await open({ facilitator: { url, settleTimeoutMs: 3_000, keepsOutcomes: true } });
  const buyer = await newBuyer();
  const payment = await headerOf(buyer, shop);
  await anvil.setAutomine(false);
  expect((await shop.pay(payment)).status).toBe(503);
  await anvil.setAutomine(true);
  await anvil.mine();
  const reply = await shop.pay(payment);
  expect([reply.status, await reply.json(), charged(reply)]).toEqual([
    200,
    { paidBy: buyer.address },
    '1000',
  ]);
  expect([shop.handler.calls, await balanceOf(buyer.address)]).toEqual([1, 990_000n]);
  // From then on the payment counts like any other voucher.
  expect((await shop.pay(payment)).status).toBe(402);
});

it('refunds only to the payer of a channel', async () => {
  const shop = await open();
  const buyer = await newBuyer();
  await buyer.buy(`${shop.url}/sold`);
  const payment = JSON.parse(Buffer.from(await headerOf(buyer, shop), 'base64').toString()) as Payment;
  payment.payload.type = 'refund';
  payment.payload.voucher.maxClaimableAmount = '1000';
  const reply = await shop.pay(Buffer.from(JSON.stringify(payment)).toString('base64'));
  expect([reply.status, await codeOf(reply)]).toEqual([
    402,
    'invalid_batch_settlement_evm_voucher_signature',
  ]);
  expect(await balanceOf(buyer.address)).toBe(990_000n);
});

it('rejects a configuration that cannot claim vouchers', async () => {
  await expect(open({ vouchers: undefined })).rejects.toThrow(/vouchers/);
  await expect(open({ vouchers: { authorizer } })).rejects.toThrow(/folder/);
  await expect(open({ vouchers: { authorizer, folder, claimEveryMs: 50_000_000 } })).rejects.toThrow(/half/);
  await expect(open({ vouchers: { authorizer, folder, withdrawDelayS: 60 } })).rejects.toThrow(
    /withdrawDelayS/,
  );
});

interface Payment {
  accepted: { amount: string };
  payload: {
    type: string;
    channelConfig: Record<string, string>;
    voucher: Record<string, string>;
  };
}
