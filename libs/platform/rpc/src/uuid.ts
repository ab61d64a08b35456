import { optionsOf, Text, type Described } from './declarations/fields';

/** The spelling of this product: lower case, any version. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text can be an id of this product; any other need not be looked up. */
export const isUuid = (text: string): boolean => uuidForm.test(text);

/** The id in lower case, as it is stored; undefined for a text that is not a UUID. */
export function uuidOf(text: string): string | undefined {
  const id = text.toLowerCase();
  return isUuid(id) ? id : undefined;
}

/** An id, accepted in lower case only. */
export const Uuid = (...given: Described): PropertyDecorator =>
  Text({
    format: 'uuid',
    pattern: uuidForm,
    patternMessage: 'must be a uuid in lower case',
    ...optionsOf(given),
  });
