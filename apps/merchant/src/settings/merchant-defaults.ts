import { Inject, Injectable } from '@nestjs/common';
import { DomainError, type FieldError } from '@tollbridge/rpc';
import { findToken, receiverAddress, type Chain, type ChainFamily, type Token } from '@tollbridge/chains';
import { ServiceConfig } from '@tollbridge/bootstrap';
import { readWallet, type SignInScheme } from '@tollbridge/wallet-proof';
import { ChainNodes } from '../chains/chain-nodes';
import type { MerchantConfig } from '../config';
import { ReceiversRepository } from '../receivers/receivers.repository';
import { ownText, receiverOf, type Settings } from './merchant-settings';
import { currencyOf, priceSpreadOf } from './price-settings';
import { SettingsRepository } from './settings.repository';

/** The names of the chain and token fields in a request. */
export interface PlaceFields {
  chain: string;
  token: string;
}

/** The chain and token of a request under its own field names. */
type GivenPlace = { [K in keyof PlaceFields]?: PlaceFields[K] | undefined };

const familyOf: Record<SignInScheme, ChainFamily> = { eip4361: 'evm', ton_proof: 'ton', solana: 'solana' };

/** The defaults of merchants for requests without a chain, token or receiver. */
@Injectable()
export class MerchantDefaults {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly receivers: ReceiversRepository,
    private readonly chains: ChainNodes,
    @Inject(ServiceConfig) private readonly config: Pick<MerchantConfig, 'environment'>,
  ) {}

  /**
   * The chain and token of a request, with the defaults of the settings for missing fields.
   * @param names the field names of the request, for its errors
   * @throws DomainError VALIDATION_ERROR with every field without a usable default
   */
  async placeOf(
    wallet: string,
    given: GivenPlace,
    names: PlaceFields,
  ): Promise<{ chain: Chain; token: Token }> {
    const isWhole = given.chain !== undefined && given.token !== undefined;
    const settings = isWhole ? {} : await this.settingsOf(wallet);
    const chain = this.chains.find(given.chain ?? ownText(settings, 'defaultChain') ?? '');
    const tokenName = given.token ?? ownText(settings, 'defaultToken');
    const token = chain && tokenName ? findToken(chain, tokenName) : undefined;
    if (chain && token) return { chain, token };
    throw DomainError.invalid(validatePlace(given, names, { settings, chain, token }));
  }

  /**
   * The receiver on a chain for a request without one. The settings have priority, then the wallet itself on chains of
   * its family, then its only proven address there. An address is never used in another family, nor a contract on
   * another chain, because the merchant may have no key there.
   */
  async findReceiver(wallet: string, chain: Chain): Promise<string | undefined> {
    const found = receiverOf(await this.settingsOf(wallet), chain, (name) => this.chains.find(name));
    // An address of the settings that cannot be paid here is a mistake, so no other address replaces it.
    if (found) return found.ok ? found.address : undefined;
    return (await this.ownAddress(wallet, chain)) ?? (await this.provenAddress(wallet, chain));
  }

  /** What payers pay above a price in a currency, in basis points. */
  async priceSpreadBps(wallet: string): Promise<number> {
    return priceSpreadOf(await this.settingsOf(wallet));
  }

  /** The currency of statistics and lists, an ISO 4217 code; dollars unless the settings name another. */
  async currency(wallet: string): Promise<string> {
    return currencyOf(await this.settingsOf(wallet));
  }

  private async provenAddress(wallet: string, chain: Chain): Promise<string | undefined> {
    const proven = (await this.receivers.list(wallet)).filter(
      ({ scheme, chainId, address }) =>
        familyOf[scheme] === chain.family &&
        (chainId === 0 || chainId === chain.chainId) &&
        receiverAddress(chain, address).ok,
    );
    const [address, ...others] = new Set(proven.map((receiver) => receiver.address));
    // With several proven addresses, the merchant must choose one.
    return others.length === 0 ? address : undefined;
  }

  private async ownAddress(wallet: string, chain: Chain): Promise<string | undefined> {
    const scheme = readWallet(wallet, this.config.environment)?.scheme;
    if (scheme !== undefined && familyOf[scheme] !== chain.family) return undefined;
    const read = receiverAddress(chain, wallet);
    if (!read.ok) return undefined;
    const { address } = read;
    const [isOwn] =
      chain.family === 'evm' ? await this.receivers.hasProven(address, [{ chain, address }]) : [true];
    return isOwn ? address : undefined;
  }

  private async settingsOf(wallet: string): Promise<Settings> {
    return (await this.settings.find(wallet)) ?? {};
  }
}

interface FoundPlace {
  settings: Settings;
  chain: Chain | undefined;
  token: Token | undefined;
}

function validatePlace(given: GivenPlace, names: PlaceFields, found: FoundPlace): FieldError[] {
  const errors: [field: string, message: string | undefined][] = [
    [names.chain, chainError(given, found)],
    [names.token, tokenError(given, found)],
  ];
  return errors.flatMap(([field, message]) => (message === undefined ? [] : [{ field, message }]));
}

function chainError(given: GivenPlace, { settings, chain }: FoundPlace): string | undefined {
  if (chain) return undefined;
  if (given.chain !== undefined) return 'must be a chain of GET /api/v1/pay/chains';
  if (!hasDefault(settings, 'defaultChain')) return absent('defaultChain');
  return 'is missing, and the defaultChain of your settings is not a chain of GET /api/v1/pay/chains';
}

/** Without a chain, the given token cannot be validated. */
function tokenError(given: GivenPlace, { settings, chain, token }: FoundPlace): string | undefined {
  if (token) return undefined;
  if (given.token === undefined && !hasDefault(settings, 'defaultToken')) return absent('defaultToken');
  if (!chain) return undefined;
  return given.token === undefined
    ? `is missing, and the defaultToken of your settings is not a token that can be paid on ${chain.name}`
    : `must be a token that can be paid on ${chain.name}`;
}

const absent = (name: string): string => `is missing. Send it, or set ${name} in your settings`;

/** Null and an empty string mean no default. */
function hasDefault(settings: Settings, name: string): boolean {
  const value = Object.hasOwn(settings, name) ? settings[name] : null;
  return value !== null && value !== '';
}
