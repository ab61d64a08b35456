import { CopyButton } from './copy';
import { Button } from './button';
import { Row } from './page';
import styles from './share-panel.module.css';

/** A link for payers: its QR code, its text, and the browser's share dialog. */
export function SharePanel({ url, qrUrl, title }: { url: string; qrUrl: string; title: string }) {
  const share = () => navigator.share({ url, title }).catch(() => undefined);
  return (
    <div className={styles.panel}>
      <img src={qrUrl} alt={`QR code of ${url}`} width={180} height={180} />
      <div className={styles.link}>
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
        <Row>
          <CopyButton text={url} label="Copy link" />
          {'share' in navigator && (
            <Button kind="link" onClick={() => void share()}>
              Share
            </Button>
          )}
          <a href={qrUrl} download="qr.png">
            Save QR code
          </a>
        </Row>
      </div>
    </div>
  );
}
