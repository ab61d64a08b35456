import { DomainError } from '@tollbridge/rpc';
import { failureText } from './replies';

it.each(['https://api.example', 'https://api.example/', 'https://api.example//'])(
  'links to the documentation of a code below %s without an empty path segment',
  (publicUrl) => {
    const text = failureText('bare', new DomainError('NOT_FOUND'), { requestId: 'req_12345678', publicUrl });
    expect(JSON.parse(text)).toMatchObject({
      documentation_url: 'https://api.example/docs/errors#NOT_FOUND',
    });
  },
);
