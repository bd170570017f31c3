/** Lists of what containers have or should have: looked up, joined, counted, and said in words. */
import { type Millicores, sum } from '../units.ts'
import { type ContainerCpu, type CpuField, cpuFields, type PodCpu } from './types.ts'

type Containers = readonly ContainerCpu[]

export const ofName = (among: Containers, name: string): ContainerCpu | undefined =>
  among.find((container) => container.name === name)

/** What `has` becomes by `wish`. */
export const joinCpu = (has: Containers, wish: Containers): Containers =>
  has.map(({ name, request, limit }) => ({
    name,
    request: ofName(wish, name)?.request ?? request,
    limit: ofName(wish, name)?.limit ?? limit,
  }))

export const totalOf = (among: Containers, field: CpuField): Millicores =>
  sum(among.flatMap((container) => container[field] ?? []))

/**
 * What a pod keeps from others, by scheduler and quota: until the kubelet is done, the most of what is
 * asked for, set aside and actuated. What the kubelet called infeasible counts for nobody.
 */
export function heldBy({ spec, allocated, actuated, pending }: PodCpu): Containers {
  const asked = pending?.state === 'Infeasible' ? [] : spec
  return spec.map(({ name }) => {
    const all = [asked, allocated, actuated].flatMap((list) => ofName(list, name) ?? [])
    const most = (field: CpuField) => Math.max(0, ...all.flatMap((one) => one[field] ?? []))
    return { name, request: most('request') as Millicores, limit: most('limit') as Millicores }
  })
}

/** `main: request 100m -> 200m, limit 400m; log: limit 50m -> 20m` */
export const describeChange = (from: Containers, to: Containers): string =>
  describeEach(to, ({ name, field, amount }) => {
    const before = ofName(from, name)?.[field]
    const isNew = before === undefined || before === amount
    return isNew ? `${field} ${amount}m` : `${field} ${before}m -> ${amount}m`
  })

export const describe = (containers: Containers): string =>
  describeEach(containers, ({ field, amount }) => `${field} ${amount}m`)

/** `main: limit 200m instead of 500m`; of what is the same, nothing. */
export const describeCut = (asked: Containers, given: Containers): string =>
  describeEach(given, ({ name, field, amount }) => {
    const wanted = ofName(asked, name)?.[field]
    return wanted === amount ? undefined : `${field} ${amount}m instead of ${wanted}m`
  })

type Amount = {
  readonly name: string
  readonly field: CpuField
  readonly amount: Millicores
}

function describeEach(containers: Containers, say: (amount: Amount) => string | undefined): string {
  const parts = containers.flatMap((container) => {
    const { name } = container
    const words = cpuFields.flatMap((field) => {
      const amount = container[field]
      return amount === undefined ? [] : (say({ name, field, amount }) ?? [])
    })
    return words.length === 0 ? [] : `${name}: ${words.join(', ')}`
  })
  return parts.join('; ')
}
