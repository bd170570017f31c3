/** Laws on machines whose sockets, nodes and cores are alike; on others the kubelet breaks some. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import fc from 'fast-check'

import { machine, type Shape } from '../../../../test/cpu/machines.ts'
import { container, countTouched, pod, policyOf } from '../../../../test/cpu/policies.ts'
import { type CpuSet, intersectionOf, without } from '../cpu-set.ts'
import { isRefusal } from '../refusal.ts'
import type { CpuTopology } from '../topology.ts'
import { allocateCpus } from './allocate.ts'
import { assignCpus } from './assign.ts'
import { readStaticOptions, type StaticOption, staticOptionNames } from './options.ts'
import { emptyState, releaseCpus } from './state.ts'

const shapes: fc.Arbitrary<Shape> = fc.record({
  sockets: fc.integer({ min: 1, max: 3 }),
  nodes: fc.integer({ min: 1, max: 3 }),
  cores: fc.integer({ min: 1, max: 4 }),
  threads: fc.constantFrom(1, 2, 4),
  together: fc.boolean(),
  interleaved: fc.boolean(),
})

const optionSets: fc.Arbitrary<StaticOption[]> = fc
  .subarray([...staticOptionNames])
  .filter((names) => !isRefusal(readStaticOptions(Object.fromEntries(names.map((n) => [n, true])))))

type Scene = {
  readonly topology: CpuTopology
  readonly options: StaticOption[]
  readonly available: CpuSet
  readonly count: number
  readonly affinity: readonly number[] | null
}

const scenes: fc.Arbitrary<Scene> = fc.tuple(shapes, optionSets).chain(([shape, options]) => {
  const topology = machine(shape)
  return fc.record({
    topology: fc.constant(topology),
    options: fc.constant(options),
    available: fc.subarray([...topology.cpus]),
    count: fc.integer({ min: 1, max: topology.cpus.length }),
    affinity: fc.option(fc.subarray([...topology.numa.ids], { minLength: 1 })),
  })
})

const assign = ({ topology, options, available, count, affinity }: Scene) =>
  assignCpus(policyOf(topology, { options }), { available, reusable: [], count, affinity })

void describe('core/cpu: laws of assignment', () => {
  void test('assigned CPUs are free, and as many as asked for', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const cpus = assign(scene)
        if (isRefusal(cpus)) return
        assert.deepEqual(without(cpus, scene.available), [])
        assert.equal(cpus.length, scene.count)
      }),
    )
  })

  void test('without whole cores to keep, it is refused only for lack of CPUs', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const isOverwritten = scene.topology.numa.ids.length > 4 // see combinations.ts
        const options = scene.options.filter(
          (name) =>
            name !== 'full-pcpus-only' &&
            !(isOverwritten && name === 'distribute-cpus-across-numa'),
        )
        const isShort = scene.available.length < scene.count
        assert.equal(isRefusal(assign({ ...scene, options })), isShort)
      }),
    )
  })

  void test('as many as can be are on the nodes of the affinity', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const options = scene.options.filter((name) => name !== 'align-by-socket')
        const cpus = assign({ ...scene, options })
        if (isRefusal(cpus) || scene.affinity === null) return
        const { ids, groupOf } = scene.topology.numa
        const isNear = (cpu: number) => {
          const node = groupOf[scene.topology.positionOf.get(cpu) ?? -1] ?? -1
          return scene.affinity?.includes(ids[node] ?? -1) ?? false
        }
        const near = scene.available.filter(isNear).length
        assert.equal(cpus.filter(isNear).length, Math.min(near, scene.count))
      }),
    )
  })

  void test('packing on an empty machine uses no more sockets and nodes than needed', () => {
    fc.assert(
      fc.property(scenes, ({ topology, count }) => {
        const available = topology.cpus
        const cpus = assign({ topology, options: [], available, count, affinity: null })
        assert.ok(!isRefusal(cpus))
        for (const level of ['socket', 'numa'] as const) {
          const fewest = Math.ceil(count / topology[level].averageSize)
          assert.equal(countTouched(topology, level, cpus), fewest, level)
        }
      }),
    )
  })

  void test('whole cores are never shared with others', () => {
    fc.assert(
      fc.property(scenes, (scene) => {
        const whole = wholeCores(scene)
        const cpus = assign({ ...scene, options: ['full-pcpus-only'], available: whole })
        if (isRefusal(cpus)) return
        const cores = countTouched(scene.topology, 'core', cpus)
        assert.equal(cpus.length, cores * scene.topology.core.averageSize)
      }),
    )
  })

  void test('shares of the NUMA nodes of an empty machine differ by one at most', () => {
    fc.assert(
      fc.property(scenes, ({ topology, count }) => {
        fc.pre(topology.numa.ids.length <= 6) // see combinations.ts
        const options: StaticOption[] = ['distribute-cpus-across-numa']
        const available = topology.cpus
        const cpus = assign({ topology, options, available, count, affinity: null })
        assert.ok(!isRefusal(cpus))
        const shares = topology.numa.members
          .map(
            (members) =>
              intersectionOf(
                cpus,
                members.map((i) => topology.cpus[i] ?? -1),
              ).length,
          )
          .filter((share) => share > 0)
        assert.ok(Math.max(...shares) - Math.min(...shares) <= 1, `shares ${shares.join()}`)
      }),
    )
  })

  void test('release restores, in whatever order', () => {
    const sizes = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.nat()), { maxLength: 6 })
    fc.assert(
      fc.property(scenes, sizes, ({ topology, options }, sizes) => {
        const policy = policyOf(topology, { options, reserved: '0' })
        const empty = emptyState(policy)
        let state = empty
        const come: { uid: string; order: number }[] = []
        for (const [i, [count, order]] of sizes.entries()) {
          const own = container('a', count)
          const arrival = { pod: pod(`p${i}`, own), container: own, affinity: null }
          const allocated = allocateCpus(policy, state, arrival)
          if (isRefusal(allocated)) continue
          state = allocated.state
          come.push({ uid: `p${i}`, order })
        }
        for (const { uid } of come.toSorted((a, b) => a.order - b.order)) {
          state = releaseCpus(state, uid, 'a')
        }
        assert.deepEqual(state.shared, empty.shared)
        assert.equal(state.assigned.size, 0)
      }),
    )
  })
})

/** Those available CPUs whose siblings are all available. */
const wholeCores = ({ topology, available }: Scene): CpuSet =>
  available.filter((cpu) => {
    const core = topology.core.groupOf[topology.positionOf.get(cpu) ?? -1] ?? -1
    const members = topology.core.members[core] ?? []
    return members.every((i) => available.includes(topology.cpus[i] ?? -1))
  })
