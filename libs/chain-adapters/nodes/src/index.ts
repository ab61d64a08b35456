export { Cooldown, maxCooldownAloneMs, maxCooldownMs, type UnhealthyReason } from './cooldown';
export { mapBounded } from './map-bounded';
export { showNodes, type NodeState } from './node-metrics';
export { NodePool, type NodeHealth, type NodePoolOptions, type UnhealthyNode } from './node-pool';
