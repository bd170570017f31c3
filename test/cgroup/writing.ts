/** What every writer of cgroups keeps to, over a real kernel or a simulated one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import type { CpuSettings, Setting } from '../../src/core/cgroup/plan-writes.ts'
import { seededRandom } from '../../src/core/random.ts'
import type { CgroupWriter, ContainerPlace, CpuChange, PodPlace } from '../../src/ports/cgroup.ts'
import { each } from '../each.ts'

/** On v2 a period cannot be written alone. */
type Asked = Exclude<Setting, 'periodMicros'>

export type WritingGround = {
  /** A new one on the same groups. */
  readonly open: () => CgroupWriter
  /** Groups of a pod and of its only container. */
  readonly pod: PodPlace
  readonly container: ContainerPlace
  /** The kernel's own answer to a write, past the code under test: `accepted` or the error. */
  readonly kernelSays: (place: PodPlace, setting: Asked, to: number | null) => string
  /** Refuses a quota above that of the group above; v2 does not. */
  readonly isV1: boolean
}

export function testWriting({ open, pod, container, kernelSays, isV1 }: WritingGround): void {
  const write = (writer: CgroupWriter, ...changes: CpuChange[]): readonly string[] => {
    const { wrote, refused } = writer.write(changes)
    assert.deepEqual(refused, [])
    return wrote
  }
  const freed = (): CgroupWriter => {
    const writer = open()
    const free = { quotaMicros: null, periodMicros: 100_000, burstMicros: 0, shares: 1024 }
    write(writer, { place: container, ...free }, { place: pod, ...free })
    return writer
  }
  const settingsOf = (writer: CgroupWriter, place: PodPlace): CpuSettings => {
    const settings = writer.settings(place)
    assert.ok(settings !== undefined)
    return settings
  }

  const onV1 = isV1 ? 'EINVAL' : 'accepted'
  each<{ name: string; place: PodPlace; setting: Asked; to: number | null; says: string }>(
    [
      {
        name: 'the kernel refuses a burst above the quota',
        place: container,
        setting: 'burstMicros',
        to: 20_001,
        says: 'EINVAL',
      },
      {
        name: 'the kernel refuses a quota below the burst',
        place: container,
        setting: 'quotaMicros',
        to: 9999,
        says: 'EINVAL',
      },
      {
        name: 'the kernel refuses a quota below 1 ms',
        place: pod,
        setting: 'quotaMicros',
        to: 999,
        says: 'EINVAL',
      },
      {
        name: 'the kernel refuses a quota above that of the pod on v1 alone',
        place: container,
        setting: 'quotaMicros',
        to: 50_001,
        says: onV1,
      },
      {
        name: 'the kernel refuses a quota of the pod below that of a container on v1 alone',
        place: pod,
        setting: 'quotaMicros',
        to: 19_999,
        says: onV1,
      },
      {
        name: 'the kernel accepts a container without a quota in a pod with one',
        place: container,
        setting: 'quotaMicros',
        to: null,
        says: 'accepted',
      },
    ],
    ({ place, setting, to, says }) => {
      write(
        freed(),
        { place: pod, quotaMicros: 50_000 },
        { place: container, quotaMicros: 20_000, burstMicros: 10_000 },
      )
      assert.equal(kernelSays(place, setting, to), says)
    },
  )

  void test('from any settings to any others no write is refused, and all of them stand', () => {
    const random = seededRandom(6)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
    const quotas = [null, 1000, 20_000, 50_000, 150_000]
    const writer = freed()
    for (let i = 0; i < 200; i += 1) {
      const podQuota = pick(quotas)
      const quota = pick(quotas.filter((quota) => (quota ?? 0) <= (podQuota ?? Infinity)))
      const wanted = [
        {
          place: container,
          quotaMicros: quota,
          ...pick([{}, { burstMicros: 0 }, { burstMicros: quota ?? 0 }]),
        },
        {
          place: pod,
          quotaMicros: podQuota,
          ...pick([{}, { burstMicros: podQuota ?? 0 }]),
          shares: pick([2, 204, 2048]),
        },
      ]
      write(writer, ...(random() < 0.5 ? wanted : wanted.toReversed()))
      for (const { place, quotaMicros, burstMicros } of wanted) {
        const settings = settingsOf(writer, place)
        assert.equal(settings.quotaMicros, quotaMicros)
        if (burstMicros !== undefined) assert.equal(settings.burstMicros, burstMicros)
      }
      assert.deepEqual(write(writer, ...wanted), [])
    }
  })

  void test('so it is with periods too, below a pod that has a quota', () => {
    const random = seededRandom(7)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
    const writer = freed()
    write(writer, { place: pod, quotaMicros: 100_000 })
    for (let i = 0; i < 100; i += 1) {
      const periodMicros = pick([10_000, 100_000, 250_000, 1_000_000])
      const quotaMicros = pick([null, 0.1, 0.5, 1].map((cores) => cores && cores * periodMicros))
      const burstMicros = pick([0, quotaMicros ?? 0])
      const wanted = { place: container, quotaMicros, periodMicros, burstMicros }
      write(writer, wanted)
      const { shares: _, ...settings } = settingsOf(writer, container)
      assert.deepEqual(settings, { quotaMicros, periodMicros, burstMicros })
      assert.deepEqual(write(writer, wanted), [])
    }
  })

  void test('a period alone keeps what its quota allows', () => {
    const writer = freed()
    write(writer, { place: container, quotaMicros: 30_000, burstMicros: 30_000 })
    write(writer, { place: container, periodMicros: 500_000 })
    assert.equal(settingsOf(writer, container).quotaMicros, 150_000)
    write(writer, { place: container, periodMicros: 50_000 })
    const { quotaMicros, burstMicros } = settingsOf(writer, container)
    assert.deepEqual([quotaMicros, burstMicros], [15_000, 15_000])
  })

  void test('what was found is restored when all of it is named, also to the same quota', () => {
    const writer = freed()
    const found = { quotaMicros: 100_000, periodMicros: 100_000, burstMicros: 10_000, shares: 512 }
    write(writer, { place: container, ...found })
    const before = settingsOf(writer, container)
    const long = { quotaMicros: 100_000, periodMicros: 1_000_000, burstMicros: 100_000 }
    write(writer, { place: container, ...long, shares: 2048 })
    assert.notDeepEqual(settingsOf(writer, container), before)
    write(writer, { place: container, ...before })
    assert.deepEqual(settingsOf(writer, container), before)
  })

  void test('a burst without a quota is restored too', () => {
    const writer = freed()
    write(writer, { place: container, burstMicros: 20_000 })
    const before = settingsOf(writer, container)
    assert.deepEqual([before.quotaMicros, before.burstMicros], [null, 20_000])
    write(writer, { place: container, quotaMicros: 10_000 })
    assert.equal(settingsOf(writer, container).burstMicros, 10_000)
    write(writer, { place: container, ...before })
    assert.deepEqual(settingsOf(writer, container), before)
  })

  void test('what may stand between two writes is told before the first', () => {
    const writer = freed()
    write(writer, { place: container, quotaMicros: 30_000, burstMicros: 30_000, shares: 512 })
    const change = {
      quotaMicros: 600_000,
      periodMicros: 1_000_000,
      burstMicros: 5000,
      shares: 2048,
    }
    const told: CpuSettings[] = []
    const first = settingsOf(writer, container)
    writer.write([{ place: container, ...change }], ([planned]) => {
      told.push(...(planned?.states ?? []))
      assert.deepEqual(settingsOf(writer, container), first)
    })
    assert.deepEqual(told[0], first)
    assert.deepEqual(told.at(-1), settingsOf(writer, container))
    assert.equal(told.length, 5)
  })

  // v2 refuses nothing that a writer writes.
  if (isV1)
    void test('a refusal ends the writing, and is told in words', () => {
      const writer = freed()
      write(writer, { place: pod, quotaMicros: 50_000 })
      const before = settingsOf(writer, container)
      const { wrote, refused } = writer.write([
        { place: container, quotaMicros: 60_000, shares: 512 },
      ])
      assert.deepEqual(wrote, [])
      assert.match(refused.join(), /of containerd:\/\/c1 from .* to 60000: .*EINVAL/)
      assert.deepEqual(settingsOf(writer, container), before)
    })

  void test('a group that is not there has no settings and cannot be written', () => {
    const writer = freed()
    const place = { ...pod, containerId: 'containerd://none' }
    assert.equal(writer.settings(place), undefined)
    assert.match(writer.whyUnwritable(place) ?? '', /containerd:\/\/none has no cgroup/)
    assert.equal(writer.whyReadOnly(place), undefined, 'that says nothing of other groups')
    assert.equal(writer.whyUnwritable(container), undefined)
    assert.equal(writer.whyReadOnly(container), undefined)
    const change = { place: container, quotaMicros: 30_000 }
    const { wrote, refused } = writer.write([{ place, quotaMicros: 1000 }, change])
    assert.equal(wrote.length, 1)
    assert.deepEqual(refused, ['containerd://none has no cgroup: not yet, or no longer'])
  })
}
