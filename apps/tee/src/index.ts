export { settings } from './config';
export { start } from './start';
