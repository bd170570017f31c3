/** Pods of a node, of which a test states only what matters to it. */
import fc from 'fast-check'

import type { NodePod, PodContainer, PodWishes } from '../src/core/bidding/pod.ts'
import { millicores } from '../src/core/units.ts'

export const container = (given: Partial<PodContainer> = {}): PodContainer => ({
  name: 'app',
  restartsOnResize: false,
  request: millicores(100),
  limit: millicores(200),
  usageCores: 0.1,
  demandCores: 0.1,
  ...given,
})

export type PodGiven = Partial<Omit<NodePod, 'wishes'>> & { readonly wishes?: Partial<PodWishes> }

export const pod = ({ wishes, ...given }: PodGiven = {}): NodePod => ({
  uid: given.name ?? 'uid-1',
  namespace: 'default',
  name: 'api',
  phase: 'running',
  qosClass: 'Burstable',
  priority: 0,
  isStatic: false,
  hasPodResources: false,
  containers: [container()],
  ...given,
  wishes: {
    isOptedOut: false,
    minCpu: undefined,
    maxCpu: undefined,
    priorityMultiplier: 1,
    ...wishes,
  },
})

/** One container. */
export const wanting = (name: string, demandCores: number, given: PodGiven = {}): NodePod =>
  pod({ name, containers: [container({ demandCores })], ...given })

/** One container, with a request of its own and twice that as its limit. */
export const asking = (
  name: string,
  demandCores: number,
  request: number,
  given: PodGiven = {},
): NodePod => {
  const [its, limit] = [millicores(request), millicores(2 * request)]
  return pod({ name, containers: [container({ demandCores, request: its, limit })], ...given })
}

const cores = fc.oneof(fc.double({ min: 0, max: 8, noNaN: true }), fc.constant(0))
const amount = (max: number) => fc.integer({ min: 1, max }).map(millicores)
/** Undefined once in `freq` times: 1 would be always. */
const maybe = <T>(of: fc.Arbitrary<T>, freq: number) => fc.option(of, { nil: undefined, freq })
const mostly = <const T, const U>(usual: T, ...others: readonly U[]): fc.Arbitrary<T | U> =>
  fc.oneof(
    { arbitrary: fc.constant(usual), weight: 6 },
    { arbitrary: fc.constantFrom(...others), weight: 1 },
  )

const anyContainer = fc.record({
  request: maybe(amount(2000), 10),
  limit: maybe(amount(4000), 5),
  firstRequest: maybe(amount(2000), 2),
  firstLimit: maybe(amount(4000), 2),
  usageCores: maybe(cores, 10),
  demandCores: maybe(cores, 40),
  exclusiveCpus: fc.constantFrom(...Array.from({ length: 39 }, () => 0), 2),
})

/** A Guaranteed pod's containers have one value for request and limit. */
const alike = ({ limit, ...rest }: Partial<PodContainer>): Partial<PodContainer> => {
  const both = limit ?? millicores(250)
  return { ...rest, limit: both, request: both }
}

export const anyPods: fc.Arbitrary<NodePod[]> = fc
  .array(
    fc.record({
      containers: fc.array(anyContainer, { minLength: 1, maxLength: 4 }),
      namespace: fc.constantFrom('a', 'a', 'a', 'a', 'b', 'b', 'b', 'kube-system'),
      phase: mostly('running', 'pending', 'finished'),
      qosClass: mostly('Burstable', 'Guaranteed', 'BestEffort'),
      priority: fc.integer({ min: -1e6, max: 1e6 }),
      range: maybe(
        fc.record({
          pod: amount(6000),
          container: amount(3000),
          least: maybe(amount(300), 2),
          limitRatio: fc.constantFrom(undefined, 1.2, 2, 10),
        }),
        2,
      ),
      bound: maybe(
        fc.record({
          request: amount(2000),
          limit: amount(4000),
          reason: fc.constant('is bound by its kubelet'),
        }),
        2,
      ),
      enforcement: fc.constantFrom(undefined, undefined, 'elastic', 'strict'),
      readyCores: maybe(cores, 2),
      usual: maybe(fc.nat(4000).map(millicores), 2),
      isShort: fc.constantFrom(undefined, undefined, true),
      shareFactor: fc.constantFrom(undefined, undefined, 0.01, 2, 100),
      maxMinCpu: maybe(amount(4000), 2),
      wishes: fc.record({
        minCpu: maybe(amount(4000), 2),
        maxCpu: maybe(amount(4000), 2),
        priorityMultiplier: fc.double({ min: 0.1, max: 10, noNaN: true }),
        coalition: fc.constantFrom(undefined, undefined, 'x', 'y'),
        managesGuaranteed: fc.boolean(),
      }),
    }),
    { maxLength: 12, size: '+1' },
  )
  .map((all) =>
    all.map(({ containers, ...rest }, i) =>
      pod({
        ...rest,
        name: `p${i}`,
        containers: containers.map((given, c) => {
          const same = rest.qosClass === 'Guaranteed' ? alike(given) : given
          return container({ ...same, name: `c${c}` })
        }),
      }),
    ),
  )
