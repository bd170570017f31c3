/**
 * Random pods, legal or not. Amounts are few, so that they are often equal; so are names, so that they
 * often meet.
 */
import type { Random } from '../../../src/core/random.ts'

export type Json = Record<string, unknown>
type Amounts = Record<string, string>
export type Container = { name: string; resources?: Resources } & Json
type Resources = { requests?: Amounts; limits?: Amounts }
export type Spec = {
  containers: Container[]
  initContainers?: Container[]
  resources?: Resources
} & Json

export type Dice = ReturnType<typeof makeDice>

export function makeDice(random: Random) {
  const below = (count: number): number => Math.floor(random() * count)
  return {
    below,
    chance: (ratio: number): boolean => random() < ratio,
    pick: <T>(items: readonly T[]): T => items[below(items.length)] as T,
  }
}

const cpus = ['0', '1m', '10m', '20m', '0.02', '100m', '0.1', '1', '1000m', '1.5', '1000', '1e3']
const rareCpus = ['-1', '0.0101', '1u', '3k', '-20m']
const memories = ['0', '32Mi', '33554432', '64Mi', '64Mi', '1Gi', '1.5Gi', '100M']
const rareMemories = ['-1Mi', '1500m', '0.5', '9Ei']
export const strange = [
  'foo',
  'pods',
  'storage',
  'a/b/c',
  'kubernetes.io/x',
  'requests.cpu',
  'requests.example.com/x',
  'Example.com/gpu',
  'example.com/',
  'hugepages-x',
]

export function amountOf(name: string, dice: Dice): string {
  if (name === 'cpu') return dice.pick(dice.chance(0.05) ? rareCpus : cpus)
  if (name === 'memory') return dice.pick(dice.chance(0.05) ? rareMemories : memories)
  if (name.startsWith('hugepages-')) return dice.pick(['2Mi', '2Mi', '2097152', '4Mi', '3Mi', '0'])
  return dice.pick(['1', '1', '2', '2', '1500m', '-1'])
}

export function makeAmounts(dice: Dice, rarity: number): Amounts {
  const names = ['cpu', 'memory'].filter(() => dice.chance(0.6))
  if (dice.chance(rarity)) names.push('ephemeral-storage')
  if (dice.chance(rarity)) names.push('example.com/gpu')
  if (dice.chance(rarity)) names.push('hugepages-2Mi')
  if (dice.chance(rarity / 5)) names.push(dice.pick(strange))
  return Object.fromEntries(names.map((name) => [name, amountOf(name, dice)]))
}

/** Legal most of the time: requests not above limits. */
export function makeResources(dice: Dice, style: string): Resources | undefined {
  if (style === 'none' || dice.chance(0.15)) return dice.chance(0.5) ? {} : undefined
  if (style === 'guaranteed') {
    const same = { cpu: dice.pick(['100m', '1']), memory: dice.pick(['64Mi', '1Gi']) }
    return dice.chance(0.5) ? { limits: same } : { limits: same, requests: { ...same } }
  }
  if (style === 'burstable')
    return {
      requests: { cpu: dice.pick(['10m', '20m', '50m']), memory: '32Mi' },
      ...(dice.chance(0.7) && { limits: { cpu: dice.pick(['100m', '200m']), memory: '64Mi' } }),
    }
  return {
    ...(dice.chance(0.8) && { requests: makeAmounts(dice, 0.1) }),
    ...(dice.chance(0.6) && { limits: makeAmounts(dice, 0.1) }),
  }
}

export function makePolicy(dice: Dice): Json[] {
  const policy = () => dice.pick(['NotRequired', 'NotRequired', 'RestartContainer'])
  const names = dice.pick([['cpu'], ['cpu', 'memory'], ['memory'], ['cpu', 'cpu'], ['gpu']])
  return names.map((resourceName) => ({ resourceName, restartPolicy: policy() }))
}

export function makeContainer(name: string, dice: Dice, style: string): Container {
  const resources = makeResources(dice, style)
  return {
    name,
    image: dice.pick(['x', 'x:1', 'x:latest', 'r.io:5000/x', 'r.io:5000/x:v2']),
    ...(resources && { resources }),
    ...(dice.chance(0.15) && { resizePolicy: makePolicy(dice) }),
  }
}

const makeInit = (name: string, dice: Dice, style: string): Container => ({
  ...makeContainer(name, dice, style),
  ...(dice.chance(0.5) && { restartPolicy: 'Always' }),
})

export function makePod(dice: Dice, rarity: number): { metadata: Json; spec: Spec; status?: Json } {
  const style = dice.pick(['none', 'guaranteed', 'burstable', 'burstable', 'any'])
  const names = ['a', 'b', 'c', 'd'].slice(0, dice.pick([1, 1, 1, 2, 3, 4]))
  const inits = ['i', 'j'].slice(0, dice.pick([0, 0, 0, 1, 2]))
  const whole = dice.chance(0.2)
    ? makeResources(dice, dice.pick(['guaranteed', 'burstable', 'any']))
    : undefined
  const spec: Spec = {
    containers: names.map((name) => makeContainer(name, dice, style)),
    ...(inits.length > 0 && {
      initContainers: inits.map((name) => makeInit(name, dice, style)),
    }),
    ...(whole && { resources: whole }),
    ...(dice.chance(0.2) && { restartPolicy: dice.pick(['Never', 'OnFailure', 'Always']) }),
    ...(dice.chance(rarity) && { os: { name: dice.pick(['windows', 'linux']) } }),
    ...(dice.chance(rarity) && { nodeName: 'n' }),
    ...(dice.chance(rarity) && { overhead: makeAmounts(dice, 0.1) }),
    ...(dice.chance(rarity) && {
      ephemeralContainers: [{ name: 'e', image: 'x', targetContainerName: dice.pick(['a', 'z']) }],
    }),
  }
  const status = makeStatus(names, dice)
  return {
    metadata: {
      name: 'p',
      namespace: 'd',
      uid: 'u',
      resourceVersion: '1',
      ...(dice.chance(0.03) && { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
    },
    spec,
    ...(status && { status }),
  }
}

function makeStatus(names: readonly string[], dice: Dice): Json | undefined {
  if (dice.chance(0.6)) return undefined
  return {
    ...(dice.chance(0.2) && { qosClass: dice.pick(['Guaranteed', 'Burstable', 'BestEffort']) }),
    ...(dice.chance(0.7) && {
      containerStatuses: names.map((name) => ({
        name,
        ready: true,
        restartCount: 0,
        image: 'x',
        imageID: '',
        state: dice.pick([{ running: {} }, { running: {} }, { waiting: {} }]),
        ...(dice.chance(0.8) && { resources: makeResources(dice, 'burstable') ?? {} }),
        ...(dice.chance(0.5) && { allocatedResources: { cpu: dice.pick(cpus) } }),
      })),
    }),
    ...(dice.chance(0.3) && {
      conditions: [
        { type: 'PodResizePending', status: 'True', reason: dice.pick(['Infeasible', 'Deferred']) },
      ],
    }),
    ...(dice.chance(0.3) && {
      resources: makeResources(dice, 'burstable') ?? {},
      allocatedResources: { cpu: dice.pick(cpus) },
    }),
  }
}

/** A status that a kubelet may want to write, or not. */
export const says = (names: readonly string[], dice: Dice): Json => ({
  ...(dice.chance(0.9) && { qosClass: dice.pick(['Burstable', 'Burstable', 'BestEffort']) }),
  ...(dice.chance(0.2) && { nominatedNodeName: dice.pick(['n', 'm']) }),
  containerStatuses: names.map((name) => ({
    name,
    state: dice.pick<Json>([
      { running: {} },
      { waiting: {} },
      { terminated: { exitCode: dice.pick([0, 1]) } },
    ]),
  })),
  conditions: [
    { type: dice.pick(['Ready', 'Ready', 'PodResizePending', 'a b', 'a.b/c']), status: 'True' },
  ],
})
