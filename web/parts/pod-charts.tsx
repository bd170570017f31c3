import type { PodDetail } from '../../src/apis/dashboard.ts'
import { Chart } from '../charts/chart.tsx'
import type { Line } from '../charts/line.ts'
import { useSpan } from '../live/page.ts'
import { cpu, latency, ratio } from '../model/format.ts'

/** CPU, waiting and latency of a pod, below each other on one time axis. */
export function PodCharts({ view }: { readonly view: PodDetail }) {
  const { history, row } = view
  const span = useSpan(view.at)
  const { targetMillis } = row
  const hasLatency = targetMillis !== undefined || isKnown(history.p99Millis)
  return (
    <div class="charts">
      <Chart title="CPU" at={history.at} span={span} height={280} lines={cpuLines(view)} />
      <Chart
        title={row.isStrict === true ? 'Throttled periods' : 'Waiting for a CPU'}
        at={history.at}
        span={span}
        height={90}
        top={1}
        hasTimes={!hasLatency}
        lines={[
          row.isStrict === true
            ? held('throttled', history.throttledRatio)
            : held('waits', history.waitedRatio),
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

type Values = Line['values']

const isKnown = (values: Values): boolean => values.some((value) => value !== null)

const held = (name: string, values: Values): Line => ({
  name,
  values,
  colour: 'bad',
  write: ratio,
  shape: 'area',
})

/** A ceiling is drawn only where there is one: the whole node is none. */
function cpuLines({ history, row: { isStrict = false } }: PodDetail): readonly Line[] {
  const { used, demand, gets, entitled, request, ceiling } = history
  const most = isStrict ? 'limit' : 'ceiling'
  return [
    { name: 'used', values: used, colour: 'used', write: cpu, shape: 'area' },
    { name: 'demand', values: demand, colour: 'demand', write: cpu },
    { name: 'gets', values: gets, colour: 'need', write: cpu, shape: 'steps' },
    { name: 'entitled', values: entitled, colour: 'quota', write: cpu, shape: 'dashes' },
    { name: 'request', values: request, colour: 'request', write: cpu, shape: 'steps' },
    ...(isKnown(ceiling)
      ? [{ name: most, values: ceiling, colour: 'limit', write: cpu, shape: 'steps' } as const]
      : []),
  ]
}
