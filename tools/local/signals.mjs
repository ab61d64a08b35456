// npm forwards the terminal's Ctrl-C, so it arrives twice. A person needs more time to press it again.
const repeatMs = 700;

/**
 * Calls `stop` at the first Ctrl-C (or SIGTERM, or a closed terminal), and `force` at the second.
 * @param {() => void} stop
 * @param {() => void} force
 */
export function onStopSignal(stop, force) {
  let firstMs = 0;
  const take = () => {
    const nowMs = performance.now();
    if (firstMs === 0) {
      firstMs = nowMs;
      stop();
    } else if (nowMs - firstMs > repeatMs) force();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, take);
}
