import { features, linksOf, tags } from '@tollbridge/contracts';
import { gatewayRoutes, operationRoutes } from '../routes/gateway-routes';
import {
  feature,
  Nested,
  operation,
  Text,
  withPartsInPlace,
  type Feature,
  type Operation,
} from '@tollbridge/rpc';
import Ajv2020, { type AnySchema, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { samplesApi } from '../testing/sample.api';
import { GatewayHarness } from '../testing/gateway-harness';
import { openApiDocument } from './openapi-document';
import { errorsOf } from './documented-replies';
import { errorCodes } from '@tollbridge/rpc';

type Json = Record<string, any>;

const ownRoutes = gatewayRoutes('sandbox').filter(({ kind }) => kind === 'own');
const documentOf = (offered: readonly Feature[]): Json =>
  openApiDocument([...offered.flatMap(operationRoutes), ...ownRoutes], 'http://127.0.0.1:3000', '1.2.3');
const served = documentOf(features);
const document = withPartsInPlace(served);
const samples = withPartsInPlace(documentOf([samplesApi]));

/** Every object of a JSON value, with its JSON pointer. */
function objectsOf(value: unknown, pointer = ''): [string, Json][] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([name, item]) =>
    objectsOf(item, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return [[pointer, value as Json], ...below];
}

function validatorOf(document: Json): (pointer: string, value: unknown) => string {
  const ajv = new Ajv2020({ strict: false, inlineRefs: false });
  addFormats(ajv);
  ajv.addSchema(document as AnySchema, 'openapi');
  // Most replies share their schemas, so each schema is compiled once.
  const compiled = new Map<string, ValidateFunction>();
  return (pointer, value) => {
    const names = pointer.split('/').slice(1);
    const plain = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
    const key = JSON.stringify(plain.reduce((part: Json, name) => part[name] as Json, document));
    const path = pointer.split('/').map(encodeURIComponent).join('/');
    const validate = compiled.get(key) ?? ajv.getSchema(`openapi#${path}`)!;
    compiled.set(key, validate as ValidateFunction);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
}

/** Each example in the document, with the pointer of the schema that it must match. */
function examplesOf(document: Json): [string, unknown][] {
  return objectsOf(document).flatMap(([pointer, object]) => {
    const examples: [string, unknown][] = [];
    if ('schema' in object && 'example' in object) examples.push([`${pointer}/schema`, object['example']]);
    if ('schema' in object && 'examples' in object)
      for (const { value } of Object.values<Json>(object['examples']))
        examples.push([`${pointer}/schema`, value]);
    if (Array.isArray(object['examples']) && !('schema' in object))
      for (const value of object['examples']) examples.push([pointer, value]);
    return examples;
  });
}

const offered = (features: readonly Feature[]): Operation[] =>
  features.flatMap(({ operations }) => Object.values(operations) as Operation[]);

describe('the OpenAPI document', () => {
  it('describes the operations of all features and the other documented routes, but nothing else', () => {
    const soldAt = offered(features).flatMap((operation) =>
      operation.soldAt === undefined ? [] : [{ ...operation, path: operation.soldAt }],
    );
    const described = Object.entries<Json>(document['paths']).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const documentedOwn = ownRoutes.flatMap((route) => ('documentation' in route ? [route.declaration] : []));
    expect(described.sort()).toEqual(
      offered(features)
        .concat(soldAt, documentedOwn)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    );
  });

  it.each(
    [...offered(features), ...offered([samplesApi])].map((operation) => [operation.name, operation] as const),
  )('describes input and replies of %s', (_name, operation) => {
    const { method, path, hasBody, pathFields } = operation;
    const from = path in document['paths'] ? document : samples;
    const described: Json = from['paths'][path][method.toLowerCase()];
    const sold = operation.sale === 'buys' ? ['402'] : [];
    const statuses = new Set([
      '200',
      ...sold,
      ...errorsOf(operation).map((code) => String(errorCodes[code][0])),
    ]);
    expect(Object.keys(described['responses']).sort()).toEqual([...statuses].sort());
    for (const code of errorsOf(operation)) {
      const { examples } = described['responses'][errorCodes[code][0]].content['application/json'];
      expect(Object.keys(examples)).toContain(code);
    }
    expect('x-payment-info' in described).toBe(sold.length > 0);
    if (sold.length > 0)
      expect(Object.keys(described['responses'][402].content)).toEqual([
        'application/json',
        'application/problem+json',
      ]);
    expect('requestBody' in described).toBe(hasBody);
    const header = ((described['parameters'] ?? []) as Json[]).find(({ name }) => name === 'Idempotency-Key');
    const isWrite = method === 'POST' || method === 'PUT';
    expect(header?.['in']).toBe(isWrite ? 'header' : undefined);
    expect('idempotent-replayed' in described['responses'][200].headers).toBe(isWrite);
    expect(errorsOf(operation).includes('IDEMPOTENCY_KEY_REUSED')).toBe(isWrite);
    expect(errorsOf(operation).includes('IDEMPOTENCY_IN_PROGRESS')).toBe(isWrite);
    const inPath = ((described['parameters'] ?? []) as Json[]).filter(
      (parameter) => parameter['in'] === 'path',
    );
    expect(inPath.map((parameter) => parameter['name'])).toEqual(pathFields);
  });

  it.each([
    ['of the product', document],
    ['of the samples', samples],
  ])('contains only valid examples: %s', (_name, json) => {
    const validate = validatorOf(json);
    const examples = examplesOf(json);
    const wrong = examples
      .map(([pointer, value]) => [pointer, validate(pointer, value)])
      .filter(([, why]) => why);
    expect(wrong).toEqual([]);
    expect(examples.length).toBeGreaterThan(30);
  });

  it('reports an invalid example', () => {
    const wrong = structuredClone(document);
    wrong['components'].schemas.QuoteReply.properties.pay_amount.examples = ['1.5'];
    const validate = validatorOf(wrong);
    const found = examplesOf(wrong['components'])
      .map(([pointer, value]) => [`/components${pointer}`, value] as const)
      .filter(([pointer]) => pointer.startsWith('/components/schemas/QuoteReply/'))
      .filter(([pointer, value]) => validate(pointer, value) !== '');
    expect(found).toEqual([['/components/schemas/QuoteReply/properties/pay_amount', '1.5']]);
  });

  it.each([
    ['of the product', document],
    ['of the samples', samples],
  ])('describes every reply, parameter and property, with an example: %s', (_name, json) => {
    const missing = objectsOf(json).flatMap(([pointer, object]) => {
      const isProperty = /\/properties\/[^/]+$/.test(pointer) && !pointer.includes('/examples/');
      const isParameter = /\/parameters\/\d+$/.test(pointer);
      const isReply = /\/responses\/\d+$/.test(pointer);
      const isContent = /\/content\/application~1json$/.test(pointer);
      const isComposed = ['$ref', 'allOf', 'anyOf', 'oneOf', 'properties', 'items'].some(
        (key) => key in object,
      );
      const lacks: string[] = [];
      if (
        (isProperty || isParameter || isReply) &&
        !('$ref' in object) &&
        !/\w/.test(object['description'] ?? '')
      )
        lacks.push(`${pointer} has no description`);
      if (
        isProperty &&
        !isComposed &&
        !('const' in object) &&
        object['type'] !== 'null' &&
        !object['examples']
      )
        lacks.push(`${pointer} has no example`);
      const hasExample = [object, isParameter ? object['schema'] : {}].some(
        (place: Json) => 'example' in place || 'examples' in place,
      );
      if ((isParameter || isContent) && !hasExample) lacks.push(`${pointer} has no example`);
      return lacks;
    });
    expect(missing).toEqual([]);
  });

  it('rejects undescribed fields', () => {
    // Newer versions may add fields to a failure.
    const isFailure = (name: string) =>
      name.endsWith('Error') && name !== 'QuoteError' && name !== 'StreamError';
    const open = Object.entries<Json>(document['components'].schemas)
      .filter(([name, schema]) => !isFailure(name) && !('oneOf' in schema))
      .filter(([, schema]) => schema['additionalProperties'] !== false)
      .map(([name]) => name);
    expect(open).toEqual([]);
  });

  it('describes each failure once as a shared schema, and stays below 1 MB', () => {
    const replies = Object.values<Json>(served['paths']).flatMap((item) =>
      Object.values<Json>(item).flatMap(({ responses }) => Object.entries<Json>(responses as Json)),
    );
    const failures = replies.filter(([status, { content }]) => Number(status) >= 400 && !content);
    const names = failures.map(([, { $ref }]) => ($ref as string).replace('#/components/responses/', ''));
    const { responses } = served['components'];
    expect([...new Set(names)].sort()).toEqual(Object.keys(responses).sort());
    const texts = Object.values(responses).map((response) => JSON.stringify(response));
    expect(new Set(texts).size).toBe(texts.length);
    expect(names.length).toBeGreaterThan(10 * texts.length);
    expect(JSON.stringify(served).length).toBeLessThan(1_000_000);
  });

  it('omits path fields from the body', () => {
    const { properties } = document['components'].schemas.ReportTransactionRequest;
    expect(Object.keys(properties)).toEqual(['tx_hash']);
  });

  it('rejects two schemas with the same name', () => {
    const same = (): new () => object => {
      class Twin {
        @Text('A field', { example: 'x' })
        field: string;
      }
      return Twin;
    };
    class Holder {
      @Nested(same, 'One of two')
      twin: object;
    }
    const clash = feature('a', 'a', 'A', {
      one: operation('POST /one', {
        summary: 'One',
        input: same(),
        output: Holder,
        auth: 'public',
      }),
    });
    expect(() => documentOf([clash as unknown as Feature])).toThrow('two different schemas are called Twin');
  });
});

describe('operations in the OpenAPI document', () => {
  const described = Object.values<Json>(document['paths']).flatMap((item) => Object.values<Json>(item));

  it('have a unique operationId that is not the name of another operation', () => {
    const ids = described.map(({ operationId }) => operationId as string);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
    expect(document['paths']['/card/get-card'].post.operationId).toBe('buyCard');
  });

  it('have a described tag that is not the name of a service', () => {
    const names = document['tags'].map(({ name }: Json) => name as string);
    expect([...names].sort()).toEqual(Object.keys(tags).sort());
    for (const { description } of document['tags'])
      expect(description).not.toMatch(/service-api|tx-engine|pay-orders|Answered by/);
  });

  it('list the error codes of each status, with a type for the details of each code', () => {
    const { schema } =
      document['paths']['/api/v1/pay/create-order'].post.responses[403].content['application/json'];
    expect(Object.keys(schema.discriminator.mapping)).toEqual(['BUDGET_EXCEEDED', 'MAX_PER_TX_EXCEEDED']);
    const { properties } = document['components'].schemas.ValidationError;
    expect(properties.code.enum).toEqual(['VALIDATION_ERROR']);
    expect(properties.details.type).toBe('array');
  });

  it('declare alternatives so that generated types narrow: forms of a request, replies by method', () => {
    const { schemas } = document['components'];
    expect(schemas.SwapQuoteRequest.oneOf).toHaveLength(2);
    expect(schemas.SwapQuoteByInput.required).toEqual(['inputToken', 'outputToken', 'inputAmount']);
    expect(Object.keys(schemas.SwapQuoteByTokenIn.properties)).not.toContain('inputToken');
    expect(schemas.CreateOrderReply.discriminator.propertyName).toBe('method');
    const { direct, cross_chain: absent } = schemas.DirectOrderCreated.properties;
    expect([direct.oneOf, direct.allOf.length, absent.type]).toEqual([undefined, 1, 'null']);
    expect(schemas.CrossChainOrderCreated.properties.method.enum).toEqual(['CrossChain']);
  });

  it('describe the decimals of amounts in JSON numbers', () => {
    const { amount } = document['components'].schemas.GetCardRequest.properties;
    expect(amount).toMatchObject({ type: 'number', format: 'double' });
    expect(amount.description).toMatch(/a JSON number with at most 15 digits and 2 decimals$/);
  });

  it('link every value to the field of the operation that accepts it', () => {
    for (const operation of offered(features))
      for (const { to, field } of linksOf(operation)) {
        const { parameters, requestBody } = document['paths'][to.path][to.method.toLowerCase()];
        const [name] = field.split('/');
        const inBody = requestBody?.content['application/json'].schema.$ref?.split('/').at(-1);
        const names = (parameters ?? []).map((parameter: Json) => parameter['name']);
        const fields = inBody ? Object.keys(document['components'].schemas[inBody].properties) : [];
        expect([...names, ...fields]).toContain(name);
      }
  });
});

describe('envelopes in the OpenAPI document', () => {
  it('occur only in operations of that style', () => {
    const { get } = samples['paths']['/v1/samples/{id}'];
    expect(get.responses['404'].content['application/json'].schema.properties.error).toMatchObject({
      $ref: '#/components/schemas/EnvelopedNotFoundError',
    });
    expect(get.responses['200'].content['application/json'].schema.properties.data).toEqual({
      $ref: '#/components/schemas/SampleReply',
    });
    expect(samples['paths']['/samples'].get.responses['400'].content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ValidationError',
    });
  });

  it.each([
    ['GET', '/v1/samples/{id}', '/v1/samples/1'],
    ['GET', '/v1/samples/{id}', '/v1/samples/1?view=a&view=b'],
    ['POST', '/v1/samples', '/v1/samples?x=1'],
    ['PUT', '/samples/{id}', '/samples/1?x=1'],
    ['DELETE', '/samples/{id}', '/samples/1'],
    ['DELETE', '/samples/{id}', `/samples/${'x'.repeat(300)}`],
  ])('match the actual replies of their routes, like bare replies: %s %s', async (method, path, url) => {
    const harness = await GatewayHarness.open();
    const { statusCode, body } = await harness.send(method, url);
    const pointer = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${statusCode}/content/application~1json/schema`;
    expect(validatorOf(samples)(pointer, JSON.parse(body))).toBe('');
    await harness.close();
  });
});
