import { Button } from '../../parts/button';
import { FileField } from '../../parts/field';
import styles from './settings.module.css';

interface LogoFieldProps {
  /** A `data:` URL; empty without a logo. */
  logo: string;
  onLogo: (logo: string) => void;
  error: string | undefined;
}

/** The logo, with controls to replace or remove it. It is stored with the other settings. */
export function LogoField({ logo, onLogo, error }: LogoFieldProps) {
  const read = (file: File): void => {
    const reader = new FileReader();
    reader.addEventListener('load', () => onLogo(String(reader.result)));
    reader.readAsDataURL(file);
  };
  return (
    <div className={styles.logo}>
      <FileField
        label="Logo"
        hint="PNG, JPEG or WebP of at most 32 KiB and 1,024 pixels a side. Payers see it beside the name."
        accept="image/png,image/jpeg,image/webp"
        onFile={read}
        error={error}
      />
      {logo !== '' && (
        <>
          <img src={logo} alt="Current logo" width="48" height="48" />
          <Button onClick={() => onLogo('')}>Remove the logo</Button>
        </>
      )}
    </div>
  );
}
