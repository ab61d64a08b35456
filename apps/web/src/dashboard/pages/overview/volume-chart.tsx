import type * as sdk from '@tollbridge/sdk';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatUsd, sumOf } from '../../format/amounts';
import styles from './overview.module.css';

type Day = sdk.DailyVolume;

const halfDaySeconds = 43_200;

/** Bars of thirty days. The text for screen readers contains the sum and the best day. */
export function VolumeChart({ days }: { days: readonly Day[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = JSON.stringify(days);
  useEffect(() => {
    const element = frame.current!;
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    let plot = draw(element, JSON.parse(shown) as Day[]);
    const redraw = () => {
      plot.destroy();
      plot = draw(element, JSON.parse(shown) as Day[]);
    };
    const sizes = new ResizeObserver(() => plot.setSize(sizeOf(element)));
    sizes.observe(element);
    dark.addEventListener('change', redraw);
    return () => {
      sizes.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [shown]);
  const total = sumOf(days.map(({ volumeUsd }) => volumeUsd));
  return (
    <div
      ref={frame}
      className={styles.chart}
      role="img"
      aria-label={`${formatUsd(total)} in ${days.length} days`}
    />
  );
}

const sizeOf = ({ clientWidth: width, clientHeight: height }: HTMLElement) => ({ width, height });

function draw(element: HTMLElement, days: readonly Day[]): uPlot {
  const colour = (name: string) => getComputedStyle(element).getPropertyValue(name).trim();
  const axis = { stroke: colour('--soft'), ticks: { show: false }, font: '12px system-ui' };
  const bars = uPlot.paths.bars!({ size: [0.7, 28], radius: 0.15 });
  const options: uPlot.Options = {
    ...sizeOf(element),
    padding: [8, 16, 0, 0],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { show: false },
    legend: { show: false },
    scales: {
      x: { range: (_plot, first, last) => [first - halfDaySeconds, last + halfDaySeconds] },
      y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
    },
    axes: [
      { ...axis, size: 32, grid: { show: false }, values: (_plot, seconds) => seconds.map(dayOf) },
      {
        ...axis,
        size: 56,
        grid: { stroke: colour('--line'), width: 1 },
        values: (_plot, dollars) => dollars.map(axisUsd),
      },
    ],
    series: [
      {},
      {
        fill: colour('--accent'),
        stroke: colour('--accent'),
        width: 0,
        paths: bars,
        points: { show: false },
      },
    ],
  };
  return new uPlot(options, [days.map(secondsOf), days.map(heightOf)], element);
}

const secondsOf = ({ date }: Day): number => Date.parse(date) / 1000;
// The value only determines pixels, so the precision of a number suffices.
const heightOf = ({ volumeUsd }: Day): number => Number(volumeUsd);

const dayOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });
const axisUsd = (dollars: number): string => `$${short.format(dollars)}`;
