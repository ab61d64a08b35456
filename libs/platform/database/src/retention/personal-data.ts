/** Columns that may contain a phone number, an e-mail address or other personal data. */
export interface PersonalColumns {
  columns: readonly string[];
  /** SQL condition of rows that still need the data, such as a purchase in progress. */
  unless?: string;
}

const declared = new WeakMap<object, PersonalColumns>();

/** Declares the columns of an entity that an erasure searches for a person's data. */
export const PersonalData =
  (personal: PersonalColumns): ClassDecorator =>
  (entity) =>
    void declared.set(entity, personal);

export const personalDataOf = (entity: unknown): PersonalColumns | undefined =>
  typeof entity === 'function' ? declared.get(entity) : undefined;

/** Replaces erased personal data. */
export const erasedMarker = '[erased]';

export interface Person {
  /** In E.164 form: `+` and digits. */
  phone?: string;
  email?: string;
  /** Any other value. It is erased only where it is the whole value of a column or string. */
  exact?: string;
}

/** Finds and replaces a person's data in text and in JSON. */
export interface PersonMatcher {
  /** Case-insensitive POSIX regular expression that matches everything that `erase` may replace. */
  pattern: string;
  /** @returns undefined when nothing was found */
  eraseText(text: string): string | undefined;
  /** Changes string values only, so that numbers keep every digit. @returns undefined when nothing was found */
  eraseJson(json: string): string | undefined;
}

const phoneForm = /^\+[1-9]\d{6,14}$/;
const emailForm = /^[^\s@"\\<>()[\],:;]{1,64}@[^\s@"\\<>()[\],:;]{1,255}$/;
const separators = '[ ().-]*';
// A number without + is treated as a phone number only under such a name; elsewhere it may be an amount or a reference.
const phoneName = /phone|mobile|msisdn|subscriber|^(to|from|tel|number)$/i;

/** @throws Error when a value has an invalid form; the message does not contain the value */
export function personMatcher({ phone, email, exact }: Person): PersonMatcher {
  if (phone !== undefined && !phoneForm.test(phone))
    throw new Error('The phone number must be in E.164 form: + and 7 to 15 digits.');
  if (email !== undefined && !emailForm.test(email))
    throw new Error('The e-mail address is not one address.');
  if (exact !== undefined && exact.length < 4)
    throw new Error('The exact value must have at least 4 characters.');
  const digits = phone?.slice(1);
  const parts = [
    ...(digits ? [[...digits].join(separators)] : []),
    ...[email, exact].flatMap((text) => (text ? [escaped(text)] : [])),
  ];
  if (parts.length === 0) throw new Error('Name a phone number, an e-mail address or an exact value.');
  const inText = [
    ...(digits ? [new RegExp(`\\+${separators}${[...digits].join(separators)}(?!\\d)`, 'g')] : []),
    ...(email ? [new RegExp(`(?<![\\w.%+-])${escaped(email)}(?![\\w-]|\\.\\w)`, 'giu')] : []),
  ];
  const erase = (text: string, name = ''): string => {
    if (exact !== undefined && text === exact) return erasedMarker;
    if (digits && phoneName.test(name) && text.replace(/[ ().+-]/g, '') === digits) return erasedMarker;
    return inText.reduce((left, expression) => left.replace(expression, erasedMarker), text);
  };
  const changed = (before: string, after: string) => (after === before ? undefined : after);
  return {
    pattern: parts.join('|'),
    eraseText: (text) => changed(text, erase(text)),
    eraseJson: (json) => changed(json, replaceStrings(json, erase)),
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Replaces the strings of a JSON text, each with the name of its member, and leaves every other character as it is. */
function replaceStrings(json: string, replace: (text: string, name: string) => string): string {
  let name = '';
  return json.replace(/"(?:[^"\\]|\\.)*"(\s*:)?/gs, (found: string, colon: string | undefined) => {
    const literal = colon === undefined ? found : found.slice(0, -colon.length);
    const text = JSON.parse(literal) as string;
    const after = replace(text, colon === undefined ? name : '');
    if (colon !== undefined) name = text;
    return after === text ? found : `${JSON.stringify(after)}${colon ?? ''}`;
  });
}
