import { facilitatorApi, type FacilitatedSettleReply } from '@tollbridge/contracts';
import { eventually } from '@tollbridge/testing';
import { x402ResourceServer, type FacilitatorClient } from '@x402/core/server';
import type { PaymentPayload, PaymentRequirements, SettleResponse, VerifyResponse } from '@x402/core/types';
import { BatchSettlementEvmScheme as ChannelClient } from '@x402/evm/batch-settlement/client';
import {
  BatchSettlementEvmScheme as ChannelServer,
  type BatchSettlementChannelManager,
} from '@x402/evm/batch-settlement/server';
import { HDNodeWallet } from 'ethers';
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';
import type { PayOrders } from './pay-orders';
import { X402Buyer, type X402Payment } from './x402-buyer';

const { verifyFacilitated, settleFacilitated, facilitatedKinds } = facilitatorApi.operations;

export const newCallKey = (): string => randomBytes(16).toString('hex');

/** A seller and a buyer of `batch-settlement` with the official packages. The seller's facilitator is the harness. */
export class ChannelShop implements FacilitatorClient {
  /** Requests of the seller to `settle`. */
  readonly sent: X402Payment[] = [];
  requirements: PaymentRequirements;
  manager: BatchSettlementChannelManager;
  private server: x402ResourceServer;

  private constructor(
    private readonly harness: PayOrders,
    readonly buyer: X402Buyer,
    readonly client: ChannelClient,
    readonly payTo: `0x${string}`,
  ) {}

  static async open(
    harness: PayOrders,
    { method = 'eip3009' as 'eip3009' | 'permit2', heldAtomic = 1_000_000n } = {},
  ): Promise<ChannelShop> {
    const buyer = await X402Buyer.open(harness.chain, heldAtomic);
    if (method === 'permit2') await buyer.approve();
    const payTo = HDNodeWallet.createRandom().address as `0x${string}`;
    const shop = new ChannelShop(harness, buyer, new ChannelClient(buyer.account), payTo);
    await shop.start(method);
    return shop;
  }

  private async start(method: 'eip3009' | 'permit2'): Promise<void> {
    const { chain } = this.harness;
    const network = chain.id as PaymentRequirements['network'];
    const receiverAuthorizerSigner = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
    const scheme = new ChannelServer(this.payTo, { receiverAuthorizerSigner });
    this.server = new x402ResourceServer(this).register(network, scheme);
    await this.server.initialize();
    const asset = chain.usdc.address;
    const extra = {
      name: 'USD Coin',
      version: '2',
      ...(method === 'permit2' && { assetTransferMethod: method }),
    };
    const [requirements] = await this.server.buildPaymentRequirements({
      scheme: 'batch-settlement',
      network,
      payTo: this.payTo,
      price: { asset, amount: '1000', extra },
      // Large, because other tests advance the clock of the chain.
      maxTimeoutSeconds: 86_400,
    });
    this.requirements = requirements!;
    this.manager = scheme.createChannelManager(this, network, asset as `0x${string}`);
  }

  /** A payment of the official client. The first one opens the channel by a deposit, later ones are vouchers. */
  async pay(client = this.client): Promise<X402Payment> {
    const { payload } = await client.createPaymentPayload(2, this.requirements);
    return this.paymentOf(payload);
  }

  paymentOf(payload: object): X402Payment {
    return JSON.parse(
      JSON.stringify({
        paymentPayload: { x402Version: 2, accepted: this.requirements, payload },
        paymentRequirements: this.requirements,
      }),
    ) as X402Payment;
  }

  /** Verifies a payment, and settles it after the handler, like the official middleware. */
  async sell(payment: X402Payment, client = this.client): Promise<SettleResponse> {
    const paymentPayload = payment.paymentPayload as unknown as PaymentPayload;
    const requirements = payment.paymentRequirements as unknown as PaymentRequirements;
    const verified = await this.server.verifyPayment(paymentPayload, requirements);
    if (!verified.isValid) throw new Error(verified.invalidReason);
    const settleResponse = await this.server.settlePayment(paymentPayload, requirements);
    await client.schemeHooks.onPaymentResponse!({ paymentPayload, requirements, settleResponse });
    return settleResponse;
  }

  async buy(client = this.client): Promise<SettleResponse> {
    return this.sell(await this.pay(client), client);
  }

  /** Another buyer with a wallet of its own. */
  async newClient(): Promise<ChannelClient> {
    return new ChannelClient((await X402Buyer.open(this.harness.chain)).account);
  }

  earned(): Promise<bigint> {
    return this.harness.chain.balanceOf(this.payTo, this.harness.chain.usdc.address);
  }

  held(): Promise<bigint> {
    return this.harness.chain.balanceOf(this.buyer.account.address, this.harness.chain.usdc.address);
  }

  verify(paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements): Promise<VerifyResponse> {
    return this.harness.call(verifyFacilitated, {
      paymentPayload: { ...paymentPayload },
      paymentRequirements: { ...paymentRequirements },
    }) as Promise<VerifyResponse>;
  }

  async settle(
    paymentPayload: PaymentPayload,
    paymentRequirements: PaymentRequirements,
  ): Promise<SettleResponse> {
    const payment = JSON.parse(JSON.stringify({ paymentPayload, paymentRequirements })) as X402Payment;
    this.sent.push(payment);
    return (await this.settleUntilKnown(payment)) as SettleResponse;
  }

  async getSupported() {
    const { kinds } = await this.harness.call(facilitatedKinds, {});
    return {
      kinds: kinds.map((kind) => ({
        ...kind,
        x402Version: 2,
        network: kind.network as `${string}:${string}`,
      })),
      extensions: [],
      signers: {},
    };
  }

  settleOnce(payment: X402Payment, callKey = newCallKey()): Promise<FacilitatedSettleReply> {
    return this.harness.call(settleFacilitated, { ...payment, callKey });
  }

  /** Repeats the call while the outcome is unknown. */
  settleUntilKnown(payment: X402Payment, callKey = newCallKey()): Promise<FacilitatedSettleReply> {
    return eventually(async () => {
      const reply = await this.settleOnce(payment, callKey);
      if (reply.errorReason === 'settlement_pending') throw new Error('the settlement is pending');
      return reply;
    });
  }
}
