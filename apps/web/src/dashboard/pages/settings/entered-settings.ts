import type { Settings } from '../../api/settings';

/** Fields of the form, as text. */
export interface EnteredSettings {
  storeName: string;
  webhookUrl: string;
  defaultChain: string;
  defaultToken: string;
  receiveEvm: string;
}

export function enteredOf(settings: Settings): EnteredSettings {
  const text = (value: unknown) => (typeof value === 'string' ? value : '');
  const receivers = settings['receiveAddresses'] as Record<string, unknown> | undefined;
  return {
    storeName: text(settings['storeName']),
    webhookUrl: text(settings['webhookUrl']),
    defaultChain: text(settings['defaultChain']),
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
