import { TextField } from '../../parts/field';
import styles from './settings.module.css';

interface ColorFieldProps {
  color: string;
  onColor: (color: string) => void;
  error: string | undefined;
}

const form = /^#[0-9a-f]{6}$/i;

/** The colour as text, next to the browser's own picker. */
export function ColorField({ color, onColor, error }: ColorFieldProps) {
  return (
    <div className={styles.color}>
      <TextField
        label="Colour of the buttons"
        hint="Such as #1d4fc4. Their text becomes black or white, whichever is easier to read. Empty: the colour of Tollbridge."
        placeholder="#1d4fc4"
        value={color}
        onText={onColor}
        error={error}
        maxLength={7}
        spellCheck={false}
      />
      <input
        type="color"
        className={styles.picker}
        aria-label="Choose the colour"
        value={form.test(color) ? color : '#1d4fc4'}
        onChange={(event) => onColor(event.target.value)}
      />
    </div>
  );
}
