import type { Chains } from '../../api/chains';
import type { Settings } from '../../api/settings';

/** The fields of the form as text. */
export interface EnteredSettings {
  storeName: string;
  /** `#rrggbb`; empty for the default colour. */
  storeColor: string;
  /** A `data:` URL; empty without a logo. */
  storeLogo: string;
  /** One origin per line. */
  embedOrigins: string;
  webhookUrl: string;
  defaultChain: string;
  defaultToken: string;
  /** An ISO 4217 code; empty for none. */
  defaultCurrency: string;
  /** Basis points; empty for 0. */
  priceSpread: string;
  receiveEvm: string;
}

/** @param chains to resolve the default chain, which may be stored under any of its aliases */
export function enteredOf(settings: Settings, chains: Pick<Chains, 'find'>): EnteredSettings {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const defaultChain = text(settings['defaultChain']);
  const origins = settings['embedOrigins'];
  const receivers = settings['receiveAddresses'] as Record<string, unknown> | undefined;
  return {
    storeName: text(settings['storeName']),
    storeColor: text(settings['storeColor']),
    storeLogo: text(settings['storeLogo']),
    embedOrigins: Array.isArray(origins) ? origins.map(text).join('\n') : '',
    webhookUrl: text(settings['webhookUrl']),
    defaultChain: chains.find(defaultChain)?.id ?? defaultChain,
    defaultToken: text(settings['defaultToken']),
    defaultCurrency: text(settings['defaultCurrency']),
    priceSpread: String(settings['priceSpreadBps'] ?? ''),
    receiveEvm: text(receivers?.['evm']),
  };
}

/** The complete settings with the fields of the form. Fields that the form does not have are kept. */
export function mergedSettings(stored: Settings, entered: EnteredSettings): Settings {
  const { receiveEvm, embedOrigins, priceSpread, ...texts } = entered;
  const spread = priceSpread.trim();
  const origins = embedOrigins.split(/\s+/).filter((origin) => origin !== '');
  const { evm: _former, ...others } = (stored['receiveAddresses'] ?? {}) as Record<string, unknown>;
  const receivers = receiveEvm.trim() ? { ...others, evm: receiveEvm.trim() } : others;
  return withoutEmpty({
    ...stored,
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])),
    embedOrigins: origins.length > 0 ? origins : '',
    // The service rejects a text that is not a number, and names the field.
    priceSpreadBps: /^\d+$/.test(spread) ? Number(spread) : spread,
    receiveAddresses: Object.keys(receivers).length > 0 ? receivers : '',
  });
}

const withoutEmpty = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
