export { settings } from './config';
export {
  startOneClick,
  type DepositName,
  type OneClickOptions,
  type RunningOneClick,
} from './oneclick/start-oneclick';
export { start } from './start';
