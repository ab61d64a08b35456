export { settings } from './config';
export { start, type RunningStream } from './start';
