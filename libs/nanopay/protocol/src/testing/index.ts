export { aChargeItem } from './charge-item.builder';
export { aRejectedOutcome } from './rejected-outcome.builder';
