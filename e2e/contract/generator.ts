import type { Random } from './random';
import type { Call, Documented, Json } from './request';

/** Generates requests from schemas: valid variations and invalid values. */
export class Generator {
  constructor(
    private readonly schemas: Json,
    private readonly random: Random,
  ) {}

  resolve(schema: Json): Json {
    if (schema['$ref']) return this.resolve(this.schemas[schema['$ref'].split('/').at(-1)]);
    const [first] = schema['allOf'] ?? [];
    return first ? { ...this.resolve(first), ...schema, allOf: undefined } : schema;
  }

  /** A value that the schema allows. */
  value(given: Json, depth = 0): unknown {
    const { random } = this;
    const schema = this.resolve(given);
    const alternatives = schema['oneOf'] ?? schema['anyOf'];
    if (alternatives) return this.value(random.pick(alternatives), depth);
    if (schema['const'] !== undefined) return schema['const'];
    if (schema['enum']) return random.pick(schema['enum']);
    const type = [schema['type']].flat().find((one: string) => one !== 'null');
    if (type === 'boolean') return random.isChosen(0.5);
    if (type === 'integer' || type === 'number') return this.number(schema, type === 'integer');
    if (type === 'array') return this.list(schema, depth);
    if (type === 'object') return this.object(schema, depth);
    return this.text(schema);
  }

  private number(schema: Json, isWhole: boolean): number {
    const least = schema['minimum'] ?? (schema['exclusiveMinimum'] ?? 0) + 1;
    const most = Math.min(schema['maximum'] ?? least + 1_000, least + 1_000_000);
    const found = least + this.random.next() * (most - least);
    return isWhole ? Math.floor(found) : Math.round(found * 100) / 100;
  }

  private list(schema: Json, depth: number): unknown[] {
    const most = Math.min(schema['maxItems'] ?? 3, depth > 3 ? 0 : 3);
    const count = Math.max(schema['minItems'] ?? 0, this.random.integer(most + 1));
    return Array.from({ length: count }, () => this.value(schema['items'] ?? { type: 'string' }, depth + 1));
  }

  private object(schema: Json, depth: number): Json {
    const { properties = {}, required = [] } = schema;
    if (!schema['properties']) return { note: this.random.text(5) };
    const chosen = Object.keys(properties).filter(
      (name) => required.includes(name) || (depth < 4 && this.random.isChosen(0.5)),
    );
    return Object.fromEntries(chosen.map((name) => [name, this.value(properties[name], depth + 1)]));
  }

  private text(schema: Json): string {
    const { format, pattern, examples = [], minLength = 1, maxLength = 20 } = schema;
    if (format === 'date-time') return new Date(Date.UTC(2027, this.random.integer(12), 1)).toISOString();
    // Only the examples of the document are certain to match a pattern.
    if (pattern || format) return String(examples[0] ?? '1000000');
    if (examples.length > 0 && this.random.isChosen(0.5)) return String(examples[0]);
    const longest = Math.min(maxLength, 40);
    const length = Math.max(minLength, 1 + this.random.integer(longest));
    return this.random.text(length, 'abcdefghij KLMNOP0123456789-éß漢');
  }

  /** Another valid request: optional fields vary, required fields keep their real values. */
  variation(documented: Documented, real: Call, fixed: readonly string[]): Call {
    const call = structuredClone(real);
    for (const { name, in: place, required, schema } of documented.parameters) {
      if (place !== 'query' || required || fixed.includes(name)) continue;
      if (this.random.isChosen(0.3)) call.query[name] = this.value(schema);
    }
    const body = documented.body && this.bodySchema(documented, real.body);
    if (!body) return call;
    const { properties = {}, required = [] } = body;
    for (const [name, schema] of Object.entries<Json>(properties)) {
      if (required.includes(name) || fixed.includes(name)) continue;
      const draw = this.random.next();
      if (draw < 0.2) delete call.body[name];
      else if (draw < 0.5) call.body[name] = this.value(schema);
    }
    return call;
  }

  /** The object schema of a body. If the body has several forms, the form that matches. */
  bodySchema({ body }: Documented, value: Json = {}): Json {
    const schema = this.resolve(body!['schema']);
    const forms: Json[] = (schema['oneOf'] ?? [schema]).map((form: Json) => this.resolve(form));
    const fits = ({ required = [] }: Json) => required.every((name: string) => name in value);
    return forms.find(fits) ?? forms[0]!;
  }
}
