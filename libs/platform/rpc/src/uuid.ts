import { Text, type FieldOptions } from './fields';

/** As this product writes its own ids: in lower case, of any version. */
export const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** For what this product made itself: a text that cannot be one of its ids is not looked up. */
export const isUuid = (text: string): boolean => uuidForm.test(text);

/** The id in the form in which it is stored, whatever the case of the text; undefined for what can be no id. */
export function uuidOf(text: string): string | undefined {
  const id = text.toLowerCase();
  return isUuid(id) ? id : undefined;
}

/** An id that is taken in its one form only. */
export const Uuid = (options: FieldOptions): PropertyDecorator =>
  Text({ format: 'uuid', pattern: uuidForm, patternMessage: 'must be a uuid in lower case', ...options });
