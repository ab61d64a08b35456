import { useSyncExternalStore } from 'react';
import { formatAge, formatTime } from '../format/times';

const tickMs = 10_000;
let nowMs = Date.now();
const subscribe = (onChange: () => void) => {
  const timer = setInterval(() => {
    nowMs = Date.now();
    onChange();
  }, tickMs);
  return () => clearInterval(timer);
};

/** The current time, updated every ten seconds. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => nowMs);

/** When something is due. A past time is shown as imminent. */
export function Due({ at }: { at: string }) {
  return useNow() >= Date.parse(at) ? <>Now</> : <Age at={at} />;
}

/** The age of a time, with the time itself in the title. */
export function Age({ at }: { at: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatTime(at)}>
      {formatAge(at, now)}
    </time>
  );
}
