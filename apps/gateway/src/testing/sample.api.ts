import {
  anyObject,
  AnyObject,
  feature,
  Integer,
  listOf,
  ListOf,
  merchantAuth,
  operation,
  Text,
} from '@tollbridge/rpc';

/** A feature for tests, with one operation of each kind. */

export class SampleRequest {
  @Text('A name', { example: 'blue' })
  name: string;
  @Integer('How many', { optional: true, example: 2 })
  count?: number;
}

export class NamedSampleRequest extends SampleRequest {
  @Text('The sample', { example: 'sample-1' })
  id: string;
}

// A body is described by the name of its class, so each operation has a class of its own.
export class BoughtSampleRequest extends NamedSampleRequest {}
export class SignInSampleRequest extends SampleRequest {}
export class RenamedSampleRequest extends NamedSampleRequest {}

export class SampleQuery {
  @Text('The sample', { example: 'sample-1' })
  id: string;
  @Text('The view of it', { optional: true, example: 'short' })
  view?: string;
  @Text('What opens it', { optional: true, hasNoSpaces: true, header: 'x-sample-token', example: 'abc' })
  token?: string;
}

export class SamplesQuery {
  @Text('Part of the name', { optional: true, example: 'bl' })
  name?: string;
  @ListOf('string', 'Any of these', { optional: true, maxItems: 3, example: ['dark'] })
  tag?: string[];
}

export class NoSampleQuery {}

export class SamplePagesQuery {
  @Integer('How many', { optional: true, min: 1, example: 2 })
  limit?: number;
  @Text('Where the page begins', { optional: true, example: 'sample-1' })
  cursor?: string;
}

export class SampleNotesRequest {
  @Text('The sample', { example: 'sample-1' })
  id: string;
  @AnyObject('Notes', { maxBytes: 1_000, maxDepth: 3, example: { taste: 'good' } })
  notes: Record<string, unknown>;
}

export class SampleReply {
  @Text('The sample', { example: 'sample-1' })
  id: string;
}

export const samplesApi = feature('samples', 'samples', 'Samples', {
  createSample: operation('POST /v1/samples', {
    summary: 'Create a sample',
    input: SampleRequest,
    output: SampleReply,
    errors: ['CONFLICT'],
    auth: 'public',
    style: 'envelope',
  }),
  readSample: operation('GET /v1/samples/{id}', {
    summary: 'Read a sample',
    input: SampleQuery,
    output: SampleReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
    style: 'envelope',
  }),
  changeSample: operation('PUT /samples/{id}', {
    summary: 'Change a sample',
    input: NamedSampleRequest,
    output: SampleReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  deleteSample: operation('DELETE /samples/{id}', {
    summary: 'Delete a sample',
    input: SampleQuery,
    output: SampleReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  priceSample: operation('GET /v1/samples/{id}/price', {
    summary: 'Read the price of a sample',
    input: SampleQuery,
    output: SampleReply,
    auth: { key: 'publishable', permission: 'read' },
    style: 'envelope',
  }),
  buySample: operation('POST /v1/samples/{id}/buy', {
    summary: 'Buy a sample',
    input: BoughtSampleRequest,
    output: SampleReply,
    errors: ['BUDGET_EXCEEDED'],
    auth: { key: 'secret', permission: 'pay' },
    style: 'envelope',
    hoisted: 'id',
  }),
  renameSample: operation('PUT /samples/{id}/name', {
    summary: 'Rename a sample',
    input: RenamedSampleRequest,
    output: SampleReply,
    auth: { key: 'publishable', permission: 'write' },
    isCostly: false,
  }),
  listSamples: operation('GET /samples', {
    summary: 'List samples',
    input: SamplesQuery,
    output: SampleReply,
    auth: 'public',
  }),
  ownSamples: operation('GET /samples/own', {
    summary: 'List the samples of a wallet',
    input: NoSampleQuery,
    output: listOf(SampleReply),
    auth: { wallet: true },
  }),
  allSamples: operation('GET /samples/all', {
    summary: 'List all samples',
    input: SamplePagesQuery,
    output: listOf(SampleReply),
    auth: 'public',
    isWholeList: true,
  }),
  awaitSample: operation('GET /samples/next', {
    summary: 'Wait for the next sample',
    input: NoSampleQuery,
    output: SampleReply,
    auth: 'public',
    endsWithCaller: true,
  }),
  signInSample: operation('POST /samples/sign-in', {
    summary: 'Sign in',
    input: SignInSampleRequest,
    output: SampleReply,
    errors: ['UNAUTHORIZED'],
    auth: 'public',
    isSignIn: true,
  }),
  storeNotes: operation('PUT /samples/{id}/notes', {
    summary: 'Store notes on a sample',
    input: SampleNotesRequest,
    body: 'notes',
    output: anyObject('The notes', { taste: 'good' }),
    auth: merchantAuth('write'),
  }),
});
