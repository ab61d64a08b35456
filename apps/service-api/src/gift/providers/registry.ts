import type { Config, Settings } from '@tollbridge/config';
import type { Clock } from '@tollbridge/database';
import type { GiftProvider, GiftProviderDefinition } from './gift-provider';
import { reloadly } from './reloadly/reloadly.provider';

/**
 * Every provider of gift cards, airtime and bills, one line each. The first configured one serves new purchases; the
 * others serve the purchases that were made with them.
 */
export const giftProviderDefinitions = [reloadly];

type SettingsOf<D> = D extends { settings: infer S } ? S : never;
type Merged<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void ? I : never;
type GiftSettings = Merged<SettingsOf<(typeof giftProviderDefinitions)[number]>>;

/** The settings of all providers. */
export const giftSettings = Object.assign(
  {},
  ...giftProviderDefinitions.map(({ settings }) => settings),
) as GiftSettings;

/** The configured providers, in registry order. */
export function openGiftProviders<S extends Settings>(
  definitions: readonly GiftProviderDefinition<S>[],
  config: Config<S>,
  clock: Clock,
): GiftProvider[] {
  return definitions.flatMap((definition) => definition.open(config, clock) ?? []);
}
