import { randomBytes } from 'node:crypto';
import { readAccount, schemeName, usdt, type Asset } from '@tollbridge/nanopay-protocol';
import { payableOf, UnpayableOfferError } from '../payable';
import { signPayment, type SignedPayload } from '../payer';
import { signerOfSeed, type PaymentSigner } from '../payment-signer';
import type { OfficialRequirements } from './official-types';

export interface TonNanopayClientOptions {
  /** 32 bytes, or 64 hexadecimal digits. */
  seed?: Uint8Array | string;
  signer?: PaymentSigner;
  /** USDT by default. */
  assets?: readonly Asset[];
  /** Accepted deployments. Any deployment by default. */
  contracts?: readonly string[];
  /** Unix milliseconds. */
  clock?: () => number;
}

interface CreationContext {
  paymentRequired: { resource?: { url: string } };
  selectedRequirements: object;
}

/** The scheme for the official client: `new x402Client().register('ton-mainnet', new TonNanopayClient({ seed }))`. */
export class TonNanopayClient {
  readonly scheme: typeof schemeName = schemeName;
  private readonly signer: PaymentSigner;
  private readonly contracts: readonly (string | undefined)[] | undefined;
  /** The client passes the accepted offer to schemes, but passes the resource only to hooks. */
  private readonly resources = new WeakMap<object, string>();

  constructor(private readonly options: TonNanopayClientOptions) {
    const { seed, signer, contracts } = options;
    if (signer === undefined && seed === undefined)
      throw new TypeError('Missing payer. Set `seed` or `signer`.');
    // The client reports no outcomes to schemes, so links of a hash chain would be lost.
    if (signer?.chain) throw new TypeError('This client cannot pay by a hash chain. Use createBuyer.');
    this.signer = signer ?? signerOfSeed(seed!);
    this.contracts = contracts?.map((contract) => readAccount(contract, true));
  }

  readonly schemeHooks = {
    onBeforePaymentCreation: async (context: CreationContext): Promise<void> => {
      const url = context.paymentRequired.resource?.url;
      if (url !== undefined) this.resources.set(context.selectedRequirements, url);
    },
  };

  /** Returns the decimals of an asset, so that the client can apply dollar limits. */
  findDefaultAsset = (asset: string): { asset: string; decimals: number; symbol: string } | undefined => {
    const known = (this.options.assets ?? [usdt]).find(
      ({ symbol, master }) => symbol === asset || master === asset,
    );
    return known && { asset, decimals: known.decimals, symbol: known.symbol };
  };

  async createPaymentPayload(
    x402Version: number,
    requirements: OfficialRequirements,
  ): Promise<{ x402Version: number; payload: SignedPayload }> {
    const payable = payableOf(requirements, this.options.assets);
    if (this.contracts && !this.contracts.includes(payable.verifyingContract))
      throw new UnpayableOfferError('The offer is for a deployment that is not in `contracts`.');
    const url = this.resources.get(requirements);
    if (url === undefined) throw new UnpayableOfferError('The offer names no resource.');
    const { method, bindBody } = requirements.extra;
    // The client does not pass bodies to schemes.
    if (bindBody === true)
      throw new UnpayableOfferError('The seller binds bodies: pay with createBuyer of @tollbridge/paywall.');
    const { payload } = await signPayment(
      this.signer,
      payable,
      { method: typeof method === 'string' ? method : 'GET', url },
      { nonce: randomBytes(32), nowMs: (this.options.clock ?? Date.now)() },
    );
    return { x402Version, payload };
  }
}
