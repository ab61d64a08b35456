/** Number of shards of the open sets: the maximum of replicas that poll sets at the same time. */
export const shardCount = 8;

/** Returns the shard of a set, from the last byte of its random id. */
export const shardOf = (id: string): number => Number.parseInt(id.slice(-2), 16) % shardCount;

/** SQL expression of `shardOf`. */
export const shardColumn = `get_byte(uuid_send(id), 15) % ${shardCount}`;
