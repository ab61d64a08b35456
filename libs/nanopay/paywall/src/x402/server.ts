import { isAsset, schemeName, usdt, type Asset } from '@tollbridge/nanopay-protocol';
import { dollarsToAtomic } from '../dollar-price';
import type {
  OfficialAmount,
  OfficialKind,
  OfficialNetwork,
  OfficialPrice,
  OfficialRequirements,
} from './official-types';

export interface TonNanopayServerOptions {
  /** USDT by default, at one dollar each. */
  asset?: Asset;
  /**
   * Compares the signed URL with the URL of the request. Set it to false if the server configures `resource`, or if a
   * proxy changes the host.
   */
  comparesUrl?: boolean;
}

interface BeforeContext {
  paymentPayload: { readonly resource?: { readonly url: string } | undefined };
  transportContext?: unknown;
}

type Flow = 'upfront' | 'authorization';

/**
 * The scheme for the official server:
 * `new x402ResourceServer(facilitator).register('ton-mainnet', new TonNanopayServer())`.
 */
export class TonNanopayServer {
  readonly scheme: typeof schemeName = schemeName;
  readonly defaultAssetTransferMethod = 'default';
  readonly paymentFlows: Readonly<Record<string, { supported: readonly Flow[]; default: Flow }>> = {
    default: { supported: ['upfront', 'authorization'], default: 'upfront' },
  };
  readonly schemeHooks: {
    onBeforeVerify?: (context: BeforeContext) => Promise<void | { abort: true; reason: string }>;
    onBeforeSettle?: (context: BeforeContext) => Promise<void | { abort: true; reason: string }>;
  };
  private readonly asset: Asset;

  constructor(options: TonNanopayServerOptions = {}) {
    this.asset = options.asset ?? usdt;
    this.schemeHooks =
      options.comparesUrl === false ? {} : { onBeforeVerify: compareUrls, onBeforeSettle: compareUrls };
  }

  /** Parses `$0.001`, `0.001`, or an amount in the smallest unit with its asset. */
  async parsePrice(price: OfficialPrice, network: OfficialNetwork): Promise<OfficialAmount> {
    if (typeof price === 'object') return price;
    const amount = dollarsToAtomic(String(price), this.asset.decimals).toString();
    const isByName = !network.includes(':');
    return { amount, asset: isByName ? this.asset.symbol : this.asset.master };
  }

  getAssetDecimals(asset: string): number | undefined {
    return isAsset(asset, this.asset) ? this.asset.decimals : undefined;
  }

  /** Adds the deployment that the facilitator announces, because buyers sign for it. */
  async enhancePaymentRequirements(
    requirements: OfficialRequirements,
    { extra }: OfficialKind,
  ): Promise<OfficialRequirements> {
    return { ...requirements, extra: { ...extra, ...requirements.extra } };
  }

  /** Refunds the payment when the handler fails after the charge. */
  settleOnCancel({ requirements }: { requirements: OfficialRequirements }): OfficialRequirements {
    return { ...requirements, amount: '0' };
  }
}

async function compareUrls({
  paymentPayload,
  transportContext,
}: BeforeContext): Promise<void | { abort: true; reason: string }> {
  const asked = urlOf(transportContext);
  if (asked === undefined || paymentPayload.resource?.url === asked) return undefined;
  return { abort: true, reason: 'invalid_ton_nanopay_resource_mismatch' };
}

/** Returns undefined for a transport other than HTTP. */
function urlOf(context: unknown): string | undefined {
  const adapter = (context as { request?: { adapter?: { getUrl?: () => string } } } | undefined)?.request
    ?.adapter;
  return adapter?.getUrl?.();
}
