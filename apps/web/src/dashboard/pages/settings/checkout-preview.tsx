import { useEffect, useRef } from 'react';
import { useDebounced } from '../../parts/use-debounced';
import type { EnteredSettings } from './entered-settings';
import styles from './settings.module.css';

/**
 * The checkout of an example request with these settings, rendered by the gateway. Its forms and scripts are disabled.
 */
export function CheckoutPreview({ entered }: { entered: EnteredSettings }) {
  const { storeName, storeColor, storeLogo, defaultChain, defaultToken, receiveEvm } = useDebounced(entered);
  const frame = useRef<HTMLIFrameElement>(null);
  // A logo is too long for a URL, so the gateway renders an empty image that this page fills.
  const showLogo = (): void => {
    const place = frame.current?.contentDocument?.querySelector<HTMLImageElement>('img.logo');
    if (place && isShownLogo(storeLogo)) place.src = storeLogo;
  };
  useEffect(showLogo, [storeLogo]);
  const shown = {
    storeName,
    storeColor,
    logo: isShownLogo(storeLogo) ? 'shown' : '',
    chain: defaultChain,
    token: defaultToken,
    receiver: receiveEvm,
  };
  const filled = Object.entries(shown).filter(([, value]) => value.trim() !== '');
  return (
    <iframe
      ref={frame}
      className={styles.preview}
      title="Preview of the checkout"
      src={`/dashboard/preview?${new URLSearchParams(filled)}`}
      sandbox="allow-same-origin"
      onLoad={showLogo}
    />
  );
}

/** Whether the logo has a type that the settings accept. */
const isShownLogo = (logo: string): boolean => /^data:image\/(png|jpeg|webp);base64,/.test(logo);
