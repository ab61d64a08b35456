export { settings } from './config';
export { migrations } from './migrations';
export { start } from './start';
