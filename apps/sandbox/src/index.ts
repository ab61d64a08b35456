export { settings } from './config';
export { startOneClick, type RunningOneClick } from './oneclick/start-oneclick';
export { start } from './start';
