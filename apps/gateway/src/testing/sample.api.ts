import { feature, Integer, ListOf, operation, Text } from '@tollbridge/bus';

/** A feature that no app offers: one operation of each kind that the gateway can meet. */

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
export class RenamedSampleRequest extends NamedSampleRequest {}

export class SampleQuery {
  @Text({ description: 'The sample', example: 'sample-1' })
  id: string;
  @Text({ description: 'The view of it', optional: true, example: 'short' })
  view?: string;
}

export class SamplesQuery {
  @Text({ description: 'Part of the name', optional: true, example: 'bl' })
  name?: string;
  @ListOf('string', { description: 'Any of these', optional: true, maxItems: 3, example: ['dark'] })
  tag?: string[];
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
    summary: 'Tell the price of a sample',
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
});
