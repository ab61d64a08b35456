export { asyncApiDocument } from './asyncapi/document';
export { exampleEvent } from './asyncapi/example-event';
export { settings } from './config';
export { openApiDocument } from './openapi/document';
export { errorReference } from './openapi/error-reference';
export { errorsOf } from './openapi/replies';
export { exampleOf } from '@tollbridge/bus';
export { start, type RunningGateway } from './start';
export { version } from './version';
