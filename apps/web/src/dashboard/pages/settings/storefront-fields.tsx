import { ApiError } from '../../api/api-error';
import { TextArea, TextField } from '../../parts/field';
import { fieldError } from '../../parts/form';
import { ColorField } from './color-field';
import type { EnteredSettings } from './entered-settings';
import { LogoField } from './logo-field';

interface StorefrontFieldsProps {
  entered: EnteredSettings;
  set: (name: keyof EnteredSettings) => (text: string) => void;
  error: Error | null;
}

/** The appearance of the shop's pages, and the sites that may embed them. */
export function StorefrontFields({ entered, set, error }: StorefrontFieldsProps) {
  const errorOf = (name: string) => fieldError(error, name);
  return (
    <>
      <TextField
        label="Name of the shop"
        hint="Payers see it beside your address."
        value={entered.storeName}
        onText={set('storeName')}
        error={errorOf('storeName')}
        maxLength={128}
      />
      <ColorField color={entered.storeColor} onColor={set('storeColor')} error={errorOf('storeColor')} />
      <LogoField logo={entered.storeLogo} onLogo={set('storeLogo')} error={errorOf('storeLogo')} />
      <TextArea
        label="Sites that may embed the checkout"
        hint="Origins such as https://shop.example, one a line, at most 10. Empty: no site."
        value={entered.embedOrigins}
        onText={set('embedOrigins')}
        error={errorOf('embedOrigins') ?? listError(error, 'embedOrigins')}
        spellCheck={false}
      />
    </>
  );
}

/** The first message about an item of a list, for example `embedOrigins.2`. */
function listError(error: Error | null, name: string): string | undefined {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  const [field, message] = fields.find(([field]) => field.startsWith(`${name}.`)) ?? [];
  return field && message && `Line ${Number(field.slice(name.length + 1)) + 1} ${message}`;
}
