// npm passes the terminal's Ctrl-C on, so that it arrives twice; a person needs longer to press it again.
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
