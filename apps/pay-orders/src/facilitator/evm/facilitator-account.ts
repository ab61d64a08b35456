import type { Token } from '@tollbridge/chains';
import { signCall, type FeeBounds, type RelayCall, type SignedCall } from '@tollbridge/evm';
import { Wallet } from 'ethers';
import type { EvmChainAccess, EvmChains } from '../../chains/evm/evm-chains';
import { readReceivers, readTokens, requireFacilitatorSettings, type FacilitatorConfig } from '../settings';

/** A chain where payments are settled. */
export interface SettlementPlace extends EvmChainAccess {
  /** The tokens that are settled, by lower-case address. */
  tokens: ReadonlyMap<string, Token>;
}

const weiPerGwei = 10n ** 9n;
const weiPerMwei = 10n ** 6n;

/** The wallet that sends settlements, with its chains, tokens and sellers. */
export class FacilitatorAccount {
  readonly #wallet: Wallet | null;
  readonly places: readonly SettlementPlace[];
  readonly receivers: ReadonlySet<string>;
  readonly maxGas: bigint;
  private readonly price: Pick<FeeBounds, 'maxWeiPerGas' | 'tipPerGas'>;

  /** @throws ConfigurationError when FACILITATOR is on and a required setting is missing */
  constructor(config: FacilitatorConfig, evm: EvmChains) {
    requireFacilitatorSettings(config);
    const isOn = config.FACILITATOR === 'on' && config.FACILITATOR_KEY !== '';
    this.#wallet = isOn ? new Wallet(config.FACILITATOR_KEY) : null;
    this.places = isOn ? placesOf(config.FACILITATOR_TOKENS, evm) : [];
    this.receivers = readReceivers(config.FACILITATOR_RECEIVERS);
    this.price = {
      maxWeiPerGas: BigInt(config.FACILITATOR_MAX_GAS_PRICE_GWEI) * weiPerGwei,
      tipPerGas:
        config.FACILITATOR_TIP_MWEI === 0 ? undefined : BigInt(config.FACILITATOR_TIP_MWEI) * weiPerMwei,
    };
    this.maxGas = BigInt(config.FACILITATOR_MAX_GAS);
  }

  get isActive(): boolean {
    return this.places.length > 0;
  }

  get address(): string {
    return this.#active.address;
  }

  find(network: unknown): SettlementPlace | undefined {
    return this.places.find(({ chain }) => chain.id === network);
  }

  boundsOf(gasUnits: bigint): FeeBounds {
    return { ...this.price, gasUnits, worthWei: undefined };
  }

  sign(call: RelayCall, nonce: number): Promise<SignedCall> {
    return signCall(this.#active, call, nonce);
  }

  get #active(): Wallet {
    if (!this.#wallet) throw new Error('FACILITATOR is off: this deployment settles no payments');
    return this.#wallet;
  }
}

function placesOf(setting: string, evm: EvmChains): SettlementPlace[] {
  const chosen = readTokens(setting);
  return evm.all.flatMap((access) => {
    const { chain } = access;
    const symbols = chosen.filter((it) => it.chain === '*' || it.chain === chain.id).map((it) => it.symbol);
    const tokens = chain.tokens.filter(({ symbol, address }) => address !== null && symbols.includes(symbol));
    const byAddress = new Map(tokens.map((token) => [token.address!.toLowerCase(), token]));
    return byAddress.size === 0 ? [] : [{ ...access, tokens: byAddress }];
  });
}
