import type { LocalChain } from '@tollbridge/local-chain';
import { permit2Address } from '@tollbridge/onchain';
import type { PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { Contract, HDNodeWallet, MaxUint256, Wallet } from 'ethers';
import { randomBytes } from 'node:crypto';
import { privateKeyToAccount } from 'viem/accounts';

type Json = Record<string, unknown>;

export type PaymentMethod = 'eip3009' | 'permit2' | 'upto';

export interface X402Payment {
  paymentPayload: Json & { payload: Json; accepted: Json };
  paymentRequirements: Json & { amount: string };
}

// The local chain's clock may be minutes ahead, because loading its state mines blocks.
const lifetimeSeconds = 3_600;

/** A buyer with the official client packages. Its wallet has USDC and may have approved Permit2. */
export class X402Buyer {
  private constructor(
    private readonly chain: LocalChain,
    readonly account: ReturnType<typeof privateKeyToAccount>,
    readonly wallet: Wallet,
  ) {}

  static async open(chain: LocalChain, heldAtomic = 1_000_000n): Promise<X402Buyer> {
    const key = `0x${randomBytes(32).toString('hex')}` as const;
    const buyer = new X402Buyer(chain, privateKeyToAccount(key), new Wallet(key, chain.anvil.provider));
    await chain.usdc.mint(buyer.account.address, heldAtomic);
    return buyer;
  }

  /** Approves Permit2, which costs gas. */
  async approve(): Promise<this> {
    const { anvil, usdc } = this.chain;
    await anvil.send('anvil_setBalance', [this.wallet.address, '0xde0b6b3a7640000']);
    const abi = ['function approve(address spender, uint256 amount) returns (bool)'];
    const approve = new Contract(usdc.address, abi, this.wallet).getFunction('approve');
    const { hash } = await approve.send(permit2Address, MaxUint256);
    await this.chain.mined(hash);
    return this;
  }

  /** A signed payment in the form that an official seller sends to its facilitator. */
  async pay(
    method: PaymentMethod,
    changes: Partial<PaymentRequirements> = {},
    extensions?: Json,
  ): Promise<X402Payment> {
    const accepted = this.requirements(method, changes);
    const scheme = method === 'upto' ? new UptoEvmScheme(this.account) : new ExactEvmScheme(this.account);
    const { payload } = await scheme.createPaymentPayload(2, accepted);
    return {
      paymentPayload: {
        x402Version: 2,
        accepted: { ...accepted },
        payload: JSON.parse(JSON.stringify(payload)) as Json,
        resource: { url: 'https://shop.example/premium' },
        ...(extensions && { extensions }),
      },
      paymentRequirements: { ...accepted },
    };
  }

  requirements(method: PaymentMethod, changes: Partial<PaymentRequirements> = {}): PaymentRequirements {
    const facilitatorAddress = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';
    return {
      scheme: method === 'upto' ? 'upto' : 'exact',
      network: this.chain.id as PaymentRequirements['network'],
      asset: this.chain.usdc.address,
      amount: '1000',
      payTo: HDNodeWallet.createRandom().address,
      maxTimeoutSeconds: lifetimeSeconds,
      ...changes,
      extra: {
        name: 'USD Coin',
        version: '2',
        ...(method === 'permit2' && { assetTransferMethod: 'permit2' }),
        ...(method === 'upto' && { facilitatorAddress }),
        ...changes.extra,
      },
    };
  }
}
