// Loads the checkout module after the first paint, because its size would delay the paint on a slow network.
const longestWaitMs = 3_000;

let isLoading = false;

function load(): void {
  if (isLoading) return;
  isLoading = true;
  const { modules = '' } = document.querySelector<HTMLScriptElement>('script[data-modules]')!.dataset;
  // All at once, because each would otherwise start only after the module that imports it.
  for (const url of modules.split(' ')) void import(/* @vite-ignore */ url);
}

if (PerformanceObserver.supportedEntryTypes.includes('paint')) {
  new PerformanceObserver(load).observe({ type: 'paint', buffered: true });
  // A covered window is not painted, but must still show changes of its payment.
  setTimeout(load, longestWaitMs);
} else load();
