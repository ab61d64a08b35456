export { settings } from './config';
export {
  startOneClick,
  type DepositName,
  type OneClickOptions,
  type RunningOneClick,
} from './oneclick/start-oneclick';
export {
  startSwapSimulators,
  type RunningSwapSimulators,
  type SwapSimulatorsOptions,
} from './simulators/start-swap-simulators';
export { start } from './start';
