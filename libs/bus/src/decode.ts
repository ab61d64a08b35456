import { getMetadataStorage } from 'class-validator';
import type { FieldError } from './domain-error';
import { fieldsOf, type FieldDeclaration } from './fields';
import type { Class } from './operation';

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

export type Decoded<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

// A hostile body may name thousands of unknown fields; nobody reads past this many.
const maxErrors = 50;
const maxNameLength = 64;

const compiled = new WeakMap<object, CompiledClass>();

/**
 * class-validator walks its metadata anew for every object. The decorators stay the declaration; here they are
 * read once per class into plain loops.
 */
function compile(source: Class<unknown>): CompiledClass {
  const known = compiled.get(source);
  if (known) return known;
  const storage = getMetadataStorage();
  const metadata = storage.getTargetValidationMetadatas(source, '', false, false);
  const fields = new Map<string, CompiledField>();
  for (const declaration of fieldsOf(source)) fields.set(declaration.name, { ...declaration, checks: [] });
  for (const { propertyName, constraintCls } of metadata) {
    for (const constraint of storage.getTargetValidatorConstraints(constraintCls)) {
      const rule = constraint.instance;
      fields.get(propertyName)?.checks.push({
        validate: (value) => rule.validate(value) as boolean,
        message: (value) => rule.defaultMessage?.({ value } as never) ?? 'is not valid',
      });
    }
  }
  const result = { create: source as Class<object>, fields };
  compiled.set(source, result);
  return result;
}

/** Checks foreign data against a declared class and names every bad field at once. */
export function decode<T>(
  source: Class<T>,
  input: unknown,
  options: { fromText?: boolean } = {},
): Decoded<T> {
  const errors: FieldError[] = [];
  const value = decodeObject(compile(source), input, '', options.fromText === true, errors);
  return errors.length === 0 ? { ok: true, value: value as T } : { ok: false, errors };
}

function decodeObject(
  target: CompiledClass,
  input: unknown,
  prefix: string,
  fromText: boolean,
  errors: FieldError[],
): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    report(errors, prefix === '' ? 'body' : prefix.slice(0, -1), 'must be an object');
    return undefined;
  }
  const record = input as Record<string, unknown>;
  for (const name of Object.keys(record)) {
    if (!target.fields.has(name))
      report(errors, prefix + name.slice(0, maxNameLength), 'is not a known field');
  }
  const value = new target.create() as Record<string, unknown>;
  for (const field of target.fields.values()) {
    const decoded = decodeField(field, record, prefix, fromText, errors);
    if (decoded !== undefined) value[field.name] = decoded;
  }
  return value;
}

function decodeField(
  field: CompiledField,
  record: Record<string, unknown>,
  prefix: string,
  fromText: boolean,
  errors: FieldError[],
): unknown {
  const path = prefix + field.name;
  let given = Object.hasOwn(record, field.name) ? record[field.name] : undefined;
  if (given === undefined || (given === null && field.isOptional)) {
    if (!field.isOptional) report(errors, path, 'is missing');
    return field.default;
  }
  if (fromText && field.fromText && typeof given === 'string') given = field.fromText(given);
  for (const check of field.checks) {
    if (!check.validate(given)) {
      report(errors, path, check.message(given));
      return undefined;
    }
  }
  if (!field.nested) return given;
  const target = compile(field.nested.class());
  if (!field.nested.isList) return decodeObject(target, given, `${path}.`, fromText, errors);
  return (given as unknown[]).map((item, index) =>
    decodeObject(target, item, `${path}[${index}].`, fromText, errors),
  );
}

function report(errors: FieldError[], field: string, message: string): void {
  if (errors.length < maxErrors) errors.push({ field, message });
}
