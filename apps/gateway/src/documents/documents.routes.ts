import { errorsPath } from '../http/replies';
import { openRoute, type OwnRoute } from '../routes/gateway-route';

export const documentRoutes: readonly OwnRoute[] = [
  openRoute('documents', 'readOpenApi', '/openapi.json', 'Read the OpenAPI document'),
  openRoute('documents', 'readAsyncApi', '/asyncapi.json', 'Read the AsyncAPI document'),
  openRoute('documents', 'openDocs', '/docs', 'Open the API reference'),
  openRoute('documents', 'openErrors', errorsPath, 'Open the reference of error codes'),
  openRoute('documents', 'openGroup', '/docs/{group}', 'Open the reference of a group of operations'),
];
