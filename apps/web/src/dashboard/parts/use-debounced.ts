import { useEffect, useState } from 'react';

const pauseMs = 350;

/** The value after it has not changed for a moment, so that typing does not call the server for each letter. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
