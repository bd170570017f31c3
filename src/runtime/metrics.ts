/**
 * Metrics in Prometheus' text format 0.0.4, declared once, where they are used:
 *
 *   const metrics = registry()
 *   const resizes = metrics.counter('mbcas_resize_total', 'Resizes by result.', ['result'])
 *   resizes.with({ result: 'applied' }).inc()
 *
 * A series appears when it is first used, except a counter without labels, which starts at 0.
 */
import {
  CounterSeries,
  GaugeSeries,
  type Head,
  HistogramSeries,
  type Series,
} from './metrics-series.ts'
import { labelTree, type LabelValues } from './metrics-tree.ts'

/** By 1 unless told, and never down. */
export type Counter = { readonly inc: (by?: number) => void }
export type Gauge = { readonly set: (value: number) => void }
export type Histogram = { readonly observe: (value: number) => void }

/** `remove` forgets a series whose object is gone; one that is kept and used on is not shown again. */
export type Labelled<L extends string, S> = {
  readonly with: (labels: Readonly<Record<L, string>>) => S
  readonly remove: (labels: Readonly<Record<L, string>>) => void
}

/** `buckets` are upper bounds, rising; +Inf is added. */
type Buckets = { readonly buckets: readonly number[] }
type BucketsAndLabels<L extends string> = Buckets & { readonly labels: readonly [L, ...L[]] }

export type Registry = {
  readonly counter: {
    (name: string, help: string): Counter
    <const L extends string>(
      name: string,
      help: string,
      labels: readonly [L, ...L[]],
    ): Labelled<L, Counter>
  }
  readonly gauge: {
    (name: string, help: string): Gauge
    <const L extends string>(
      name: string,
      help: string,
      labels: readonly [L, ...L[]],
    ): Labelled<L, Gauge>
  }
  readonly histogram: {
    <const L extends string>(
      name: string,
      help: string,
      shape: BucketsAndLabels<L>,
    ): Labelled<L, Histogram>
    (name: string, help: string, shape: Buckets): Histogram
  }
  readonly render: () => string
}

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8'

type Kind = 'counter' | 'gauge' | 'histogram'
type Declaration = {
  readonly kind: Kind
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
}

export function registry(): Registry {
  const taken = new Set<string>()
  const families: (() => string)[] = []

  function declare<S extends Series>(
    declaration: Declaration,
    build: (head: Head) => S,
  ): S | Labelled<string, S> {
    const { kind, name, help, labels } = declaration
    check(declaration, taken)
    const make = (values: LabelValues) => build(headOf(name, values))
    const show = (all: Iterable<S>) => {
      families.push(() => {
        let text = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${kind}\n`
        for (const series of all) text += series.render()
        return text
      })
    }
    const [first, ...others] = labels
    if (first === undefined) {
      const series = make({})
      show([series])
      return series
    }
    const tree = labelTree([first, ...others], make)
    show(tree.all)
    return { with: tree.at, remove: tree.remove }
  }

  return {
    counter: ((name: string, help: string, labels: readonly string[] = []) =>
      declare(
        { kind: 'counter', name, help, labels },
        (head) => new CounterSeries(name, head),
      )) as Registry['counter'],
    gauge: ((name: string, help: string, labels: readonly string[] = []) =>
      declare(
        { kind: 'gauge', name, help, labels },
        (head) => new GaugeSeries(head),
      )) as Registry['gauge'],
    histogram: ((name: string, help: string, shape: Buckets & { labels?: readonly string[] }) => {
      const { buckets, labels = [] } = shape
      checkBuckets(name, buckets)
      return declare(
        { kind: 'histogram', name, help, labels },
        (head) => new HistogramSeries(buckets, head),
      )
    }) as Registry['histogram'],
    render: () => families.map((render) => render()).join(''),
  }
}

function headOf(name: string, values: LabelValues): Head {
  const pairs = Object.entries(values).map(([label, value]) => `${label}="${escapeLabel(value)}"`)
  return (suffix, label) => {
    const inside = label === undefined ? pairs : [...pairs, label]
    return `${name}${suffix}${inside.length === 0 ? '' : `{${inside.join(',')}}`} `
  }
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')

const metricName = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const labelName = /^(?!__)[a-zA-Z_][a-zA-Z0-9_]*$/

function check({ kind, name, labels }: Declaration, taken: Set<string>): void {
  const refuse = (expected: string) => new Error(`declaring metric "${name}": ${expected}`)
  if (!metricName.test(name)) throw refuse(`expected a name that matches ${metricName.source}`)
  for (const label of labels) {
    if (!labelName.test(label) || (kind === 'histogram' && label === 'le')) {
      throw refuse(`expected labels that Prometheus does not use itself, got "${label}"`)
    }
  }
  if (new Set(labels).size < labels.length) throw refuse('expected each label once')
  const suffixes = kind === 'histogram' ? ['', '_bucket', '_sum', '_count'] : ['']
  for (const lines of suffixes.map((suffix) => `${name}${suffix}`)) {
    if (taken.has(lines)) throw refuse(`another metric has lines named "${lines}"`)
    taken.add(lines)
  }
}

function checkBuckets(name: string, buckets: readonly number[]): void {
  const rises = buckets.every((bound, i) => i === 0 || bound > (buckets[i - 1] ?? Infinity))
  if (rises && buckets.length > 0 && buckets.every(Number.isFinite)) return
  throw new Error(
    `declaring metric "${name}": expected rising buckets without +Inf, got ${buckets.join(', ')}`,
  )
}
