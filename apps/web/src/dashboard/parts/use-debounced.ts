import { useEffect, useState } from 'react';

const pauseMs = 350;

/**
 * Returns the value after it was unchanged for a short pause, so that typing does not cause a request for each letter.
 */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
