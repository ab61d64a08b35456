import { useDebounced } from '../../parts/use-debounced';
import type { EnteredSettings } from './entered-settings';
import styles from './settings.module.css';

/** The checkout of an example request with these settings, as the gateway renders it. Its forms and scripts are off. */
export function CheckoutPreview({ entered }: { entered: EnteredSettings }) {
  const { storeName, storeColor, defaultChain, defaultToken, receiveEvm } = useDebounced(entered);
  const shown = {
    storeName,
    storeColor,
    chain: defaultChain,
    token: defaultToken,
    receiver: receiveEvm,
  };
  const filled = Object.entries(shown).filter(([, value]) => value.trim() !== '');
  return (
    <iframe
      className={styles.preview}
      title="Preview of the checkout"
      src={`/dashboard/preview?${new URLSearchParams(filled)}`}
      sandbox="allow-same-origin"
    />
  );
}
