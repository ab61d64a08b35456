import { shorten } from '../format/texts';
import { Button } from './button';
import styles from './copy.module.css';
import { useNotify } from './toasts';

interface CopyButtonProps {
  text: string;
  label?: string;
  kind?: 'link' | 'inline';
}

export function CopyButton({ text, label = 'Copy', kind = 'link' }: CopyButtonProps) {
  const notify = useNotify();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      notify('Copied');
    } catch {
      notify('The browser does not permit copying. Select the text instead.');
    }
  };
  return (
    <Button kind={kind} onClick={() => void copy()}>
      {label}
    </Button>
  );
}

/** An address, a hash or an id: shortened, with the full text in its title. A click copies it. */
export function CopyText({ text, kept }: { text: string; kept?: number }) {
  const notify = useNotify();
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => notify('Copied'),
      () => undefined,
    );
  return (
    <button type="button" className={styles.text} title={text} onClick={() => void copy()}>
      <code>{shorten(text, kept)}</code>
      <span className="visually-hidden"> (copy)</span>
    </button>
  );
}

/** A text to copy, such as a secret or a command. */
export function CopyBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={styles.block}>
      <pre aria-label={label} tabIndex={0}>
        {text}
      </pre>
      <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
