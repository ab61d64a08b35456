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
