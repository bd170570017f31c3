/** Changes of a pod that a resize or an update may bring, legal or not. */
import {
  amountOf,
  type Container,
  type Dice,
  makeAmounts,
  makeContainer,
  makePolicy,
  makeResources,
  type Spec,
  strange,
} from './pods.ts'

export type Change = (spec: Spec, dice: Dice) => void

/** Some other one if all are gone. */
export const anyContainer = ({ containers, initContainers = [] }: Spec, dice: Dice): Container =>
  dice.pick([...containers, ...initContainers, ...containers]) ?? { name: 'gone' }

export const setAmount: Change = (spec, dice) => {
  const container = anyContainer(spec, dice)
  const side = dice.pick(['requests', 'limits'] as const)
  const name = dice.pick(['cpu', 'cpu', 'memory'])
  const { resources = {} } = container
  container.resources = {
    ...resources,
    [side]: { ...resources[side], [name]: amountOf(name, dice) },
  }
}
const growGuaranteed: Change = (spec, dice) => {
  const same = { cpu: dice.pick(['200m', '2']), memory: dice.pick(['128Mi', '2Gi']) }
  anyContainer(spec, dice).resources = { requests: same, limits: { ...same } }
}
const growBurstable: Change = (spec, dice) => {
  anyContainer(spec, dice).resources = {
    requests: { cpu: dice.pick(['10m', '30m']), memory: '32Mi' },
    limits: { cpu: dice.pick(['50m', '500m']), memory: dice.pick(['64Mi', '48Mi']) },
  }
}
const doubled = new Map([
  ['10m', '20m'],
  ['20m', '40m'],
  ['50m', '0.1'],
  ['100m', '0.2'],
  ['200m', '400m'],
  ['1', '2'],
])

/** Most often legal: all of the pod's CPU is doubled. */
const doubleAll: Change = ({ containers, initContainers = [], resources }) => {
  const all = [...containers, ...initContainers].map((one) => one.resources)
  for (const { requests, limits } of [...all, resources].filter((one) => one !== undefined)) {
    for (const side of [requests, limits]) {
      const next = side?.['cpu'] === undefined ? undefined : doubled.get(side['cpu'])
      if (side && next !== undefined) side['cpu'] = next
    }
  }
}
const removeAmount: Change = (spec, dice) => {
  const { resources } = anyContainer(spec, dice)
  const side = dice.pick(['requests', 'limits'] as const)
  const names = Object.keys(resources?.[side] ?? {})
  if (names.length > 0) delete resources?.[side]?.[dice.pick(names)]
}
const removeSide: Change = (spec, dice) => {
  const container = anyContainer(spec, dice)
  if (dice.chance(0.3)) delete container.resources
  else delete container.resources?.[dice.pick(['requests', 'limits'] as const)]
}
export const setOther: Change = (spec, dice) => {
  const container = anyContainer(spec, dice)
  const name = dice.pick(['example.com/gpu', 'ephemeral-storage', 'hugepages-2Mi', ...strange])
  const amount = { [name]: amountOf(name, dice) }
  const { requests, limits } = container.resources ?? {}
  container.resources = {
    requests: { ...requests, ...amount },
    ...(dice.chance(0.7) && { limits: { ...limits, ...amount } }),
  }
}
export const setWhole: Change = (spec, dice) => {
  if (dice.chance(0.2)) delete spec.resources
  else if (dice.chance(0.5)) spec.resources = { ...spec.resources, limits: makeAmounts(dice, 0.1) }
  else spec.resources = { ...spec.resources, ...makeResources(dice, 'any') }
}
const setField: Change = (spec, dice) => {
  const container = anyContainer(spec, dice)
  if (dice.chance(0.5)) container['image'] = dice.pick(['y', 'x:1'])
  else container['env'] = [{ name: 'A', value: 'b' }]
}
export const setPolicy: Change = (spec, dice) => {
  anyContainer(spec, dice)['resizePolicy'] = dice.chance(0.3) ? [] : makePolicy(dice)
}
export const rename: Change = (spec, dice) => {
  anyContainer(spec, dice).name = dice.pick(['a', 'b', 'new', 'New'])
}
const reorder: Change = (spec) => {
  spec.containers.reverse()
}
const addContainer: Change = (spec, dice) => {
  const added = makeContainer('new', dice, 'any')
  if (dice.chance(0.5)) spec.containers.push(added)
  else spec.initContainers = [...(spec.initContainers ?? []), added]
}
const removeContainer: Change = (spec, dice) => {
  if (dice.chance(0.5)) spec.containers.pop()
  else spec.initContainers?.pop()
}
const setSpec: Change = (spec, dice) => {
  const [field, value] = dice.pick([
    ['tolerations', [{ key: 'a', operator: 'Exists' }]],
    ['activeDeadlineSeconds', dice.pick([5, 0, 10])],
    ['terminationGracePeriodSeconds', 1],
    ['nodeName', 'm'],
    ['nodeSelector', { a: 'b' }],
    ['schedulingGates', [{ name: 'x' }]],
  ] as const)
  spec[field] = value
}

export const resizes: readonly Change[] = [
  ...Array.from({ length: 6 }, () => setAmount),
  ...Array.from({ length: 3 }, () => growBurstable),
  ...Array.from({ length: 6 }, () => doubleAll),
  growGuaranteed,
  growGuaranteed,
  removeAmount,
  removeAmount,
  removeSide,
  setOther,
  setWhole,
  setWhole,
  setField,
  setPolicy,
  rename,
  reorder,
  addContainer,
  removeContainer,
  setSpec,
]

export const updates: readonly Change[] = [
  setField,
  setSpec,
  setSpec,
  setSpec,
  rename,
  addContainer,
]
