/** Every figure of the table, and which way it is better. */
import type { Latencies, PassFigures, ServiceFigures } from './figures.ts'

export type Figure = {
  readonly name: string
  /** Of one pass; undefined if it has no such thing. */
  readonly of: (pass: PassFigures) => number | undefined
  /** What is neither is not compared. */
  readonly better: 'less' | 'more' | 'neither'
  readonly digits: number
}

type Described = { readonly services: readonly ServiceFigures[] }

/** In the order of the table, of the services and phases that there are. */
export function figuresIn({ services }: Described): Figure[] {
  const asked = services.filter(({ overall }) => overall !== undefined)
  const silent = services.filter(({ overall }) => overall === undefined)
  return [
    ...asked.flatMap(latencyFigures),
    ...silent.map(({ name }): Figure => {
      const of = (pass: PassFigures) => serviceIn(pass, name)?.usedCores
      return { name: `${name}, CPU it got`, of, better: 'more', digits: 3 }
    }),
    ...nodeFigures,
  ]
}

const serviceIn = ({ services }: PassFigures, name: string): ServiceFigures | undefined =>
  services.find((service) => service.name === name)

function latencyFigures({ name, phases }: ServiceFigures): Figure[] {
  const overall = (title: string, pick: (latencies: Latencies) => number, digits = 0): Figure => ({
    name: `${name} ${title}`,
    of(pass) {
      const found = serviceIn(pass, name)?.overall
      return found && pick(found)
    },
    better: 'less',
    digits,
  })
  return [
    overall('p50, ms', ({ p50 }) => p50, 1),
    overall('p95, ms', ({ p95 }) => p95),
    overall('p99, ms', ({ p99 }) => p99),
    ...Object.keys(phases).map((phase): Figure => ({
      name: `${name} p99, ${phase}`,
      of: (pass) => serviceIn(pass, name)?.phases[phase]?.p99,
      better: 'less',
      digits: 0,
    })),
    overall('missed, %', ({ missedRatio }) => missedRatio * 100, 1),
  ]
}

const sumOver = (pick: (service: ServiceFigures) => number) => (pass: PassFigures) =>
  pass.services.reduce((sum, service) => sum + pick(service), 0)

const nodeFigures: readonly Figure[] = [
  {
    name: 'throttled periods',
    of: sumOver(({ throttledPeriods }) => throttledPeriods),
    better: 'less',
    digits: 0,
  },
  {
    name: 'throttled, s',
    of: sumOver(({ throttledSeconds }) => throttledSeconds),
    better: 'less',
    digits: 1,
  },
  {
    name: 'waiting, s',
    of: sumOver(({ waitedSeconds }) => waitedSeconds),
    better: 'less',
    digits: 0,
  },
  { name: 'CPU requested', of: (pass) => pass.requestedCores, better: 'less', digits: 2 },
  { name: 'CPU used', of: (pass) => pass.usedCores, better: 'neither', digits: 2 },
  { name: 'changes of specs', of: (pass) => pass.changes, better: 'less', digits: 0 },
  { name: 'changes in the kernel', of: (pass) => pass.kernelChanges, better: 'less', digits: 0 },
  { name: 'restarts', of: (pass) => pass.restarts, better: 'less', digits: 0 },
  { name: 'resizes not done', of: (pass) => pass.pendingResizes, better: 'less', digits: 0 },
  { name: 'CPU of its programs', of: (pass) => pass.programCores, better: 'less', digits: 3 },
]
