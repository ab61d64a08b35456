export { Cooldown, maxCooldownAloneMs, maxCooldownMs, type UnhealthyReason } from './cooldown';
export { mapBounded } from './map-bounded';
export { showNodes, type NodeState } from './node-metrics';
export { RangeLimit, readPart, type RangeState } from './range-limit';
export { NodePool, type NodeHealth, type NodePoolOptions, type UnhealthyNode } from './node-pool';
