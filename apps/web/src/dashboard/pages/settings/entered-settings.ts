import type { Chains } from '../../api/chains';
import type { Settings } from '../../api/settings';

/** Fields of the form, as text. */
export interface EnteredSettings {
  storeName: string;
  webhookUrl: string;
  defaultChain: string;
  defaultToken: string;
  receiveEvm: string;
}

/** @param chains the default chain may be stored under any of its names */
export function enteredOf(settings: Settings, chains: Pick<Chains, 'find'>): EnteredSettings {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const defaultChain = text(settings['defaultChain']);
  const receivers = settings['receiveAddresses'] as Record<string, unknown> | undefined;
  return {
    storeName: text(settings['storeName']),
    webhookUrl: text(settings['webhookUrl']),
    defaultChain: chains.find(defaultChain)?.id ?? defaultChain,
    defaultToken: text(settings['defaultToken']),
    receiveEvm: text(receivers?.['evm']),
  };
}

/** The whole settings with the fields of the form: everything that the form does not have is kept. */
export function mergedSettings(stored: Settings, entered: EnteredSettings): Settings {
  const { receiveEvm, ...texts } = entered;
  const { evm: _former, ...others } = (stored['receiveAddresses'] ?? {}) as Record<string, unknown>;
  const receivers = receiveEvm.trim() ? { ...others, evm: receiveEvm.trim() } : others;
  return withoutEmpty({
    ...stored,
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.trim()])),
    receiveAddresses: Object.keys(receivers).length > 0 ? receivers : '',
  });
}

const withoutEmpty = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''));
