/** Shards of the open sets: the most replicas of tx-engine that follow sets at the same time. */
export const shardCount = 8;

/** The shard of a set, by the last byte of its random id. */
export const shardOf = (id: string): number => Number.parseInt(id.slice(-2), 16) % shardCount;

/** The same in SQL. */
export const shardColumn = `get_byte(uuid_send(id), 15) % ${shardCount}`;
