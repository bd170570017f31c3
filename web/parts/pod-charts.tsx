import type { PodDetail } from '../../src/apis/dashboard.ts'
import { Chart } from '../charts/chart.tsx'
import { useSpan } from '../live/page.ts'
import { cpu, latency, ratio } from '../model/format.ts'

/** CPU, throttling and latency of a pod, below each other on one time axis. */
export function PodCharts({ view }: { readonly view: PodDetail }) {
  const { history, row } = view
  const span = useSpan(view.at)
  const { targetMillis } = row
  const hasLatency = targetMillis !== undefined || history.p99Millis.some((p99) => p99 !== null)
  return (
    <div class="charts">
      <Chart
        title="CPU"
        at={history.at}
        span={span}
        height={280}
        lines={[
          { name: 'used', values: history.used, colour: 'used', write: cpu, shape: 'area' },
          { name: 'demand', values: history.demand, colour: 'demand', write: cpu },
          { name: 'need', values: history.need, colour: 'need', write: cpu, shape: 'steps' },
          {
            name: 'request',
            values: history.request,
            colour: 'request',
            write: cpu,
            shape: 'steps',
          },
          { name: 'quota', values: history.quota, colour: 'quota', write: cpu, shape: 'dashes' },
          { name: 'limit', values: history.limit, colour: 'limit', write: cpu, shape: 'steps' },
        ]}
      />
      <Chart
        title="Throttled periods"
        at={history.at}
        span={span}
        height={90}
        top={1}
        hasTimes={!hasLatency}
        lines={[
          {
            name: 'throttled',
            values: history.throttledRatio,
            colour: 'bad',
            write: ratio,
            shape: 'area',
          },
        ]}
      />
      {hasLatency && (
        <Chart
          title="Latency"
          at={history.at}
          span={span}
          height={130}
          hasTimes
          lines={[
            { name: 'p99', values: history.p99Millis, colour: 'used', write: latency },
            ...(targetMillis === undefined
              ? []
              : [
                  {
                    name: 'target',
                    values: history.at.map(() => targetMillis),
                    colour: 'limit',
                    write: latency,
                    shape: 'dashes',
                  } as const,
                ]),
          ]}
        />
      )}
    </div>
  )
}
