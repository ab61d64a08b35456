import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import type { FieldError } from '../errors/domain-error';
import { fieldsOf, isAbsent, mapOf, type FieldDeclaration } from './fields';
import type { Class } from './class';

interface Check {
  validate(value: unknown): boolean;
  message(value: unknown): string;
}

interface CompiledField extends FieldDeclaration {
  checks: Check[];
}

interface CompiledClass {
  create: Class<object>;
  fields: Map<string, CompiledField>;
}

export type Decoded<T> =
  | { ok: true; value: T }
  | { ok: false; errors: FieldError[]; /** The fields that are right. */ partial: Partial<T> };

export interface DecodeOptions {
  /** Converts text to the types of the fields: for all fields, or for the fields with these names. */
  fromText?: boolean | readonly string[];
  /** Drops undeclared fields, also in nested objects. Without it, undeclared fields are errors. */
  ignoresUnknown?: boolean;
}

// A hostile body may have thousands of unknown fields, so a reply lists at most this many errors.
const maxErrors = 50;
const maxNameLength = 64;

const compiled = new WeakMap<object, CompiledClass>();

type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/**
 * Reads the decorators of a class once into plain loops, because class-validator iterates over its metadata
 * for every object. The decorators remain the only declaration.
 */
function compile(source: Class<unknown>): CompiledClass {
  const known = compiled.get(source);
  if (known) return known;
  const fields = new Map<string, CompiledField>();
  for (const declaration of fieldsOf(source)) fields.set(declaration.name, { ...declaration, checks: [] });
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(source, '', false, false)) {
    const field = fields.get(rule.propertyName);
    // Without a field decorator the property would be rejected as unknown.
    if (!field) throw new Error(`${source.name}.${rule.propertyName} is checked but not declared as a field`);
    // Items that are not objects are reported with their own paths.
    if (!(field.nested && rule.each)) field.checks.push(...checksOf(rule));
  }
  const result = { create: source as Class<object>, fields };
  compiled.set(source, result);
  return result;
}

/** Returns the checks of one decorator of this library or of class-validator. */
function checksOf(rule: Rule): Check[] {
  const constraints = rule.constraints ?? [];
  // The value is omitted: it may be a secret, no validator reads it here, and an object for each check costs more.
  const shared = { property: rule.propertyName, constraints } as unknown as ValidationArguments;
  const withValue = (value: unknown): ValidationArguments => ({ ...shared, value });
  return getMetadataStorage()
    .getTargetValidatorConstraints(rule.constraintCls)
    .map(({ instance }) => {
      // Asynchronous validators are not supported, so a promise counts as a failure.
      const one = (value: unknown) => instance.validate(value, shared) === true;
      const messageFor = (value: unknown) => {
        const given = rule.message ?? instance.defaultMessage?.(withValue(value));
        const text = typeof given === 'function' ? given(withValue(value)) : given;
        return (text || 'is not valid')
          .replace(/^(each value in )?\$property /, '$1')
          .replace(/\$constraint(\d+)/g, (_, place) => String(constraints[Number(place) - 1]));
      };
      const every = (value: unknown) => Array.isArray(value) && value.every(one);
      return { validate: rule.each ? every : one, message: messageFor };
    });
}

/** Validates untrusted data against a declared class, and reports every invalid field at once. */
export function decode<T>(source: Class<T>, input: unknown, options: DecodeOptions = {}): Decoded<T> {
  const found = new FoundErrors(options.ignoresUnknown ?? false);
  const value = decodeObject(compile(source), mapOf(input), '', options.fromText ?? false, found);
  return found.count === 0
    ? { ok: true, value: value as T }
    : { ok: false, errors: found.errors, partial: (value ?? {}) as Partial<T> };
}

/** Counts all errors, and lists the first of them. */
class FoundErrors {
  readonly errors: FieldError[] = [];
  count = 0;

  constructor(readonly ignoresUnknown: boolean) {}

  report(field: string, message: string): void {
    this.count += 1;
    if (this.errors.length < maxErrors) this.errors.push({ field, message });
  }
}

type FromText = boolean | readonly string[];

function decodeObject(
  target: CompiledClass,
  input: unknown,
  prefix: string,
  fromText: FromText,
  found: FoundErrors,
): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    found.report(prefix === '' ? 'body' : prefix.slice(0, -1), 'must be an object');
    return undefined;
  }
  const record = input as Record<string, unknown>;
  if (!found.ignoresUnknown) reportUnknown(target, record, prefix, found);
  const value = new target.create() as Record<string, unknown>;
  for (const field of target.fields.values()) {
    const decoded = decodeField(field, record, prefix, fromText, found);
    if (decoded !== undefined) value[field.name] = decoded;
  }
  return value;
}

function reportUnknown(
  target: CompiledClass,
  record: Record<string, unknown>,
  prefix: string,
  found: FoundErrors,
): void {
  for (const name of Object.keys(record)) {
    if (!target.fields.has(name)) found.report(prefix + name.slice(0, maxNameLength), 'is not a known field');
  }
}

function decodeField(
  field: CompiledField,
  record: Record<string, unknown>,
  prefix: string,
  fromText: FromText,
  found: FoundErrors,
): unknown {
  const path = prefix + field.name;
  let given = Object.hasOwn(record, field.name) ? record[field.name] : undefined;
  // A query has no null, so an empty parameter stays unchanged.
  if (given === '' && field.emptyIsNull && !isText(field.name, fromText)) given = null;
  if (given === null && field.isNullable) return null;
  if (given === undefined || (given === null && field.isOptional)) {
    const { requiredUnless } = field;
    const isReplaced =
      requiredUnless !== undefined &&
      Object.hasOwn(record, requiredUnless) &&
      !isAbsent(record[requiredUnless]);
    if (!field.isOptional && !isReplaced) found.report(path, 'is missing');
    return field.default;
  }
  if (field.fromText && typeof given === 'string' && isText(field.name, fromText))
    given = field.fromText(given);
  if (field.rewrite) given = field.rewrite(given);
  if (field.fromJson && typeof given === 'string') given = field.fromJson(given);
  for (const check of field.checks) {
    if (!check.validate(given)) {
      found.report(path, check.message(given));
      return undefined;
    }
  }
  if (!field.nested) return given;
  const errorsBefore = found.count;
  const value = decodeNested(field.nested, given, path, fromText, found);
  // An object with an invalid field does not match its class, so the rest of the object is not used.
  return found.count === errorsBefore || field.nested.keepsPartial ? value : undefined;
}

function decodeNested(
  nested: NonNullable<FieldDeclaration['nested']>,
  given: unknown,
  path: string,
  fromText: FromText,
  found: FoundErrors,
): unknown {
  const target = compile(nested.class());
  // Names in fromText apply only to the top level.
  const below = fromText === true;
  if (!nested.isList) return decodeObject(target, given, `${path}.`, below, found);
  return (given as unknown[]).map((item, index) =>
    decodeObject(target, item, `${path}[${index}].`, below, found),
  );
}

function isText(name: string, fromText: FromText): boolean {
  return typeof fromText === 'boolean' ? fromText : fromText.includes(name);
}
