import { decimalText, isAmountText, isDecimalText, maxAmount } from '@tollbridge/money';
import {
  Allow,
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { parse as parseExactly, isSafeNumber } from 'lossless-json';
import type { Class } from './class';

export type JsonSchema = Record<string, unknown>;

/** Metadata of a field decorator for OpenAPI and decoding, in addition to that of class-validator. */
export interface FieldDeclaration {
  name: string;
  schema: JsonSchema;
  isOptional: boolean;
  /** Name of another field. The field may be absent when that one is present. */
  requiredUnless?: string;
  /** Whether null is a valid value. Otherwise null in an optional field counts as absent. */
  isNullable: boolean;
  default?: unknown;
  /** Converts the text of a path or query parameter to the type of the field. Other text is returned unchanged. */
  fromText?: (text: string) => unknown;
  /** Parses a text that replaces the value, also in bodies. Other text is returned unchanged. */
  fromJson?: (text: string) => unknown;
  /** Normalises equivalent spellings, also in bodies. Every other value is returned unchanged. */
  rewrite?: (given: unknown) => unknown;
  /** Whether an empty text counts as null, because forms send it for an absent field. */
  emptyIsNull: boolean;
  nested?: {
    class: () => Class<unknown>;
    isList: boolean;
    /** Whether validators receive the valid fields of the items of an invalid list. */
    keepsPartial?: boolean;
  };
  /** Header that may contain the field instead. */
  header?: string | undefined;
  /** Whether the field is an address that receives money. The service rejects addresses that would lose it. */
  receivesMoney: boolean;
  /** Whether the field is a secret. Its operation is sealed on the bus. */
  isSecret: boolean;
}

export interface FieldOptions {
  description: string;
  /** Example for documents; by default null for a nullable field, otherwise the decorator's usual example. */
  example?: unknown;
  optional?: boolean;
  /** Name of another field: this one may be absent only when that one is present. */
  requiredUnless?: string;
  nullable?: boolean;
  /** Value of an absent field. A default makes the field optional. */
  default?: unknown;
  /** Lower-case header of a GET that may contain the field instead, for values that must not be part of a URL. */
  header?: string;
  /** Marks an address that receives money: payments, refunds or a provider's returns. */
  receivesMoney?: boolean;
  /**
   * Marks a value that grants access or is money itself: a credential, a one-time code, a card number. Calls
   * and replies of operations with such a field are sealed on the bus (decision 92).
   */
  isSecret?: boolean;
}

/** Options of a field without its description, which is the first argument of its decorator. */
export type Undescribed<O extends FieldOptions> = Omit<O, 'description'>;

/** Arguments of a field decorator: a description and options, or one object with both that several fields share. */
export type Described<O extends FieldOptions = FieldOptions> =
  | [described: O]
  | (Partial<Undescribed<O>> extends Undescribed<O>
      ? [description: string, options?: Undescribed<O>]
      : [string, Undescribed<O>]);

export const optionsOf = <O extends FieldOptions>([described, options]: Described<O>): O =>
  typeof described === 'string' ? ({ ...options, description: described } as O) : described;

const declarations = new WeakMap<object, FieldDeclaration[]>();

/**
 * Returns the declared fields of a class, those of its base classes first. A redeclared field replaces the
 * inherited one.
 */
export function fieldsOf(owner: Class<unknown>): FieldDeclaration[] {
  const base = Object.getPrototypeOf(owner) as Class<unknown> | null;
  const inherited = base && base !== Function.prototype ? fieldsOf(base) : [];
  const own = declarations.get(owner) ?? [];
  return [...new Map([...inherited, ...own].map((field) => [field.name, field])).values()];
}

/** Reads an empty list as an empty object, because PHP serialises empty maps as lists. */
export const mapOf = (given: unknown): unknown => (Array.isArray(given) && given.length === 0 ? {} : given);

/** Returns the error of an invalid value, or undefined. */
type Check = (value: unknown) => string | undefined;
type Extras = Partial<Pick<FieldDeclaration, 'fromText' | 'fromJson' | 'rewrite' | 'nested'>> & {
  usualExample?: unknown;
};

/** Types that accept an empty text as it is: PHP sends false as an empty text, and an empty list is not absent. */
const takesEmptyText = ({ type, minLength }: JsonSchema): boolean =>
  type === 'boolean' || type === 'array' || (type === 'string' && minLength === 0);

/** Null in a field that is not nullable counts as absent. */
export const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** Declares whether a value may be absent, and whether null is a valid value. */
function presence(
  isOptional: boolean,
  isNullable: boolean,
  requiredUnless: string | undefined,
): PropertyDecorator {
  if (isOptional) return IsOptional();
  if (requiredUnless !== undefined) {
    const isChecked = ValidateIf(
      (holder: object, value) => value !== undefined || isAbsent(Reflect.get(holder, requiredUnless)),
    );
    return (prototype, property) => {
      isChecked(prototype, property);
      IsDefined({ message: 'is missing' })(prototype, property);
    };
  }
  if (!isNullable) return IsDefined({ message: 'is missing' });
  const isPresent = ValidateIf((_holder, value) => value !== null);
  return (prototype, property) => {
    isPresent(prototype, property);
    IsDefined({ message: 'is missing' })(prototype, property);
  };
}

/** Declares a rule without a decorator in class-validator. */
function checkedBy(check: Check): PropertyDecorator {
  const defaultMessage = (seen?: { value?: unknown }) => check(seen?.value) ?? 'is not valid';
  const validate = (value: unknown) => check(value) === undefined;
  return ValidateBy({ name: 'check', validator: { validate, defaultMessage } });
}

function field(
  schema: JsonSchema,
  rules: PropertyDecorator | readonly PropertyDecorator[],
  options: FieldOptions,
  { usualExample, ...extras }: Extras = {},
): PropertyDecorator {
  const { description, nullable = false } = options;
  // A nested object uses the example of its class.
  const { example = nullable && !extras.nested ? null : usualExample } = options;
  const isOptional = options.optional === true || options.default !== undefined;
  return (prototype, property) => {
    const name = String(property);
    const owner = prototype.constructor;
    const complete: JsonSchema = { ...schema, description };
    if (nullable) complete['type'] = [schema['type'], 'null'];
    if (nullable && Array.isArray(schema['enum'])) complete['enum'] = [...schema['enum'], null];
    if (example !== undefined) complete['examples'] = [example];
    if (options.default !== undefined) complete['default'] = options.default;
    const declared = declarations.get(owner) ?? [];
    declared.push({
      name,
      schema: complete,
      isOptional,
      ...(options.requiredUnless !== undefined && { requiredUnless: options.requiredUnless }),
      isNullable: nullable,
      default: options.default,
      header: options.header,
      receivesMoney: options.receivesMoney === true,
      isSecret: options.isSecret === true,
      emptyIsNull: (isOptional || nullable) && !takesEmptyText(schema),
      ...extras,
    });
    declarations.set(owner, declared);
    for (const rule of [rules, presence(isOptional, nullable, options.requiredUnless)].flat())
      rule(prototype, property);
  };
}

export interface TextOptions extends FieldOptions {
  minLength?: number;
  maxLength?: number;
  pattern?: RegExp;
  /** Allows line breaks, only as LF. */
  isMultiline?: boolean;
  /** Allows any line breaks and tabs, for text that people write. */
  isProse?: boolean;
  /** Error message for a text that does not match the pattern: `must be …`. */
  patternMessage?: string;
  format?: string;
  /** Whether the text never contains a space, if no pattern excludes it. A space in a query is then read as `+`. */
  hasNoSpaces?: boolean;
  /** Normalises equivalent spellings before the text is validated. */
  rewrite?: (text: string) => string;
}

// A lone surrogate cannot be stored, so the text would differ when it is read.
const unprintable = /[\p{Control}\p{Surrogate}]/u;
// Bidirectional controls change the visible order: "exe.pdf" for "fdp.exe" (Unicode Technical Report 36, section 2.3).
const reordering = /\p{Bidi_Control}/u;

/** Counts code points, like JSON Schema and PostgreSQL. JavaScript counts surrogates. */
const isLonger = (text: string, most: number): boolean =>
  text.length > most && (text.length > 2 * most || [...text].length > most);
const isShorter = (text: string, least: number): boolean =>
  text.length < least || (text.length < 2 * least && [...text].length < least);

/**
 * A text without control characters, by default of at most 256 characters. Only prose may contain characters
 * that change the direction of text.
 */
export function Text(...given: Described<TextOptions>): PropertyDecorator {
  const options = optionsOf(given);
  const {
    minLength = 1,
    maxLength = 256,
    pattern,
    patternMessage = 'has an invalid format',
    format,
    isMultiline = false,
    isProse = false,
    hasNoSpaces = false,
    rewrite,
  } = options;
  const printable = (value: string): string =>
    isProse ? value.replace(/[\n\r\t]/g, ' ') : isMultiline ? value.replaceAll('\n', ' ') : value;
  // A global or sticky pattern keeps lastIndex, and would reject every second match.
  if (pattern?.global || pattern?.sticky) throw new Error(`the pattern ${pattern} must not be global`);
  const check: Check = (value) => {
    if (typeof value !== 'string') return undefined;
    if (isShorter(value, minLength))
      return minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`;
    if (isLonger(value, maxLength)) return `must have at most ${maxLength} characters`;
    if (unprintable.test(printable(value))) return 'must not contain control characters';
    return !isProse && reordering.test(value)
      ? 'must not contain characters that change the direction of text'
      : undefined;
  };
  const isTaken = (text: string): boolean =>
    pattern ? pattern.test(rewrite?.(text) ?? text) : !text.includes(' ');
  const schema: JsonSchema = { type: 'string', minLength, maxLength };
  if (pattern) schema['pattern'] = pattern.source;
  if (format) schema['format'] = format;
  // MinLength and MaxLength of class-validator do not count variation selectors, so they would not limit the length.
  const hasPattern = pattern ? [Matches(pattern, { message: patternMessage })] : [];
  const rules = [IsString({ message: 'must be a string' }), checkedBy(check), ...hasPattern];
  return field(schema, rules, options, {
    ...((pattern || hasNoSpaces) && { fromText: (text: string) => withPlus(text, isTaken) }),
    ...(rewrite && { rewrite: (given) => (typeof given === 'string' ? rewrite(given) : given) }),
  });
}

/** A text that grants access or is money itself. */
export const Secret = (...given: Described<TextOptions>): PropertyDecorator =>
  Text({ ...optionsOf(given), isSecret: true });

/**
 * Restores an unencoded `+`, which arrives as a space in a query. A text that is accepted unchanged stays unchanged.
 */
function withPlus(text: string, isTaken: (text: string) => boolean): string {
  if (!text.includes(' ') || isTaken(text)) return text;
  return [text.replaceAll(' ', '+'), text.replace(' ', '+')].find(isTaken) ?? text;
}

const amountMessage =
  'must be a string of an integer in the smallest unit of the token: digits only, no sign, no leading zero';

export interface AmountOptions extends FieldOptions {
  allowZero?: boolean;
  /** Maximum amount, if the app can store less than a token allows. */
  max?: bigint;
}

/**
 * An amount in the token's smallest unit, as a string. Zero is rejected unless `allowZero`. JSON Schema has
 * no maximum for texts, so the schema declares `x-maximum`.
 */
export function Amount(...given: Described<AmountOptions>): PropertyDecorator {
  const options = optionsOf(given);
  const { allowZero = false, max } = options;
  const pattern = allowZero ? '^(0|[1-9][0-9]{0,77})$' : '^[1-9][0-9]{0,77}$';
  return field(
    { type: 'string', pattern, 'x-maximum': String(max ?? maxAmount) },
    checkedBy((value) => {
      if (!isAmountText(value)) return amountMessage;
      if (!allowZero && value === '0') return 'must be greater than 0';
      return max !== undefined && BigInt(value) > max ? `must be at most ${max}` : undefined;
    }),
    max === undefined ? options : { ...options, description: `${options.description}; at most ${max}` },
    { usualExample: '1000000' },
  );
}

/** A plain decimal as text, such as dollars or a rate. For displayed figures, never for an amount. */
export function Decimal(...given: Described): PropertyDecorator {
  const options = optionsOf(given);
  const message = 'must be a decimal as text, such as 12.50';
  const check: Check = (value) => (isDecimalText(value) ? undefined : message);
  return field(
    { type: 'string', pattern: '^(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?$' },
    checkedBy(check),
    options,
  );
}

/** A number for display, for specifications that require a JSON number; never an amount. */
export function Figure(...given: Described): PropertyDecorator {
  const options = optionsOf(given);
  const message = 'must be a number of 0 or more';
  const rules = [IsNumber({}, { message }), Min(0, { message })];
  return field({ type: 'number', format: 'double', minimum: 0 }, rules, asNumber(options));
}

// A double represents every decimal with this many digits, and prints it unchanged.
const exactDigits = 15;

export interface AmountNumberOptions extends FieldOptions {
  /** Minimum amount; by default any amount above 0. */
  min?: number;
  max: number;
  /** Maximum number of decimals; by default as many as a double represents exactly. */
  maxDecimals?: number;
}

/**
 * An amount in whole units, such as 12.5, for specifications that require a JSON number. Read it with
 * `decimalText`, and never compute with it. A value that a double cannot represent exactly is rejected.
 */
export function AmountNumber(...given: Described<AmountNumberOptions>): PropertyDecorator {
  const options = optionsOf(given);
  const { min, max, maxDecimals = Infinity } = options;
  const check: Check = (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
    if (min !== undefined && (value < min || value > max))
      return `must be from ${decimalText(min)} to ${decimalText(max)}`;
    if (value <= 0) return 'must be greater than 0';
    if (value > max) return `must be ${decimalText(max)} or less`;
    const [whole = '', fraction = ''] = (decimalText(value) ?? '').split('.');
    if (fraction.length > maxDecimals) return `must have at most ${maxDecimals} digits after the point`;
    const digits = (whole + fraction).replace(/^0+|0+$/g, '');
    return digits === '' || digits.length > exactDigits
      ? `must have at most ${exactDigits} digits, as many as a number holds exactly`
      : undefined;
  };
  const least = min === undefined ? { exclusiveMinimum: 0 } : { minimum: min };
  const decimals = Number.isFinite(maxDecimals) ? ` and ${maxDecimals} decimals` : '';
  return field(
    { type: 'number', format: 'double', ...least, maximum: max },
    checkedBy(check),
    asNumber(options, ` with at most ${exactDigits} digits${decimals}`),
  );
}

/** Describes the decimals in text, because validators that divide doubles would reject 19.99 for `multipleOf`. */
function asNumber<O extends FieldOptions>(options: O, decimals = ''): O {
  return { ...options, description: `${options.description}; a JSON number${decimals}` };
}

/** An object of texts with names that the caller chooses. */
export function TextMap(
  ...given: Described<FieldOptions & { maxEntries: number; maxLength: number }>
): PropertyDecorator {
  const options = optionsOf(given);
  const { maxEntries, maxLength } = options;
  const check: Check = (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
    const entries = Object.entries(value);
    if (entries.length === 0) return 'must not be empty';
    if (entries.length > maxEntries) return `must have at most ${maxEntries} entries`;
    // Names and texts are checked separately. Concatenated, two lone surrogates would pass as a valid pair.
    const isText = (text: unknown) =>
      typeof text === 'string' &&
      !isLonger(text, maxLength) &&
      !unprintable.test(text) &&
      !reordering.test(text);
    return entries.flat().every(isText)
      ? undefined
      : `must hold texts of at most ${maxLength} characters, without control characters`;
  };
  const text = { type: 'string', maxLength };
  const bounds = { minProperties: 1, maxProperties: maxEntries, propertyNames: { maxLength } };
  return field({ type: 'object', additionalProperties: text, ...bounds }, checkedBy(check), options);
}

// IsInt of class-validator accepts numbers above 2^53, which a double has already rounded.
const isInteger = checkedBy((value) => (Number.isSafeInteger(value) ? undefined : 'must be an integer'));

export function Integer(
  ...given: Described<FieldOptions & { min?: number; max?: number }>
): PropertyDecorator {
  const options = optionsOf(given);
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = options;
  const schema: JsonSchema = { type: 'integer' };
  schema[options.min === undefined ? 'x-minimum' : 'minimum'] = min;
  schema[options.max === undefined ? 'x-maximum' : 'maximum'] = max;
  const message = options.max === undefined ? `must be ${min} or more` : `must be from ${min} to ${max}`;
  const rules = [isInteger, Min(min, { message }), Max(max, { message })];
  const fromText = (text: string) => (/^-?(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text);
  return field(schema, rules, options, { fromText });
}

/** An integer of at least 0: a count, a version, a position. */
export const Unsigned = (...given: Described): PropertyDecorator => Integer({ min: 0, ...optionsOf(given) });

export interface IntegerOrTextOptions extends Omit<FieldOptions, 'nullable'> {
  min: number;
  max: number;
  /** Pattern of the text that is accepted instead of the integer. */
  pattern: RegExp;
  /** Error message for other values: `must be …`. */
  message: string;
}

/** An integer, or a text with a given pattern, such as a calling code or a country code. */
export function IntegerOrText(...given: Described<IntegerOrTextOptions>): PropertyDecorator {
  const options = optionsOf(given);
  const { min, max, pattern, message } = options;
  const integer = { type: 'integer', minimum: min, maximum: max };
  const check: Check = (value) => {
    const isInteger = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
    return isInteger || (typeof value === 'string' && pattern.test(value)) ? undefined : message;
  };
  return field({ oneOf: [integer, { type: 'string', pattern: pattern.source }] }, checkedBy(check), options);
}

export function Flag(...given: Described): PropertyDecorator {
  const fromText = (text: string) => (text === 'true' ? true : text === 'false' ? false : text);
  const isFlag = IsBoolean({ message: 'must be true or false' });
  return field({ type: 'boolean' }, isFlag, optionsOf(given), { fromText, usualExample: true });
}

export function OneOf(values: readonly string[], ...given: Described): PropertyDecorator {
  const isOne = IsIn(values, { message: `must be one of ${values.join(', ')}` });
  return field({ type: 'string', enum: values }, isOne, optionsOf(given), { usualExample: values[0] });
}

const timestampForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/** An ISO 8601 time in UTC: `2026-01-31T12:00:00Z`, with or without fractional seconds. */
export function Timestamp(...given: Described): PropertyDecorator {
  const check: Check = (value) =>
    isTimestamp(value) ? undefined : 'must be a time in UTC, such as 2026-01-31T12:00:00Z';
  // `pattern` would tighten the contract for clients that validate with it, although UTC was always required.
  const schema = { type: 'string', format: 'date-time', 'x-pattern': timestampForm.source };
  return field(schema, checkedBy(check), optionsOf(given), { usualExample: '2026-11-20T12:00:00.000Z' });
}

function isTimestamp(value: unknown): boolean {
  if (typeof value !== 'string' || !timestampForm.test(value)) return false;
  const time = Date.parse(value);
  // Date interprets the 30th of February as a day in March.
  return !Number.isNaN(time) && new Date(time).getUTCDate() === Number(value.slice(8, 10));
}

/** One object of another declared class. */
export function Nested(of: () => Class<unknown>, ...given: Described): PropertyDecorator {
  const rules = [IsObject({ message: 'must be an object' }), ValidateNested()];
  const nested = { class: of, isList: false };
  return field({ type: 'object' }, rules, optionsOf(given), { nested, rewrite: mapOf });
}

// ValidateNested alone accepts null and lists as items.
const objects = [
  IsObject({ each: true, message: 'must contain only objects' }),
  ValidateNested({ each: true }),
];

export interface ListOptions extends FieldOptions {
  isFilled?: boolean;
  isUnique?: boolean;
  maxItems: number;
  values?: readonly string[];
}

/** A list of objects of another declared class, or of strings. */
export function ListOf(
  of: 'string' | (() => Class<unknown>),
  ...given: Described<ListOptions>
): PropertyDecorator {
  const options = optionsOf(given);
  const { isFilled = false, isUnique = false, maxItems, values } = options;
  const isList = [
    IsArray({ message: 'must be a list' }),
    ...(isFilled ? [ArrayNotEmpty({ message: 'must have at least one item' })] : []),
    ...(isUnique ? [ArrayUnique({ message: 'must not contain duplicates' })] : []),
    ArrayMaxSize(maxItems, { message: `must have at most ${maxItems} items` }),
  ];
  const schema: JsonSchema = { type: 'array', maxItems };
  if (isFilled) schema['minItems'] = 1;
  if (isUnique) schema['uniqueItems'] = true;
  if (of !== 'string') {
    const nested = { class: of, isList: true };
    return field(schema, [...isList, ...objects], options, { nested });
  }
  schema['items'] = { type: 'string', ...(values && { enum: values }) };
  const hasStrings = values
    ? IsIn(values, { each: true, message: `must be among ${values.join(', ')}` })
    : IsString({ each: true, message: 'must contain only strings' });
  // In a query, `?a=1&a=2` is parsed as a list, but `?a=1` as a text.
  return field(schema, [...isList, hasStrings], options, { fromText: (text) => [text] });
}

/**
 * A list of objects of another declared class, or the JSON text of such a list. Validators of an invalid list
 * receive its valid fields, with `undefined` for items that are not objects. In this way all invalid items
 * are reported at once.
 */
export function ListOrJson(
  of: () => Class<unknown>,
  ...given: Described<FieldOptions & { maxItems: number }>
): PropertyDecorator {
  const options = optionsOf(given);
  const { maxItems } = options;
  const rules = [
    IsArray({ message: 'must be a list, or the JSON text of one' }),
    ArrayNotEmpty({ message: 'must not be empty' }),
    ArrayMaxSize(maxItems, { message: `must have at most ${maxItems} items` }),
    ...objects,
  ];
  const nested = { class: of, isList: true, keepsPartial: true };
  return field({ type: 'array', minItems: 1, maxItems }, rules, options, { nested, fromJson: readJson });
}

/** Parses JSON. Numbers that a double cannot represent become NaN, which validation rejects. */
function readJson(text: string): unknown {
  try {
    return parseExactly(text, null, (literal) => (isSafeNumber(literal) ? Number(literal) : Number.NaN));
  } catch {
    return text;
  }
}

/**
 * A JSON object of the caller, stored unchanged: limited in size and depth, never interpreted. It may contain
 * any character. Store it as `json` or text, because `jsonb` rejects U+0000.
 */
export function AnyObject(
  ...given: Described<FieldOptions & { maxBytes: number; maxDepth: number }>
): PropertyDecorator {
  const options = optionsOf(given);
  const { maxBytes, maxDepth } = options;
  const check: Check = (value) => {
    if (isDeeper(value, maxDepth)) return `must not be nested deeper than ${maxDepth} levels`;
    // class-validator also evaluates this rule for an absent value.
    return Buffer.byteLength(JSON.stringify(value) ?? '') > maxBytes
      ? `must have at most ${maxBytes} bytes as JSON`
      : undefined;
  };
  const rules = [IsObject({ message: 'must be an object' }), checkedBy(check)];
  // JSON Schema has no keyword for these limits.
  const bounds = `at most ${maxBytes.toLocaleString('en')} bytes as JSON and ${maxDepth} levels`;
  const described = { ...options, description: `${options.description}; ${bounds}` };
  return field({ type: 'object', additionalProperties: true }, rules, described, { rewrite: mapOf });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1));
}

/** A JSON object with content that this product does not interpret; only for outputs. */
export function FreeForm(schema: JsonSchema, ...given: Described): PropertyDecorator {
  return field(openObjects(schema), Allow(), optionsOf(given));
}

/** Marks objects without declared properties as open, because client generators would treat them as empty. */
function openObjects(schema: JsonSchema): JsonSchema {
  const { type, items, properties } = schema;
  if (type === 'array' && items) return { ...schema, items: openObjects(items as JsonSchema) };
  return type === 'object' && properties === undefined ? { additionalProperties: true, ...schema } : schema;
}
