import { randomBytes } from 'node:crypto';
import {
  approvalDecisionBytes,
  cancellationBytes,
  policyBytes,
  withdrawalBytes,
} from '@tollbridge/nanopay-protocol';
import { mined } from '@tollbridge/onchain';
import { createTransport } from 'nodemailer';
import { Contract, JsonRpcProvider, Wallet } from 'ethers';
import { eventually } from '@tollbridge/testing';
import { findChain, sampleAddress } from '@tollbridge/chains';
import { NanoBuyer } from '../nano-buyer';
import type { Harness } from '../harness';
import type { Api } from '../http';
import type { Call, Documented, Json } from './request';

/** Sources of the values: the running product and its documented operations. */
export interface ValueSources {
  readonly api: Api;
  readonly harness: Harness;
  readonly sandbox: Json;
  readonly byId: ReadonlyMap<string, Documented>;
}

/** Values that no earlier reply contains: signatures, keys of other wallets, received mail. */
export interface RealValues {
  /** Changes by operationId that turn the linked example into a request that succeeds. */
  adjust: Readonly<Record<string, (call: Call) => Promise<void> | void>>;
  /** Links with a value that only some replies contain; `adjust` follows them itself. */
  unlinked: readonly string[];
  close(): void;
}

export function realValues(sources: ValueSources): RealValues {
  const [chain] = sources.sandbox['chains'];
  const options = { staticNetwork: true, cacheTimeout: -1 };
  const provider = new JsonRpcProvider(chain.rpcUrl, chain.chainId, options);
  return {
    close: () => provider.destroy(),
    unlinked: [
      'createOrder#/cross_chain/deposit_address',
      'verifyNanoPayment#/extra/approvalId',
      'submitPayout#/payoutId',
      'listEmailMessages#/messages/0/id',
      'listWebhooks#/webhooks/0/id',
      'listPayLinkPayments#/0/id',
      'listExceptions#/exceptions/0/id',
      'listTransactions#/0/id',
    ],
    adjust: {
      ...paymentValues(sources),
      ...exceptionValues(sources, provider),
      ...merchantValues(sources),
      ...serviceValues(sources),
      ...payoutValues(sources, provider),
      ...nanoValues(sources),
    },
  };
}

type Adjust = RealValues['adjust'];

const account = ({ sandbox }: ValueSources, role: string): { address: string; privateKey: string } =>
  sandbox['accounts'].find((each: Json) => each['role'] === role);

async function expectOk(reply: Promise<{ status: number; body: any }>): Promise<any> {
  const { status, body } = await reply;
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body).slice(0, 400)}`);
  return body;
}

function paymentValues(sources: ValueSources): Adjust {
  const { api } = sources;
  const payer = new Wallet(account(sources, 'payer').privateKey);
  const deposit = async (call: Json) => {
    const order = {
      ...sources.byId.get('createOrder')!.body!['example'],
      pay_blockchain: 'btc',
      pay_token: 'BTC',
      merchant_amount: '25000000',
      fee_amount: '0',
      payer_address: sampleAddress(findChain('btc')!),
    };
    const { cross_chain } = await expectOk(api.post('/api/v1/pay/create-order', order));
    call['deposit_address'] = cross_chain.deposit_address;
    delete call['deposit_memo'];
  };
  // The sandbox has no Bitcoin node, so a submitted payment of such a link cannot be verified.
  const unverifiable = async ({ path }: Call) => {
    const link = {
      ...sources.byId.get('createPayLink')!.body!['example'],
      token: 'BTC',
      network: 'btc',
      receiveAddress: sampleAddress(findChain('btc')!),
    };
    const { id } = await expectOk(api.post('/api/paylinks', link));
    await expectOk(api.post(`/api/paylinks/${id}/pay`, { txHash: randomBytes(32).toString('hex') }));
    const [payment] = await expectOk(api.get(`/api/paylinks/${id}/payments`));
    Object.assign(path, { id, paymentId: payment.id });
  };
  return {
    getDepositStatus: async ({ query }) => {
      await deposit(query);
      // The provider's adapter can read the order as soon as the deposit is sent.
      await expectOk(api.post('/sandbox/deposit', { ...query, amount: '5000' }));
    },
    simulateSwapDeposit: ({ body }) => deposit(body),
    expireSwapDeadline: ({ body }) => deposit(body),
    reportOrderTransaction: ({ body }) => void (body.tx_hash = `0x${randomBytes(32).toString('hex')}`),
    executeSwap: async (call) => {
      const { data } = await expectOk(
        api.get(`/v1/transaction/${call.body.transactionId}/status?includeDetails=true`),
      );
      call.body.signatures = await Promise.all(
        data.details.built.map(({ gas, type: _type, description: _text, ...rest }: any) =>
          payer.signTransaction({ ...rest, gasLimit: gas, type: 2 }),
        ),
      );
      // Stored only: the payer's nonces remain free for the next set.
      call.body.broadcast = false;
    },
    confirmPayLinkPayment: unverifiable,
    rejectPayLinkPayment: unverifiable,
    reportPayLinkPayment: ({ body }) => void (body.txHash = `0x${randomBytes(32).toString('hex')}`),
  };
}

function exceptionValues(sources: ValueSources, provider: JsonRpcProvider): Adjust {
  const { api, sandbox } = sources;
  const payer = new Wallet(account(sources, 'second_payer').privateKey, provider);
  const usdc = sandbox['chains'][0].tokens.find(({ symbol }: Json) => symbol === 'USDC').address;
  const token = new Contract(usdc, ['function transfer(address to, uint256 amount) returns (bool)'], payer);
  return {
    // Less than the amount of the PayLink.
    resolveException: async ({ path }) => {
      const link = sources.byId.get('createPayLink')!.body!['example'];
      const { id, created_at: createdAt } = await expectOk(api.post('/api/paylinks', link));
      // The block time of a payment must not be before its PayLink, and the chain counts whole seconds.
      await eventually(async () => {
        const block = await provider.getBlock('latest');
        if (block!.timestamp * 1_000 <= Date.parse(createdAt)) throw new Error('the chain is behind');
      });
      const transfer = await token.getFunction('transfer').send(link.receiveAddress, 1n);
      await mined(transfer);
      await eventually(async () => {
        const paid = await expectOk(api.post(`/api/paylinks/${id}/pay`, { txHash: transfer.hash }));
        const { exceptions } = await expectOk(api.get('/api/exceptions?limit=1'));
        if (exceptions.length === 0) throw new Error(JSON.stringify(paid));
        path['id'] = exceptions[0].id;
      });
    },
  };
}

function merchantValues(sources: ValueSources): Adjust {
  const { api } = sources;
  const merchant = new Wallet(account(sources, 'merchant').privateKey);
  const withEndpoint = () =>
    expectOk(api.send('PUT', '/api/settings', JSON.stringify({ webhookUrl: 'http://127.0.0.1:9/' }))).then(
      () => undefined,
    );
  const message = async ({ path }: Call) => {
    await withEndpoint();
    await expectOk(api.post('/api/webhooks/test', {}));
    const { webhooks } = await expectOk(api.get('/api/webhooks?limit=1'));
    path['id'] = webhooks[0].id;
  };
  const challenge = async (call: Call) => {
    const wallet = merchant.address;
    const { nonce, message: text } = await expectOk(api.post('/api/auth/challenge', { wallet }));
    call.body = { wallet, nonce, message: text, signature: await merchant.signMessage(text) };
  };
  return {
    signIn: challenge,
    verifyReceiver: async (call) => {
      const receiver = new Wallet(account(sources, 'second_payer').privateKey);
      const { address } = receiver;
      const { nonce, message: text } = await expectOk(api.post('/api/receivers/challenge', { address }));
      call.body = { address, nonce, message: text, signature: await receiver.signMessage(text) };
    },
    getTransaction: async ({ path }) => {
      const order = sources.byId.get('createOrder')!.body!['example'];
      const { order_id: id } = await expectOk(api.post('/api/v1/pay/create-order', order));
      await eventually(() => expectOk(api.get(`/api/transactions/${id}`)));
      path['id'] = id;
    },
    sendTestWebhook: withEndpoint,
    rotateWebhookSecret: withEndpoint,
    resumeWebhooks: withEndpoint,
    getWebhookEndpoint: withEndpoint,
    getWebhook: message,
    replayWebhook: message,
  };
}

/** A reference is used once. */
const ownReference = ({ body }: Call): void =>
  void (body.customIdentifier = `order-${randomBytes(8).toString('hex')}`);

function serviceValues(sources: ValueSources): Adjust {
  const { api, sandbox } = sources;
  const openMailbox = () => expectOk(api.post('/email/account', {}));
  const deliver = async (to: string): Promise<void> => {
    const transport = createTransport(sandbox['smtp'], {});
    const letter = { from: 'shop@example.com', to, subject: 'Hello', text: 'Your code is 482913' };
    await transport.sendMail(letter).finally(() => transport.close());
  };
  const withoutToken = (call: Call, token: string) => {
    delete call.query['token'];
    call.headers['x-email-token'] = token;
  };
  const toMailbox = async ({ body }: Call) => void (body.to = (await openMailbox()).address);
  return {
    createEmailAccount: ({ body }) => void (body.username = `u${randomBytes(8).toString('hex')}`),
    createEmailAccountAndWait: ({ body }) => {
      body.username = `u${randomBytes(8).toString('hex')}`;
      body.timeout = 1;
    },
    listEmailMessages: async (call) => {
      const { address, token } = await openMailbox();
      await deliver(address);
      withoutToken(call, token);
    },
    getEmailMessage: async (call) => {
      const { address, token } = await openMailbox();
      await deliver(address);
      withoutToken(call, token);
      call.path['id'] = await eventually(async () => {
        const { body } = await api.send('GET', '/email/messages', undefined, { 'x-email-token': token });
        return body.messages[0].id as string;
      });
    },
    createAgentInbox: ({ body }) => void (body.name = `Shop ${randomBytes(4).toString('hex')}`),
    sendFromAgentInbox: toMailbox,
    sendEmail: toMailbox,
    orderGiftCard: ownReference,
    topUpPhone: ownReference,
    rentPhoneNumberAndAwaitCode: ({ body }) => void (body.timeout = 1),
  };
}

/** A wallet with two keys: one submits payouts and the other approves them. */
function payoutValues(sources: ValueSources, provider: JsonRpcProvider): Adjust {
  const { api } = sources;
  const wallet = new Wallet(account(sources, 'second_payer').privateKey, provider);
  const newKey = async (label: string): Promise<Record<string, string>> => {
    const body = JSON.stringify({ label, permissions: ['read', 'write'] });
    const { secret } = await expectOk(api.send('POST', '/api/keys', body, { 'x-wallet': wallet.address }));
    return { authorization: `Bearer ${secret}` };
  };
  let keys: Promise<Record<string, string>[]> | undefined;
  const submitted = async (): Promise<{ id: string; record: any; second: Record<string, string> }> => {
    const [first, second] = await (keys ??= Promise.all([newKey('Submits'), newKey('Approves')]));
    const recipients = [{ address: Wallet.createRandom().address, amount: 25 }];
    const body = JSON.stringify({ wallet: wallet.address, chain: 'base', token: 'USDC', recipients });
    const { payoutId: id } = await expectOk(api.send('POST', '/payout/batch', body, first));
    const record = await expectOk(api.send('GET', `/payout/${id}`, undefined, first));
    return { id, record, second: second! };
  };
  return {
    getPayout: async (call) => {
      const { id, second } = await submitted();
      Object.assign(call, { path: { id }, headers: second });
    },
    approvePayout: async (call) => {
      const { id, record, second } = await submitted();
      const { transaction } = record.allowance;
      if (transaction) await mined(await wallet.sendTransaction(transaction));
      const signatures = await Promise.all(
        record.batches.map(({ typedData: { domain, types, message } }: any) => {
          const { EIP712Domain: _, ...own } = types;
          return wallet.signTypedData(domain, own, message);
        }),
      );
      Object.assign(call, { path: { id }, headers: second, body: { signatures } });
    },
    rejectPayout: async (call) => {
      const { id, second } = await submitted();
      Object.assign(call, { path: { id }, headers: second });
    },
  };
}

function nanoValues(sources: ValueSources): Adjust {
  const { api, harness } = sources;
  const newBuyer = () => NanoBuyer.in(harness, api);
  const policyOf = (buyer: NanoBuyer, maxAmountAtomic: bigint) => {
    const order = buyer.orderOf();
    const proof = buyer.proof(policyBytes(order, { maxAmountAtomic, rateLimit: 60, ...order }), order);
    return { address: buyer.address, maxAmount: maxAmountAtomic.toString(), rateLimit: 60, proof };
  };
  const pay = async (buyer: NanoBuyer) => expectOk(api.post('/verify', buyer.authorization()));
  const withdrawal = async () => {
    const buyer = await newBuyer();
    const [order, destination, amountAtomic] = [buyer.orderOf(), `0:${'33'.repeat(32)}`, 1000n];
    const proof = buyer.proof(withdrawalBytes(order, { destination, amountAtomic, ...order }), order);
    return { address: buyer.address, destination, amount: amountAtomic.toString(), proof };
  };
  const decision = (isApproved: boolean) => async (call: Call) => {
    const buyer = await newBuyer();
    await expectOk(api.post('/policy', policyOf(buyer, 500n)));
    const { extra } = await pay(buyer);
    const order = buyer.orderOf();
    const message = { approvalId: Buffer.from(extra.approvalId, 'hex'), isApproved, ...order };
    call.path['id'] = extra.approvalId;
    call.body = { proof: buyer.proof(approvalDecisionBytes(order, message), order) };
  };
  return {
    setNanoPaymentPolicy: async (call) => void (call.body = policyOf(await newBuyer(), 5000n)),
    cancelNanoPayment: async (call) => {
      const buyer = await newBuyer();
      const [order, nonce] = [buyer.orderOf(), randomBytes(32)];
      const { nonce: _none, ...proof } = buyer.proof(
        cancellationBytes(order, nonce, order.validBeforeS),
        order,
      ) as { nonce: string };
      call.body = { address: buyer.address, nonce: nonce.toString('hex'), proof };
    },
    getNanoPaymentReceipt: async ({ path }) =>
      void (path['id'] = (await pay(await newBuyer())).confirmationId),
    withdrawNanoPaymentBalance: async (call) => void (call.body = await withdrawal()),
    listNanoPaymentWithdrawals: async (call) => {
      const { address } = await newBuyer();
      const body = JSON.stringify({ label: 'Reader', permissions: ['read'] });
      const { secret } = await expectOk(api.send('POST', '/api/keys', body, { 'x-wallet': address }));
      call.headers = { authorization: `Bearer ${secret}` };
    },
    approveNanoPayment: decision(true),
    rejectNanoPayment: decision(false),
    verifyNanoPayment: async (call) => void (call.body = (await newBuyer()).authorization()),
    settleNanoPayment: async (call) => void (call.body = (await newBuyer()).facilitation()),
  };
}
