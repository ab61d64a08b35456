import { transactionStream } from '@tollbridge/contracts';
import { declareRoute, type OwnRoute } from '../routes/gateway-route';

export const streamRoutes: readonly OwnRoute[] = [
  {
    kind: 'own',
    isAdmitted: false,
    // Failures below /v1/ have an envelope.
    failureStyle: 'envelope',
    declaration: declareRoute('stream', 'openStream', {
      method: 'GET',
      path: transactionStream.path,
      errors: ['UPGRADE_REQUIRED'],
      summary: transactionStream.summary,
      operationId: 'openTransactionStream',
      description: `A WebSocket: connect with \`ws://\` or \`wss://\`. Its messages are in /asyncapi.json. ${transactionStream.description}`,
    }),
    documentation: {
      tag: 'Swaps',
      replies: { 101: { description: 'The connection is a WebSocket from now on' } },
    },
  },
];
