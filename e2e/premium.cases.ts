import { createKeyPairSignerFromBytes, getBase58Encoder } from '@solana/kit';
import { payerAddress, signerOfSeed, TonNanopayClient } from '@tollbridge/paywall/x402';
import { eventually } from '@tollbridge/testing';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { Contract, Wallet } from 'ethers';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { privateKeyToAccount } from 'viem/accounts';
import { repository, type Harness } from './harness';
import type { Api } from './http';
import type { Payer } from './payer';

export interface Given {
  harness: Harness;
  api: Api;
  payer: Payer;
}

interface Offer {
  scheme: string;
  network: string;
  amount: string;
  asset: string;
  payTo: string;
}

const price = '1000';
const path = '/demo/premium';
export const decode = (text: string | null) => JSON.parse(Buffer.from(text ?? '', 'base64').toString());

/** A paid route of a deployment, with the data that its buyers need. */
export class BoughtRoute {
  constructor(
    private readonly given: Given,
    private readonly path: string,
  ) {}

  get url(): string {
    return `${this.given.harness.gateway}${this.path}`;
  }

  async required(): Promise<{ reply: Response; accepts: Offer[] }> {
    const reply = await fetch(this.url);
    return { reply, accepts: decode(reply.headers.get('payment-required')).accepts };
  }

  async offerOn(family: string): Promise<Offer> {
    return (await this.required()).accepts.find(({ network }) => network.startsWith(family))!;
  }

  /** A new account with USDC on the EVM chain. */
  async evmWallet(amount = 5_000n): Promise<{ address: string; privateKey: `0x${string}` }> {
    const { address, privateKey } = Wallet.createRandom();
    const { payer } = this.given;
    // The command line also pays from this account.
    await payer.readNonce();
    await payer.provider.waitForTransaction(await payer.transfer('USDC', address, amount));
    return { address, privateKey: privateKey as `0x${string}` };
  }

  /** The unmodified client with the wallet of a payer on Solana. */
  async solanaBuyer(): Promise<{ client: x402Client; address: string }> {
    const { sandbox } = this.given.payer;
    const solana = sandbox.networks.find(({ family }: { family: string }) => family === 'solana');
    const { privateKey } = solana.accounts.find(({ role }: { role: string }) => role === 'payer');
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey));
    const scheme = new ExactSvmScheme(signer, { rpcUrl: sandbox.simulators.solana });
    return { client: new x402Client().register('solana:*', scheme), address: signer.address };
  }

  /** The reply to the unmodified mppx client, which pays at most `most` millionths of a dollar. */
  async buyByMppx(key: string, { init, most }: { init?: RequestInit; most?: string } = {}) {
    const { chain, token } = { chain: this.given.payer.chain, token: this.given.payer.token('USDC') };
    const parameters = { url: this.url, init, key, token, chainId: chain.chainId, name: 'USD Coin', most };
    const script = join(repository, 'libs/nanopay/paywall/src/testing/mppx-buyer.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(parameters)]);
    return JSON.parse(stdout) as { status: number; headers: Record<string, string>; body: string };
  }

  async usdcOf(address: string): Promise<bigint> {
    const { payer } = this.given;
    const abi = ['function balanceOf(address) view returns (uint256)'];
    const token = new Contract(payer.token('USDC'), abi, payer.provider);
    return (await token.getFunction('balanceOf').staticCall(address)) as bigint;
  }
}

/** @returns the transaction */
async function expectSold(reply: Response, from: string): Promise<string> {
  expect([reply.status, await reply.json()]).toEqual([
    200,
    expect.objectContaining({ city: 'Lisbon', payment: expect.objectContaining({ amount: price, from }) }),
  ]);
  const { success, transaction } = decode(reply.headers.get('payment-response'));
  expect(success).toBe(true);
  return transaction;
}

/** One route, bought by unmodified clients of each kind. Requires the local networks `ton` and `solana`. */
export function premiumCases(given: () => Given): void {
  let demo: BoughtRoute;
  beforeAll(() => {
    demo = new BoughtRoute(given(), path);
  });

  it('offers nano-payments, USDC on EVM and Solana, and the scheme Payment in one 402', async () => {
    const { reply, accepts } = await eventually(async () => {
      const offered = await demo.required();
      expect(offered.accepts).toHaveLength(4);
      return offered;
    });
    expect(reply.status).toBe(402);
    expect(accepts.map(({ scheme, network, amount }) => [scheme, network, amount])).toEqual([
      ['ton-nanopay', 'ton-mainnet', price],
      ['ton-nanopay', 'tvm:-239', price],
      ['exact', given().payer.chain.caip2, price],
      ['exact', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', price],
    ]);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Payment id="/);
  });

  it('sells to @x402/fetch with an EVM wallet', async () => {
    const { network, asset, payTo } = await demo.offerOn('eip155:');
    const { address, privateKey } = await demo.evmWallet();
    const client = new x402Client()
      .register(network as `eip155:${string}`, new ExactEvmScheme(privateKeyToAccount(privateKey)))
      // The address of the local USDC differs from the address that buyers accept by default.
      .setSpendControls({ allowedAssets: [{ network: network as `eip155:${string}`, asset }] });
    const before = await demo.usdcOf(payTo);
    const transaction = await expectSold(await wrapFetchWithPayment(fetch, client)(demo.url), address);
    expect(await given().payer.provider.getTransactionReceipt(transaction)).toMatchObject({ status: 1 });
    expect([await demo.usdcOf(address), (await demo.usdcOf(payTo)) - before]).toEqual([4_000n, 1_000n]);
  });

  it('sells to @x402/fetch with a Solana wallet', async () => {
    const { client, address } = await demo.solanaBuyer();
    const signature = await expectSold(await wrapFetchWithPayment(fetch, client)(demo.url), address);
    expect(signature).toMatch(/^\w{64,88}$/);
  });

  it('sells to @x402/fetch with a balance of nano-payments', async () => {
    const signer = signerOfSeed(randomBytes(32));
    const address = payerAddress(signer);
    const { api } = given();
    await api.post('/sandbox/nanopay/deposit', { address, amount: '1000000' });
    await eventually(async () =>
      expect((await api.get(`/balance/${address}`)).body.available).toBe('1000000'),
    );
    // The offer in the form of the specification. The official client's type lacks this form.
    const network = 'ton-mainnet' as string as `tvm:${string}`;
    const client = new x402Client().register(network, new TonNanopayClient({ signer }));
    await expectSold(await wrapFetchWithPayment(fetch, client)(demo.url), address);
    expect((await api.get(`/balance/${address}`)).body.available).toBe('999000');
  });

  it('sells to mppx', async () => {
    const { address, privateKey } = await demo.evmWallet();
    const { provider } = given().payer;
    const { status, headers, body } = await demo.buyByMppx(privateKey);
    expect([status, JSON.parse(body).payment.from.toLowerCase()]).toEqual([200, address.toLowerCase()]);
    const { reference } = decode(headers['payment-receipt']!);
    expect(await provider.getTransactionReceipt(reference)).toMatchObject({ status: 1 });
  });
}
