import { mapOf, type FieldError } from '@tollbridge/rpc';
import {
  receiverAddress,
  chains,
  type AddressResult,
  type Chain,
  type ChainFamily,
} from '@tollbridge/chains';

/** The settings of a merchant: any JSON object. Only the members in this file have a meaning for the app. */
export type Settings = Record<string, unknown>;

const maxStoreNameLength = 64;
// Line breaks and tabs become spaces. Other control, format and bidi characters are removed, except the two joiners
// that some scripts and emoji need.
const whitespace = /\p{White_Space}+/gu;
const hidden = /[^\P{C}\u200c\u200d]|\p{Bidi_Control}/gu;
// More combining marks on one letter would cover the neighbouring lines.
const stackedMarks = /(\p{M}{4})\p{M}+/gu;
// Filler characters and the empty Braille pattern are classified as letters and symbols, but are invisible.
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** The `storeName` for payers, in one line of at most 64 characters; null without a visible one. */
export function storeNameOf(settings: Settings): string | null {
  const text = ownText(settings, 'storeName');
  if (text === undefined) return null;
  const clean = text
    .normalize('NFC')
    .replace(whitespace, ' ')
    .replace(hidden, '')
    .replace(stackedMarks, '$1')
    .trim();
  const cut = [...clean].slice(0, maxStoreNameLength).join('').trim();
  return visible.test(cut) ? cut : null;
}

/** The URL of the webhook endpoint; null when it is absent, null or empty. */
export function webhookUrlOf(settings: Settings): string | null {
  return ownText(settings, 'webhookUrl') || null;
}

/** A string of the settings; undefined for any other value, because stored settings may contain any JSON. */
export function ownText(settings: Settings, name: string): string | undefined {
  const value = Object.hasOwn(settings, name) ? settings[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

const families: ReadonlySet<string> = new Set<ChainFamily>(chains.map(({ family }) => family));
// More than the number of families and chains.
const maxReceivers = 64;

type FindChain = (name: string) => Chain | undefined;
const isEmptyAddress = (address: unknown): boolean => address === '' || address === null;

/** Validates `receiveAddresses`: an object of addresses, with chain families or chains as keys. */
export function validateReceiveAddresses(settings: Settings, find: FindChain): FieldError[] {
  const given = Object.hasOwn(settings, 'receiveAddresses') ? mapOf(settings['receiveAddresses']) : undefined;
  if (given === undefined || isEmptyAddress(given)) return [];
  const error = (message: string, key?: string): FieldError[] => [
    { field: key === undefined ? 'receiveAddresses' : `receiveAddresses.${key}`, message },
  ];
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return error('must be an object of addresses by chain family');
  const entries = Object.entries(given);
  if (entries.length > maxReceivers) return error(`must have at most ${maxReceivers} members`);
  return entries.flatMap(([key, address]) => {
    const candidates = chainsNamed(key, find);
    const shown = key.slice(0, 64);
    if (candidates.length === 0)
      return error(`must be a chain family (${[...families].join(', ')}) or a chain`, shown);
    if (isEmptyAddress(address)) return [];
    if (typeof address !== 'string') return error('must be a string', shown);
    const results = candidates.map((chain) => receiverAddress(chain, address));
    const reasons = results.flatMap((result) => (result.ok ? [] : [result.reason]));
    return reasons.length < results.length ? [] : error(reasons[0]!, shown);
  });
}

/**
 * The receiver of the settings on a chain: the address of the chain, otherwise the address of its family. Undefined
 * without one.
 */
export function receiverOf(settings: Settings, chain: Chain, find: FindChain): AddressResult | undefined {
  const given = Object.hasOwn(settings, 'receiveAddresses') ? settings['receiveAddresses'] : undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  const entries = Object.entries(given).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const ofChain = entries.find(([key]) => !families.has(key) && find(key)?.id === chain.id);
  const found = ofChain ?? entries.find(([key]) => key === chain.family);
  return found && receiverAddress(chain, found[1]);
}

// A name such as `ton` is both a family and a chain. As a family it means all of its networks.
function chainsNamed(key: string, find: FindChain): Chain[] {
  if (families.has(key)) return chains.filter(({ family }) => family === key);
  const chain = find(key);
  return chain ? [chain] : [];
}

/** A warning in the reply to a change of the settings. It is not stored. */
export interface SettingsWarning {
  code: 'WEBHOOK_URL_REMOVED' | 'WEBHOOK_URL_UNUSABLE';
  field: string;
  message: string;
}

const webhookUrlRemoved: SettingsWarning = {
  code: 'WEBHOOK_URL_REMOVED',
  field: 'webhookUrl',
  message:
    'The previous settings had a webhookUrl and the new ones do not, so the sending of webhooks has stopped. Send the whole settings with every PUT.',
};

/** @param problem the problem of the address, as `must ...` */
export const webhookUrlUnusable = (problem: string): SettingsWarning => ({
  code: 'WEBHOOK_URL_UNUSABLE',
  field: 'webhookUrl',
  message: `The settings are stored, and no webhooks are sent: webhookUrl ${problem}.`,
});

/** The warnings of a PUT. Settings with an empty `webhookUrl` get none. */
export function warningsOf(before: Settings, after: Settings): SettingsWarning[] {
  const removes = webhookUrlOf(before) !== null && !Object.hasOwn(after, 'webhookUrl');
  return removes ? [webhookUrlRemoved] : [];
}

/**
 * The reply to a PUT: the stored settings, and the warnings under the first warning name that the settings do not use.
 */
export function withWarnings(settings: Settings, warnings: readonly SettingsWarning[]): Settings {
  if (warnings.length === 0) return settings;
  let name = 'warnings';
  while (Object.hasOwn(settings, name)) name = `_${name}`;
  return { ...settings, [name]: warnings };
}

const codes: ReadonlySet<unknown> = new Set<SettingsWarning['code']>([
  'WEBHOOK_URL_REMOVED',
  'WEBHOOK_URL_UNUSABLE',
]);

/** The settings without the warnings of an earlier reply, which clients may send back. */
export function withoutWarnings(settings: Settings): Settings {
  const { warnings } = settings;
  const isOurs =
    Object.hasOwn(settings, 'warnings') &&
    Array.isArray(warnings) &&
    warnings.length > 0 &&
    warnings.every((it: unknown) => codes.has((it as { code?: unknown } | null)?.code));
  if (!isOurs) return settings;
  return Object.fromEntries(Object.entries(settings).filter(([name]) => name !== 'warnings'));
}
