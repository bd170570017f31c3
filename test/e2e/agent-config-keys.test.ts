/** Every key of the agent's configuration changes what the running agent does. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { agentConfigFile } from '../../src/apis/agent-config-keys.ts'
import { millicoresIn } from '../../src/apis/pod-allocation.ts'
import { messages } from '../../src/apps/agent/messages.ts'
import { play, type Scene, type Seen } from '../agent-scenes/play.ts'
import * as scenes from '../agent-scenes/scenes.ts'
import { each } from '../each.ts'
import { root } from '../run.ts'

type Row = {
  readonly key: string
  /** What it promises, in words. */
  readonly does: string
  readonly given: unknown
  readonly scene: Scene
  /** What there is to be seen of it. */
  readonly shows: (seen: Seen) => number
  /** Without the key and with it. */
  readonly holds: (usual: number, given: number) => boolean
}

const near = (value: number, wanted: number): boolean => Math.abs(value / wanted - 1) < 0.1
const milli = (amount: string | number | undefined): number =>
  amount === undefined ? NaN : millicoresIn(amount)
const published = ({ allocations }: Seen): number => milli(allocations['web']?.spec.desiredCPULimit)
const allocated = ({ metric }: Seen): number =>
  metric('mbcas_allocation_milli{namespace="default",pod="web"}')
const promised = ({ allocations }: Seen): number =>
  milli(allocations['web']?.spec.desiredCPURequest)
const suffering = ({ metric }: Seen): number =>
  metric('mbcas_suffering{namespace="default",pod="web"}')
/** With enough for all, what is sold is what is needed. */
const needed = ({ market }: Seen): number => milli(market.sold)

/** Of a step of the demand, the part that bids follow within a second. */
function followed(seen: Seen, isUp: boolean): number {
  const samples = seen.logged(messages.demandSample).map(({ raw, smoothed, seconds }) => {
    return { raw: Number(raw), smoothed: Number(smoothed), seconds: Number(seconds) }
  })
  const isOver = (i: number): boolean => (samples[i]?.raw ?? NaN) >= 0.6 === isUp
  const at = samples.findIndex((_, i) => i > 0 && isOver(i) && !isOver(i - 1))
  let passed = 0
  const last = samples.findIndex((sample, i) => i >= at && (passed += sample.seconds) >= 0.9)
  const from = samples[at - 1]?.smoothed ?? NaN
  const { raw, smoothed } = samples[last] ?? { raw: NaN, smoothed: NaN }
  return (smoothed - from) / (raw - from)
}

/** Between two limits that were published, as a part of the first. */
function smallestStep({ logged }: Seen): number {
  const limits = logged(messages.decision).map(({ limit }) => Number(limit))
  const steps = limits.slice(1).map((limit, i) => Math.abs(limit / (limits[i] ?? NaN) - 1))
  return Math.min(...steps)
}

const rows: readonly Row[] = [
  {
    key: 'samplingInterval',
    does: 'the counters are read once in each',
    given: '1s',
    scene: scenes.steady,
    shows: (seen) => seen.growth('mbcas_samples_total{result="read"}') / scenes.steady.seconds,
    holds: (usual, given) => near(usual, 4) && near(given, 1),
  },
  {
    key: 'fastLoopInterval',
    does: 'latency is asked for twice in each',
    given: '1s',
    scene: scenes.steady,
    shows: ({ questions }) => questions / scenes.steady.seconds,
    holds: (usual, given) => near(usual, 1) && near(given, 2),
  },
  {
    key: 'slowLoopInterval',
    does: 'the market is cleared once in each',
    given: '5s',
    scene: scenes.steady,
    shows: ({ logged }) => logged('market cleared').length,
    holds: (usual, given) => usual === 2 && given === 6,
  },
  {
    key: 'alphaUp',
    does: 'of a rise in demand, the part that a bid follows in a second',
    given: 1,
    scene: scenes.steps,
    shows: (seen) => followed(seen, true),
    holds: (usual, given) => usual > 0.15 && usual < 0.4 && given > 0.95,
  },
  {
    key: 'alphaDown',
    does: 'of a fall in demand, the part that a bid follows in a second',
    given: 0.5,
    scene: scenes.steps,
    shows: (seen) => followed(seen, false),
    holds: (usual, given) => usual > 0.05 && usual < 0.15 && given > 0.35 && given < 0.6,
  },
  {
    key: 'needHeadroomFactor',
    does: 'so much above demand is needed by a strict pod',
    given: 0.5,
    scene: scenes.strictly(scenes.steady),
    shows: needed,
    holds: (usual, given) => near(usual, 460) && near(given, 600),
  },
  {
    key: 'enforcement',
    does: 'a limit stays as it was written, or is what was sold',
    given: 'strict',
    scene: scenes.steady,
    shows: published,
    holds: (usual, given) => usual === 1000 && given > 1000 && given <= 3600,
  },
  {
    key: 'mechanism',
    does: 'another sharing of what is short',
    given: 'kalai-smorodinsky',
    scene: scenes.short,
    shows: allocated,
    holds: (usual, given) => near(usual, 500) && given < 450,
  },
  {
    key: 'enablePriceResponse',
    does: 'the price falls, as needs answer it',
    given: true,
    scene: scenes.strictly(scenes.short),
    shows: ({ market }) => market.price ?? NaN,
    holds: (usual, given) => given < 0.97 * usual,
  },
  {
    key: 'costEfficiencyMode',
    does: 'idle CPU is not lent as head-room in strict limits',
    given: true,
    scene: scenes.strictly(scenes.steady),
    shows: published,
    holds: (usual, given) => usual > 2000 && !(given > 1000),
  },
  {
    key: 'enableFastGuardrail',
    does: 'who takes what another suffers for is held back, or is not',
    given: false,
    scene: scenes.beset,
    shows: ({ metric }) => metric('mbcas_fast_guardrail_triggers_total'),
    holds: (usual, given) => usual > 0 && given === 0,
  },
  {
    key: 'fastUpThreshold',
    does: 'so many throttled periods are no suffering of a strict pod yet',
    given: 0.6,
    scene: scenes.spiky,
    shows: suffering,
    holds: (usual, given) => usual === 1 && given === 0,
  },
  {
    key: 'enableBurst',
    does: 'the kernel lets it save quota up, or does not',
    given: false,
    scene: scenes.strictly(scenes.steady),
    shows: ({ bursts }) => bursts['web'] ?? NaN,
    holds: (usual, given) => usual > 0 && given === 0,
  },
  {
    key: 'minChangePercent',
    does: 'smaller changes are not published',
    given: 30,
    scene: scenes.grows,
    shows: smallestStep,
    // By the request; the limit above it is in whole millicores.
    holds: (usual, given) => usual < 0.2 && given >= 0.29 && given < 2,
  },
  {
    key: 'systemReservePercent',
    does: 'so much is not sold where shares are strict',
    given: 50,
    scene: scenes.strictly(scenes.steady),
    shows: ({ market }) => milli(market.capacity),
    holds: (usual, given) => usual === 3600 && given === 2000,
  },
  {
    key: 'baselineCPUPerPod',
    does: 'an idle pod is promised so much',
    given: '300m',
    scene: { ...scenes.idle, config: { startupGracePeriod: '0s' } },
    shows: promised,
    holds: (usual, given) => usual === 100 && given === 300,
  },
  {
    key: 'startupGracePeriod',
    does: 'after a minute less is promised to an idle pod, if that is long enough after its start',
    given: '0s',
    scene: scenes.idle,
    shows: promised,
    holds: (usual, given) => Number.isNaN(usual) && given === 100,
  },
  {
    key: 'skipGuaranteed',
    does: 'Guaranteed pods take part, or do not',
    given: false,
    scene: scenes.guaranteed,
    shows: ({ market }) => market.pods,
    holds: (usual, given) => usual === 0 && given === 1,
  },
  {
    key: 'sloLatencyTarget',
    does: 'so much latency is no suffering',
    given: '500ms',
    scene: scenes.late,
    shows: suffering,
    holds: (usual, given) => usual === 1 && given === 0,
  },
]

/** A process of its own opens what they name. */
const shownElsewhere = {
  prometheusURL: 'test/e2e/agent-config.test.ts',
  latencyQuery: 'test/e2e/agent-config.test.ts',
}

void describe("a key of the agent's configuration", () => {
  /** Several keys may share a scene. */
  const usuals = new Map<Scene, Promise<Seen>>()
  const usualOf = async (scene: Scene): Promise<Seen> => {
    const usual = usuals.get(scene) ?? play(scene)
    usuals.set(scene, usual)
    return usual
  }

  each(
    rows.map((row) => ({ ...row, name: `${row.key}: ${row.does}` })),
    async ({ key, given, scene, shows, holds }) => {
      const usual = shows(await usualOf(scene))
      const changed = shows(await play(scene, { [key]: given }))
      assert.ok(holds(usual, changed), `without it ${usual}, with ${String(given)} ${changed}`)
    },
  )

  void test('is shown, whichever it is', () => {
    const shown = [...rows.map(({ key }) => key), ...Object.keys(shownElsewhere)]
    assert.deepEqual(shown.toSorted(), Object.keys(agentConfigFile.entries).toSorted())
    for (const [key, file] of Object.entries(shownElsewhere)) {
      assert.ok(readFileSync(join(root, file), 'utf8').includes(key), `${file}: no word of ${key}`)
    }
  })
})
