/** At most `burst` requests in any 60 seconds, and `perMinute` in the long run. */
export interface Rate {
  perMinute: number;
  burst: number;
}

/** The requests that a rate allows at once, and the time until they refill. */
export interface Quota {
  requests: number;
  windowMs: number;
}

const minuteMs = 60_000;

/** The capacity of the bucket. The capacity plus the refill of one minute is the burst. */
const bucketOf = ({ perMinute, burst }: Rate): number => burst - perMinute;

export function quotaOf(rate: Rate): Quota {
  const bucket = bucketOf(rate);
  return bucket > 0
    ? { requests: bucket, windowMs: (minuteMs * bucket) / rate.perMinute }
    : { requests: rate.burst, windowMs: minuteMs };
}

// Microseconds since 1970, which a double represents exactly. Tests pass a time of their own.
const nowLua = `
  local now = tonumber(ARGV[3])
  if not now then
    local time = redis.call('TIME')
    now = time[1] * 1000000 + time[2]
  end`;

/**
 * A token bucket, stored as one number: the time when it is full. Each request adds the interval between two requests
 * to that time. A request is rejected when the bucket would then need longer to fill than an empty one. The script is
 * atomic and uses the server's clock. So all replicas share the bucket, and concurrent requests never share a token.
 * ARGV: interval, requests in a full bucket, now. Returns: allowed, remaining, time to wait, time until full.
 */
export const bucketScript = `${nowLua}
  local interval = tonumber(ARGV[1])
  local span = interval * tonumber(ARGV[2])
  local full = tonumber(redis.call('GET', KEYS[1]) or now) or now
  -- After the clock was set back, a caller waits no longer than an empty bucket takes to fill.
  full = math.max(now, math.min(full, now + span))
  local isAllowed = full + interval - now <= span
  if isAllowed then
    full = full + interval
    redis.call('SET', KEYS[1], string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000))
  end
  local left = span - (full - now)
  return { isAllowed and 1 or 0, math.floor(left / interval), math.max(0, interval - left), full - now }`;

// The maximum number of list entries. Above it, requests that are close to each other share an entry.
const maxEntries = 1_000;
const minuteMicros = minuteMs * 1_000;

/**
 * Counts the requests of the last 60 seconds, for a rate with a burst that does not exceed its long-run rate. A bucket
 * cannot allow the whole burst at once and the whole rate later. The list contains `time:before:after`, newest first:
 * the number of requests before that time, and up to it.
 * ARGV: width of a slot, requests in 60 seconds, now. Returns the same as `bucketScript`.
 */
export const windowScript = `${nowLua}
  local slot = tonumber(ARGV[1])
  local most = tonumber(ARGV[2])
  local read = function(at)
    local text = redis.call('LINDEX', KEYS[1], at)
    local time, before, after = string.match(text or '', '^(%d+):(%d+):(%d+)$')
    return tonumber(time), tonumber(before), tonumber(after)
  end
  -- All requests of a slot count as sent at its end.
  local now_slot = math.ceil(now / slot) * slot
  local newest, newest_before, last = read(0)
  if not newest or newest > now_slot then
    -- Empty, or the clock was set back.
    redis.call('DEL', KEYS[1])
    newest, newest_before, last = nil, 0, 0
  end
  local oldest, first = read(-1)
  while oldest and oldest + ${minuteMicros} < now do
    redis.call('RPOP', KEYS[1])
    oldest, first = read(-1)
  end
  local used = last - (first or last)
  local isAllowed = used < most
  if isAllowed then
    if oldest and newest == now_slot then
      redis.call('LSET', KEYS[1], 0, string.format('%.0f:%.0f:%.0f', now_slot, newest_before, last + 1))
    else
      redis.call('LPUSH', KEYS[1], string.format('%.0f:%.0f:%.0f', now_slot, last, last + 1))
    end
    newest, used = now_slot, used + 1
    oldest = oldest or now_slot
    redis.call('PEXPIRE', KEYS[1], math.ceil((newest - now) / 1000) + ${minuteMs + 1})
  end
  local wait = used < most and 0 or oldest + ${minuteMicros} + 1 - now
  return { isAllowed and 1 or 0, math.max(0, most - used), wait, newest + ${minuteMicros} + 1 - now }`;

/** How a rate is counted: the script and its first two arguments. */
export interface Counting {
  script: 'bucket' | 'window';
  unitMicros: number;
  requests: number;
}

export function countingOf(rate: Rate): Counting {
  const bucket = bucketOf(rate);
  if (bucket > 0)
    return { script: 'bucket', unitMicros: Math.ceil(minuteMicros / rate.perMinute), requests: bucket };
  const unitMicros = rate.burst <= maxEntries ? 1 : minuteMicros / maxEntries;
  return { script: 'window', unitMicros, requests: rate.burst };
}
