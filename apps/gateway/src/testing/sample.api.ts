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

/** A feature of no app: one operation of each kind, for tests. */

export class SampleRequest {
  @Text({ description: 'A name', example: 'blue' })
  name: string;
  @Integer({ description: 'How many', optional: true, example: 2 })
  count?: number;
}

export class NamedSampleRequest extends SampleRequest {
  @Text({ description: 'The sample', example: 'sample-1' })
  id: string;
}

// A body is described by the name of its class, so each operation has a class of its own.
export class BoughtSampleRequest extends NamedSampleRequest {}
export class SignInSampleRequest extends SampleRequest {}
export class RenamedSampleRequest extends NamedSampleRequest {}

export class SampleQuery {
  @Text({ description: 'The sample', example: 'sample-1' })
  id: string;
  @Text({ description: 'The view of it', optional: true, example: 'short' })
  view?: string;
  @Text({
    description: 'What opens it',
    optional: true,
    hasNoSpaces: true,
    header: 'x-sample-token',
    example: 'abc',
  })
  token?: string;
}

export class SamplesQuery {
  @Text({ description: 'Part of the name', optional: true, example: 'bl' })
  name?: string;
  @ListOf('string', { description: 'Any of these', optional: true, maxItems: 3, example: ['dark'] })
  tag?: string[];
}

export class NoSampleQuery {}

export class SamplePagesQuery {
  @Integer({ description: 'How many', optional: true, min: 1, example: 2 })
  limit?: number;
  @Text({ description: 'Where the page begins', optional: true, example: 'sample-1' })
  cursor?: string;
}

export class SampleNotesRequest {
  @Text({ description: 'The sample', example: 'sample-1' })
  id: string;
  @AnyObject({ description: 'Notes', maxBytes: 1_000, maxDepth: 3, example: { taste: 'good' } })
  notes: Record<string, unknown>;
}

export class SampleReply {
  @Text({ description: 'The sample', example: 'sample-1' })
  id: string;
}

export const samplesApi = feature('samples', 'samples', 'Samples', {
  createSample: operation({
    method: 'POST',
    path: '/v1/samples',
    summary: 'Create a sample',
    input: SampleRequest,
    output: SampleReply,
    errors: ['CONFLICT'],
    auth: 'public',
    style: 'envelope',
  }),
  readSample: operation({
    method: 'GET',
    path: '/v1/samples/{id}',
    summary: 'Read a sample',
    input: SampleQuery,
    output: SampleReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
    style: 'envelope',
  }),
  changeSample: operation({
    method: 'PUT',
    path: '/samples/{id}',
    summary: 'Change a sample',
    input: NamedSampleRequest,
    output: SampleReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  deleteSample: operation({
    method: 'DELETE',
    path: '/samples/{id}',
    summary: 'Delete a sample',
    input: SampleQuery,
    output: SampleReply,
    errors: ['NOT_FOUND'],
    auth: 'public',
  }),
  priceSample: operation({
    method: 'GET',
    path: '/v1/samples/{id}/price',
    summary: 'Read the price of a sample',
    input: SampleQuery,
    output: SampleReply,
    errors: [],
    auth: { key: 'publishable', permission: 'read' },
    style: 'envelope',
  }),
  buySample: operation({
    method: 'POST',
    path: '/v1/samples/{id}/buy',
    summary: 'Buy a sample',
    input: BoughtSampleRequest,
    output: SampleReply,
    errors: ['BUDGET_EXCEEDED'],
    auth: { key: 'secret', permission: 'pay' },
    style: 'envelope',
    hoisted: 'id',
  }),
  renameSample: operation({
    method: 'PUT',
    path: '/samples/{id}/name',
    summary: 'Rename a sample',
    input: RenamedSampleRequest,
    output: SampleReply,
    errors: [],
    auth: { key: 'publishable', permission: 'write' },
    isCostly: false,
  }),
  listSamples: operation({
    method: 'GET',
    path: '/samples',
    summary: 'List samples',
    input: SamplesQuery,
    output: SampleReply,
    errors: [],
    auth: 'public',
  }),
  ownSamples: operation({
    method: 'GET',
    path: '/samples/own',
    summary: 'List the samples of a wallet',
    input: NoSampleQuery,
    output: listOf(SampleReply),
    errors: [],
    auth: { wallet: true },
  }),
  allSamples: operation({
    method: 'GET',
    path: '/samples/all',
    summary: 'List all samples',
    input: SamplePagesQuery,
    output: listOf(SampleReply),
    errors: [],
    auth: 'public',
    isWholeList: true,
  }),
  awaitSample: operation({
    method: 'GET',
    path: '/samples/next',
    summary: 'Wait for the next sample',
    input: NoSampleQuery,
    output: SampleReply,
    errors: [],
    auth: 'public',
    endsWithCaller: true,
  }),
  signInSample: operation({
    method: 'POST',
    path: '/samples/sign-in',
    summary: 'Sign in',
    input: SignInSampleRequest,
    output: SampleReply,
    errors: ['UNAUTHORIZED'],
    auth: 'public',
    isSignIn: true,
  }),
  storeNotes: operation({
    method: 'PUT',
    path: '/samples/{id}/notes',
    summary: 'Store notes on a sample',
    input: SampleNotesRequest,
    body: 'notes',
    output: anyObject('The notes', { taste: 'good' }),
    errors: [],
    auth: merchantAuth('write'),
  }),
});
