/** docs/troubleshooting.md has an entry for every reason code and every alert, and for nothing else. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import { parse } from 'yaml'

import { bounds, settings } from '../src/apis/names.ts'
import { ANNOTATION_IGNORED } from '../src/apps/agent/bids.ts'
import { MISALIGNED } from '../src/apps/agent/misalignment.ts'
import { readWishes } from '../src/apps/agent/wishes.ts'
import { entriesIn } from '../src/apps/cli/explain/troubleshooting.ts'
import { ceilingCutOf } from '../src/core/bidding/bid-of-pod.ts'
import { floorCutOf } from '../src/core/bidding/entitlement.ts'
import { type ResizeReason, resizeReasons } from '../src/core/resize/types.ts'
import { millicores } from '../src/core/units.ts'
import { each } from './each.ts'
import { wanting } from './node-pods.ts'
import { root } from './run.ts'

const textOf = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8')

function faultsIn(markdown: string, codes: readonly string[]): string[] {
  const entries = entriesIn(markdown)
  const headings = entries.map(({ code }) => code)
  const repeated = headings.filter((code, i) => headings.indexOf(code) !== i)
  return [
    ...codes.filter((code) => !headings.includes(code)).map((code) => `${code} has no entry`),
    ...headings.filter((code) => !codes.includes(code)).map((code) => `${code} is no code`),
    ...repeated.map((code) => `${code} has two entries`),
    ...entries.filter(({ text }) => text === '').map(({ code }) => `${code} is empty`),
  ]
}

type Rule = { readonly alert?: string; readonly expr: string }
type Rules = { readonly groups: readonly { readonly rules: readonly Rule[] }[] }

const rules = (parse(textOf('deploy', 'prometheus', 'rules.yaml')) as Rules).groups.flatMap(
  (group) => group.rules,
)
const alerts = rules.flatMap(({ alert }) => alert ?? [])

void describe('docs/troubleshooting.md', () => {
  void test('has an entry for every reason and every alert, and no other', () => {
    assert.ok(alerts.length > 0)
    const codes = [...resizeReasons, MISALIGNED, ANNOTATION_IGNORED, ...alerts]
    assert.deepEqual(faultsIn(textOf('docs', 'troubleshooting.md'), codes), [])
  })

  void test('has every sentence that is said of an annotation beyond its bounds', () => {
    const annotations = {
      [settings.priorityMultiplier]: '1000',
      [settings.targetLatencyMs]: '1',
      [settings.coalition]: 'NAME',
    }
    const home = { [bounds.minTargetLatencyMs]: '50', [bounds.coalitions]: 'false' }
    const { cuts } = readWishes(
      { metadata: { annotations }, spec: { containers: [] } },
      { metadata: { name: 'shop', annotations: home } },
    )
    const floor = floorCutOf(wanting('api', 0.4, { wishes: { minCpu: millicores(700) } }))
    const low = wanting('api', 0.4, { wishes: { maxCpu: millicores(50) } })
    const [floorAt, needs] = [millicores(100), millicores(460)]
    const bid = { id: 'api', floor: floorAt, need: needs, ceiling: floorAt, weight: 1 }
    assert.equal(cuts.length, 3)
    const text = textOf('docs', 'troubleshooting.md')
    for (const cut of [...cuts, floor, ceilingCutOf(low, bid)])
      assert.ok(text.includes(`- \`${cut}\``), cut)
  })

  const good = '# A\n\n## B\n\n### One\n\nwords\n\n### Two\n\nwords\n'
  each(
    [
      { name: 'all there', text: good, finds: [] },
      { name: 'one missing', text: good.replace('### Two', 'Two'), finds: ['Two has no entry'] },
      { name: 'an unknown one', text: `${good}### Three\nwords`, finds: ['Three is no code'] },
      { name: 'one twice', text: `${good}### One\nwords`, finds: ['One has two entries'] },
      { name: 'one without words', text: good.replace('words', ''), finds: ['One is empty'] },
    ],
    ({ text, finds }) => assert.deepEqual(faultsIn(text, ['One', 'Two']), finds),
  )
})

/** As it should be, as somebody wished it to be, or over with the pod. */
const settled: readonly ResizeReason[] = [
  'Applied',
  'Recommended',
  'Restored',
  'Excluded',
  'GuaranteedQoS',
  'ExclusiveCPUs',
  'RestartRequired',
  'PodLevelResources',
  'VerticalPodAutoscaler',
  'PodNotFound',
  'OtherPod',
  'PodNotRunning',
]

void test('every reason alerts when it lasts, unless it is settled', () => {
  const matcher = /mbcas_allocation_waiting_seconds\{reason=~?"([^"]*)"/g
  const named = rules.flatMap(({ expr }) =>
    [...expr.matchAll(matcher)].flatMap(([, reasons = '']) => reasons.split('|')),
  )
  assert.deepEqual([...named, ...settled].toSorted(), resizeReasons.toSorted())
})
