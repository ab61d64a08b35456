export { Cooldown, maxCooldownAloneMs, maxCooldownMs, type UnhealthyReason } from './cooldown';
export { showNodes, type NodeState } from './node-metrics';
export { NodePool, type NodeHealth, type NodePoolOptions, type UnhealthyNode } from './node-pool';
