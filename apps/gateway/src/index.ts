export { settings } from './config';
export { openApiDocument } from './openapi/document';
export { start, type RunningGateway } from './start';
