import { optionsOf, Text, type Described } from './declarations/fields';

/** Canonical form in this product: lower case, any version. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text can be an id of this product. Other texts need no lookup. */
export const isUuid = (text: string): boolean => uuidForm.test(text);

/** Returns the id in lower case, as stored; undefined for a text that is not a UUID. */
export function uuidOf(text: string): string | undefined {
  const id = text.toLowerCase();
  return isUuid(id) ? id : undefined;
}

/** An id field, accepted only in lower case. */
export const Uuid = (...given: Described): PropertyDecorator =>
  Text({
    format: 'uuid',
    pattern: uuidForm,
    patternMessage: 'must be a uuid in lower case',
    ...optionsOf(given),
  });
