// Loads the checkout module after the first paint: on a slow network it would delay the paint by its size.
const longestWaitMs = 3_000;

let isLoading = false;

function load(): void {
  if (isLoading) return;
  isLoading = true;
  const { modules = '' } = document.querySelector<HTMLScriptElement>('script[data-modules]')!.dataset;
  // All at once: each would only start after the one that imports it.
  for (const url of modules.split(' ')) void import(/* @vite-ignore */ url);
}

if (PerformanceObserver.supportedEntryTypes.includes('paint')) {
  new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
  // A covered window is not painted, but follows its payment.
  setTimeout(load, longestWaitMs);
} else load();
