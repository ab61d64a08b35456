import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
import type { Network } from '@x402/core/types';
import { ExactEvmScheme as ExactBuyer } from '@x402/evm/exact/client';
import { ExactEvmScheme as ExactSeller } from '@x402/evm/exact/server';
import { paymentMiddleware } from '@x402/express';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { Wallet } from 'ethers';
import express from 'express';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { privateKeyToAccount } from 'viem/accounts';
import { walk } from './walk';

const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3';
const amount = '1000';
const seller = Wallet.createRandom().address;

/** A seller and a buyer that use only the official packages and the address of this gateway. */
export function describeOfficialPackages(): void {
  let server: Server;
  let shop: string;

  beforeAll(async () => {
    const network = walk.base.caip2 as Network;
    const facilitator = new HTTPFacilitatorClient({ url: walk.api.baseUrl });
    const resourceServer = new x402ResourceServer(facilitator).register(network, new ExactSeller());
    const asset = walk.base.token('USDC').address;
    const routeOf = (extra: Record<string, unknown>) => ({
      accepts: {
        scheme: 'exact',
        network,
        payTo: seller,
        price: { asset, amount, extra: { name: 'USD Coin', version: '2', ...extra } },
      },
    });
    const app = express();
    const routes = {
      'GET /eip3009': routeOf({}),
      'GET /permit2': routeOf({ assetTransferMethod: 'permit2' }),
    };
    app.use(paymentMiddleware(routes, resourceServer));
    app.get('/{*any}', (_request, response) => void response.json({ data: 'premium' }));
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it.each(['eip3009', 'permit2'])(
    'an express seller receives a payment of a fetch buyer with %s',
    async (method) => {
      const signer = Wallet.createRandom().connect(walk.base.provider);
      await walk.base.transfer('USDC', signer.address, '5000');
      if (method === 'permit2') {
        await walk.base.giveCoins(signer.address);
        await walk.base.approve('USDC', signer, permit2, '5000');
      }
      const account = privateKeyToAccount(signer.privateKey as `0x${string}`);
      const network = walk.base.caip2 as Network;
      // The address of the local USDC differs from the address that buyers accept by default.
      const allowedAssets = [{ network, asset: walk.base.token('USDC').address }];
      const client = new x402Client()
        .register(network, new ExactBuyer(account))
        .setSpendControls({ allowedAssets });
      const before = await walk.base.balance('USDC', seller);

      const response = await wrapFetchWithPayment(fetch, client)(`${shop}/${method}`);

      expect([response.status, await response.json()]).toEqual([200, { data: 'premium' }]);
      expect(await walk.base.balance('USDC', seller)).toBe(before + BigInt(amount));
      expect(await walk.base.balance('USDC', signer.address)).toBe(4_000n);
      const receipt = response.headers.get('PAYMENT-RESPONSE') ?? '';
      const { success, transaction } = JSON.parse(Buffer.from(receipt, 'base64').toString());
      expect([success, await walk.base.provider.getTransactionReceipt(transaction)]).toEqual([
        true,
        expect.objectContaining({ status: 1 }),
      ]);
    },
  );
}
