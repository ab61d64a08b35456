/** The request and the deployment of all examples in the document. */
export const exampleContext = {
  requestId: 'req_9f86d081884c7d659a2feaa0',
  publicUrl: 'https://api.example.com',
};

/** A fixed time, so that the document is the same after each generation. */
export const timestampExample = '2026-11-20T12:00:00.000Z';
