import { findChain, sampleAddress } from '@tollbridge/chains';
import { eventually } from '@tollbridge/testing';
import {
  createKeyPairSignerFromBytes,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  signTransaction,
} from '@solana/kit';
import { expectFailure, route } from './covered-routes';
import type { Api } from './http';
import type { Payer } from './payer';
import type { PayerAcross } from './payer-across';
import { TonPayer } from './ton-payer';

interface Given {
  api: Api;
  payer: Payer;
  across: PayerAcross;
}

const bitcoinAddress = sampleAddress(findChain('btc')!);
const unknownId = '01a1faec-0000-7000-8000-000000000000';

/** Direct payments on chains of other families. Requires the local networks `ton` and `solana`. */
export function networksCases(given: () => Given): void {
  let open: Networks;
  beforeAll(async () => {
    open = await Networks.open(given());
  });
  const networks = () => open;
  walletCallCases(networks);
  tonCases(networks);
  solanaCases(networks);
}

/** The payers of the local networks. */
class Networks {
  private constructor(
    readonly given: Given,
    readonly ton: TonPayer,
    readonly solana: any,
  ) {}

  static async open(given: Given): Promise<Networks> {
    const { sandbox } = given.payer;
    const solana = sandbox.networks.find(({ family }: { family: string }) => family === 'solana');
    return new Networks(given, await TonPayer.in(sandbox), solana);
  }

  get api(): Api {
    return this.given.api;
  }

  solanaAccount(role: string): { address: string; privateKey: string } {
    return this.solana.accounts.find((account: { role: string }) => account.role === role);
  }

  async tonOrder(): Promise<any> {
    const terms = termsOn('ton', 'USDT', (role) => this.ton.account(role));
    return (await this.given.payer.createOrder(terms)).body;
  }

  async solanaOrder(): Promise<any> {
    const terms = termsOn('solana', 'USDC', (role) => this.solanaAccount(role).address);
    return (await this.given.payer.createOrder(terms)).body;
  }

  settles(id: string): Promise<void> {
    const isSettled = async () =>
      expect((await this.api.get(`/api/v1/pay/order/${id}`)).body).toMatchObject({ status: 'settled' });
    return eventually(isSettled, { everyMs: 100 });
  }
}

function tonCases(networks: () => Networks): void {
  it('verifies a PayLink in USDT on TON that is paid by a transfer', async () => {
    const { api, ton } = networks();
    const { body: link } = await api.post('/api/paylinks', {
      name: 'Espresso',
      description: '',
      amount: '3500000',
      token: 'USDT',
      network: 'ton',
      receiveAddress: ton.account('merchant'),
    });
    const page = await (await fetch(`${api.url}/l/${link.id}`)).text();
    expect(page).toContain(`ton://transfer/${ton.account('merchant')}?amount=3500000&amp;jetton=`);
    const txHash = await ton.transferUsdt(ton.account('merchant'), 3_500_000n);
    // Nodes write the same hash in Base64.
    const spelled = Buffer.from(txHash, 'hex').toString('base64');
    await eventually(
      async () => {
        const { body } = await api.post(`/api/paylinks/${link.id}/pay`, { txHash: spelled });
        expect(body).toMatchObject({ success: true, verified: true });
      },
      { everyMs: 500 },
    );
    const other = await ton.transferUsdt(ton.account('merchant'), 3_400_000n);
    const { body: wrong } = await api.post(`/api/paylinks/${link.id}/pay`, { txHash: other });
    expect(wrong).toMatchObject({ success: false });
  });

  it('returns the call to sign for a payment request on TON, and completes the request', async () => {
    const { api, ton } = networks();
    const { body: request } = await api.post('/api/v1/merchant/payment-requests', {
      amount: '2000000',
      currency: 'USDT',
      chain: 'ton',
      receive_address: ton.account('merchant'),
    });
    const selected_option = { from_token: 'USDT', from_chain: 'ton' };
    const { body: payment } = await api.post(`/api/v1/payment/${request.id}/execute`, { selected_option });
    const status = async () => (await api.get(`/api/v1/payment/${payment.payment_id}/status`)).body;
    const { instructions } = await status();
    expect(instructions).toMatchObject({ chain_id: null, pay: null });
    const url = new URL(instructions.wallet_call_url);
    const { body: call } = await api.get(`${url.pathname}?payer=${ton.address}`);
    await ton.pay(call.wallet_call.ton);
    await eventually(async () => expect(await status()).toMatchObject({ status: 'completed' }));
  });

  it('pays the merchant in USDT on TON for a payment in WETH on Arbitrum, and settles the order', async () => {
    const { ton, given } = networks();
    const merchant = ton.newReceiver();
    const order = await given.across.create({
      settle_chain: 'ton',
      settle_token: 'USDT',
      merchant_address: merchant,
      fee_receiver: ton.account('fee_receiver'),
      fee_amount: '0',
    });
    await given.across.deposit(order);
    await given.across.until(order, { status: 'settled' });
    expect(await ton.usdtOf(merchant)).toBe(25_000_000n);
  });
}

function solanaCases(networks: () => Networks): void {
  it('lists the USDC of a Solana wallet first in the checkout if the merchant settles there', async () => {
    const { api, ton, given } = networks();
    const { address } = networks().solanaAccount('payer');
    const { body } = await api.post('/api/v1/pay/checkout-options', {
      settle_chain: 'solana',
      settle_token: 'USDC',
      settle_amount: '1500000',
      wallets: { solana: address, ton: ton.address, base: given.payer.address },
    });
    expect(body.options[0]).toMatchObject({
      blockchain: 'solana',
      token: 'USDC',
      is_direct: true,
      sufficient: true,
    });
  });

  it('accepts a payment of an order by a Solana wallet with the link of Solana Pay', async () => {
    const { api, solana } = networks();
    const { order_id: id } = await networks().solanaOrder();
    const link = `${api.url}/solana-pay/${id}`;
    const shown = (await (await fetch(link)).json()) as { icon: string };
    expect(shown).toEqual({
      label: 'demo-merchant',
      icon: expect.stringMatching(/^http.*\/logos\/.*\.svg$/),
    });
    expect((await fetch(shown.icon)).headers.get('content-type')).toContain('image/svg');
    const { address, privateKey } = networks().solanaAccount('payer');
    const reply = await postJson(link, { account: address });
    expect(reply).toMatchObject({ status: 200, body: { message: 'Pay 1.005 USDC' } });
    const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey));
    const received = getTransactionDecoder().decode(getBase64Encoder().encode(reply.body.transaction));
    const signed = await signTransaction([signer.keyPair], received);
    const encoded = getBase64Decoder().decode(getTransactionEncoder().encode(signed));
    const params = [encoded, { encoding: 'base64' }];
    const sent = await postJson(solana.rpcUrl, { jsonrpc: '2.0', id: 1, method: 'sendTransaction', params });
    expect(sent.body.error).toBeUndefined();
    await networks().settles(id);
    expect(await postJson(link, { account: address })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('not waiting') },
    });
  });
}

function walletCallCases(networks: () => Networks): void {
  const ton = () => networks().ton;
  const given = () => networks().given;
  const tonOrder = () => networks().tonOrder();
  const callOf = (id: string, address: string) =>
    networks().api.get(`/api/v1/pay/order/${id}/wallet-call?payer=${address}`);

  route('GET /api/v1/pay/order/{id}/wallet-call', {
    'OK: returns a call that any wallet of the chain can sign': async () => {
      const { order_id: id, direct } = await tonOrder();
      const { body } = await callOf(id, ton().account('second_payer'));
      expect(body).toMatchObject({ chain: 'ton', contract_address: direct.contract_address });
      expect(body.wallet_call.ton.messages).toHaveLength(1);
      expect(body.wallet_call.ton.messages).not.toEqual(direct.wallet_call.ton.messages);
    },
    NOT_FOUND: () => expectFailure(callOf(unknownId, ton().address), 404, 'NOT_FOUND'),
    'VALIDATION_ERROR: rejects an address of another chain': async () => {
      const { order_id: id } = await tonOrder();
      await expectFailure(callOf(id, given().payer.address), 400, 'VALIDATION_ERROR', 'payer');
    },
    ORDER_NOT_WAITING: async () => {
      const { order_id: id } = await tonOrder();
      await given().payer.report(id, 'ab'.repeat(32));
      await expectFailure(callOf(id, ton().address), 409, 'ORDER_NOT_WAITING');
    },
    'OK: returns the deposit address of a cross-chain order': async () => {
      const { order_id: id, cross_chain } = await given().across.create();
      expect((await callOf(id, given().payer.address)).body).toMatchObject({
        contract_address: null,
        deposit_address: cross_chain.deposit_address,
        wallet_call: null,
      });
    },
    'ROUTE_UNAVAILABLE: rejects an order with a deposit on a chain without a node': async () => {
      const terms = { pay_blockchain: 'btc', pay_token: 'BTC', payer_address: bitcoinAddress };
      const { order_id: id } = await given().across.create(terms);
      await expectFailure(callOf(id, bitcoinAddress), 422, 'ROUTE_UNAVAILABLE');
    },
    'UPSTREAM_UNAVAILABLE: fails while no node of the chain responds': async () => {
      const { api } = networks();
      const { order_id: id } = await networks().solanaOrder();
      const { address } = networks().solanaAccount('payer');
      const setMode = (mode: string) => api.post('/sandbox/oneclick/outage', { provider: 'solana', mode });
      await setMode('down');
      try {
        await expectFailure(callOf(id, address), 502, 'UPSTREAM_UNAVAILABLE');
      } finally {
        await setMode('up');
      }
      const isBack = async () => expect((await callOf(id, address)).status).toBe(200);
      await eventually(isBack, { everyMs: 250 });
    },
  });
}

function termsOn(chain: string, token: string, accountOf: (role: string) => string) {
  return {
    pay_blockchain: chain,
    pay_token: token,
    settle_chain: chain,
    settle_token: token,
    merchant_address: accountOf('merchant'),
    fee_receiver: accountOf('fee_receiver'),
    payer_address: accountOf('payer'),
  };
}

async function postJson(url: string, body: object): Promise<{ status: number; body: any }> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
}
