import type { Generator } from './generator';
import type { Random } from './random';
import type { Call, Documented, Json } from './request';

export interface Broken {
  name: string;
  call: Call;
  /** True if a lenient reading of the field allows the value: then any documented response is valid. */
  mayPass?: boolean;
}

type Breakage = (given: {
  call: Call;
  documented: Documented;
  random: Random;
  generator: Generator;
}) => Omit<Broken, 'name'> | undefined;

// Excludes an empty list and an empty string, because they count as an empty object and as null.
const wrongTypes: readonly unknown[] = [{}, [[]], 7, -1, 1.5, true, 'x', { $gt: '' }, [null]];
const bidi = '\u202Eexe.fdp';
const jsonOf = (call: Call): string => JSON.stringify(call.body);

function bodyFields(documented: Documented, generator: Generator, call: Call): [string, Json][] {
  const { properties = {} } = generator.bodySchema(documented, call.body);
  return Object.entries<Json>(properties).map(([name, schema]) => [name, generator.resolve(schema)]);
}

const typesOf = (schema: Json): string[] =>
  [schema['type'] ?? (schema['oneOf'] ?? schema['anyOf'] ?? []).map((each: Json) => each['type'])].flat();

/** A value with a type that the schema does not allow. */
function foreignValue(schema: Json, random: Random): unknown {
  const types = typesOf(schema);
  const typeOf = (value: unknown) => (Array.isArray(value) ? 'array' : typeof value);
  const isForeign = (value: unknown) =>
    !types.includes(typeOf(value)) && !(typeof value === 'number' && types.includes('integer'));
  return random.pick(wrongTypes.filter(isForeign));
}

const withBody: Record<string, Breakage> = {
  'a required field is missing': ({ call, documented, random, generator }) => {
    const { required = [] } = generator.bodySchema(documented, call.body);
    if (required.length === 0) return undefined;
    delete call.body[random.pick<string>(required)];
    return { call };
  },
  'a field has the wrong type': ({ call, documented, random, generator }) => {
    const typed = bodyFields(documented, generator, call).filter(([, schema]) =>
      typesOf(schema).some(Boolean),
    );
    if (typed.length === 0) return undefined;
    const [name, schema] = random.pick(typed);
    call.body[name] = foreignValue(schema, random);
    return { call };
  },
  'a field is null': ({ call, documented, random, generator }) => {
    const { required = [] } = generator.bodySchema(documented, call.body);
    const fields = bodyFields(documented, generator, call);
    if (fields.length === 0) return undefined;
    const [name] = random.pick(fields);
    call.body[name] = null;
    return { call, mayPass: !required.includes(name) };
  },
  'a field is unknown': ({ call, documented, random, generator }) => {
    const mayPass = generator.bodySchema(documented, call.body)['additionalProperties'] !== false;
    call.body[random.pick(['extra', '__proto__x', 'constructor', 'toString', 'ID', ' '])] = 1;
    return { call, mayPass };
  },
  'a field is __proto__': ({ call, documented, generator }) => ({
    call: { ...call, raw: `{"__proto__":{"admin":true},${jsonOf(call).slice(1)}`.replace(',}', '}') },
    mayPass: generator.bodySchema(documented, call.body)['additionalProperties'] !== false,
  }),
  'a text is too long': ({ call, documented, random, generator }) => {
    const bounded = bodyFields(documented, generator, call).filter(([, { maxLength }]) => maxLength);
    if (bounded.length === 0) return undefined;
    const [name, { maxLength }] = random.pick(bounded);
    call.body[name] = 'x'.repeat(maxLength + 1);
    return { call };
  },
  'a text contains bidi controls': ({ call, documented, random, generator }) =>
    inText(call, documented, random, generator, bidi),
  'a text contains U+0000': ({ call, documented, random, generator }) =>
    inText(call, documented, random, generator, 'a\u0000b'),
  'a text contains half a surrogate pair': ({ call, documented, random, generator }) =>
    inText(call, documented, random, generator, '\ud83d'),
  'a number is huge': ({ call, documented, random, generator }) => {
    const fields = bodyFields(documented, generator, call);
    if (fields.length === 0) return undefined;
    const [name, schema] = random.pick(fields);
    const body = { ...call.body, [name]: 'HUGE' };
    const number = random.pick(['1e400', '-1e400', '9'.repeat(400), '1e-400', '0.1'.padEnd(300, '1')]);
    const isNumber = typesOf(schema).some((type) => ['integer', 'number'].includes(type));
    return { call: { ...call, raw: JSON.stringify(body).replace('"HUGE"', number) }, mayPass: isNumber };
  },
  'a number is NaN': ({ call, documented, random, generator }) => {
    const fields = bodyFields(documented, generator, call);
    const [name] = fields.length > 0 ? random.pick(fields) : ['extra'];
    const body = JSON.stringify({ ...call.body, [name]: 'NOT' });
    return {
      call: {
        ...call,
        raw: body.replace('"NOT"', random.pick(['NaN', 'Infinity', '-Infinity', '0x10', '+1', '01'])),
      },
    };
  },
  'the JSON is truncated': ({ call }) => ({ call: { ...call, raw: jsonOf(call).slice(0, -1) } }),
  'the JSON has trailing data': ({ call }) => ({ call: { ...call, raw: `${jsonOf(call)}{}` } }),
  'the body is not an object': ({ call, documented, random, generator }) => {
    const raw = random.pick(['[1]', 'null', '1', '"text"', '', ' ', 'true', '[{}]']);
    const { required = [] } = generator.bodySchema(documented, call.body);
    // A missing body counts as an empty object.
    return { call: { ...call, raw }, mayPass: raw === '' && required.length === 0 };
  },
  'a key is repeated': ({ call }) => ({
    call: { ...call, raw: `{"a":1,"a":2,${jsonOf(call).slice(1)}`.replace(',}', '}') },
  }),
  'the JSON is deeply nested': ({ call, random }) => {
    const levels = random.pick([200, 5_000]);
    return { call: { ...call, raw: `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}` } };
  },
  'the body is not UTF-8': ({ call }) => ({
    call: {
      ...call,
      raw: Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe, 0xc0]), Buffer.from('"}')]),
    },
  }),
  'the body is encoded in UTF-16': ({ call }) => ({
    call: { ...call, raw: Buffer.from(jsonOf(call), 'utf16le') },
  }),
  'the body is too large': ({ call }) => ({
    call: { ...call, raw: JSON.stringify({ a: 'x'.repeat(300 * 1024) }) },
  }),
  'the type is not JSON': ({ call, random }) => {
    const type = random.pick([
      'text/plain',
      'application/xml',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'x',
    ]);
    return { call: { ...call, headers: { ...call.headers, 'content-type': type } } };
  },
  'the body claims to be compressed': ({ call }) => ({
    call: { ...call, headers: { ...call.headers, 'content-encoding': 'gzip' } },
  }),
  'the Idempotency-Key is not valid': ({ call, random }) => ({
    call: {
      ...call,
      headers: { ...call.headers, 'idempotency-key': random.pick(['x'.repeat(256), 'a b', 'é', '']) },
    },
  }),
  'the Idempotency-Key is repeated': ({ call }) => ({
    call: {
      ...call,
      extraHeaders: [
        ['Idempotency-Key', 'a'],
        ['Idempotency-Key', 'b'],
      ],
    },
  }),
};

function inText(call: Call, documented: Documented, random: Random, generator: Generator, text: string) {
  const fields = bodyFields(documented, generator, call).filter(([, { type }]) => type === 'string');
  if (fields.length === 0) return undefined;
  call.body[random.pick(fields)[0]] = text;
  // Prose may contain bidi characters. JSON.stringify writes half of a surrogate pair as an escape, which no text may
  // contain.
  return { call, mayPass: text === bidi };
}

const withPath: Record<string, Breakage> = {
  'a path field is too long': ({ call, random }) => {
    call.path[random.pick(Object.keys(call.path))] = 'x'.repeat(random.pick([300, 2_000]));
    return { call };
  },
  'a path field is hostile': ({ call, random }) => {
    const hostile = ['../../etc', '%00', "' OR 1=1--", '\u202E', '0', '-1', 'NaN', '{}', '🙂', ' '];
    call.path[random.pick(Object.keys(call.path))] = random.pick(hostile);
    return { call };
  },
  'the path is not percent-encoded UTF-8': ({ call, random }) => ({
    call: { ...call, rawPath: random.pick(['%ff', '%zz', '%c0%af', '%']) },
  }),
};

const withQuery: Record<string, Breakage> = {
  'a parameter is unknown': ({ call, random }) => {
    call.query[random.pick(['page_size', 'extra', 'limit[]', 'constructor'])] = '1';
    return { call };
  },
  'a parameter is repeated': ({ call, documented, random }) => {
    const query = documented.parameters.filter(({ in: place }) => place === 'query');
    const name = query.length > 0 ? random.pick(query)['name'] : 'extra';
    call.query[name] = ['1', '1'];
    return { call };
  },
  'a parameter is too long': ({ call, documented, random }) => {
    const query = documented.parameters.filter(({ in: place }) => place === 'query');
    const name = query.length > 0 ? random.pick(query)['name'] : 'extra';
    call.query[name] = '9'.repeat(5_000);
    return { call };
  },
  'a parameter is hostile': ({ call, documented, random }) => {
    const query = documented.parameters.filter(({ in: place }) => place === 'query');
    if (query.length === 0) return undefined;
    const hostile = ['', ' ', '-1', '1e9', 'NaN', '\u202E', '\u0000', "' OR 1=1--", '0x10', '9'.repeat(40)];
    const { name, schema } = random.pick(query);
    call.query[name] = random.pick(hostile);
    // A parameter that accepts any text also accepts these.
    return { call, mayPass: schema.type === 'string' };
  },
  'the query is not percent-encoded UTF-8': ({ call, random }) => {
    const bad = random.pick(['%ff', '%zz', '%c0%af']);
    return { call: { ...call, suffix: `${Object.keys(call.query).length > 0 ? '&' : '?'}q=${bad}` } };
  },
};

const withCredentials: Record<string, Breakage> = {
  'the API key is malformed': ({ call, random }) => ({
    call: {
      ...call,
      headers: {
        ...call.headers,
        authorization: random.pick(['Bearer x', 'Basic eDp5', 'Bearer', `Bearer ${'y'.repeat(3_000)}`]),
      },
    },
    // A mailbox is opened by its own token, and a malformed scheme may count as a missing key.
    mayPass: true,
  }),
  'the API key is repeated': ({ call, random }) => ({
    call: {
      ...call,
      headers: { ...call.headers, 'x-api-key': 'a' },
      extraHeaders: [['X-API-Key', random.pick(['a', 'b'])]],
    },
  }),
};

/** `count` broken requests of an operation, each derived from a successful request. */
export function brokenCalls(
  documented: Documented,
  real: Call,
  count: number,
  { random, generator }: { random: Random; generator: Generator },
): Broken[] {
  const kinds = Object.entries({
    ...(documented.body && withBody),
    ...(documented.operation.pathFields.length > 0 && withPath),
    ...withQuery,
    ...withCredentials,
  });
  const found: Broken[] = [];
  for (let tries = 0; found.length < count && tries < count * 4; tries++) {
    const [name, breakage] = kinds[tries % kinds.length]!;
    const broken = breakage({ call: structuredClone(real), documented, random, generator });
    if (broken) found.push({ name, ...broken });
  }
  return found;
}
