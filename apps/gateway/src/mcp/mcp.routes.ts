import { Text } from '@tollbridge/rpc';
import { declareRoute, type OwnRoute } from '../routes/gateway-route';

export class McpQuery {
  @Text('Only the tools of these features, comma-separated', {
    optional: true,
    maxLength: 512,
    pattern: /^[a-z-]+(,[a-z-]+)*$/,
    patternMessage: 'must be names of features, separated by commas',
    example: 'sms,gift',
  })
  features?: string;
}

/** The Model Context Protocol describes this route, so the OpenAPI document omits it. */
export const mcpEndpoint: OwnRoute = {
  kind: 'own',
  isAdmitted: true,
  declaration: declareRoute('mcp', 'exchangeMessage', {
    method: 'POST',
    path: '/mcp',
    summary: 'Exchange a message of the Model Context Protocol',
    input: McpQuery,
    errors: ['FORBIDDEN', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
  }),
};

export const mcpRoutes = [mcpEndpoint];
