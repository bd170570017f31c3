/** Why a pod is not resized: every reason in the status, the event and the metric, and nothing is harmed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { limitRanges } from '../../src/apis/limit-range.ts'
import { settings } from '../../src/apis/names.ts'
import { nodeMarkets } from '../../src/apis/node-market.ts'
import { nodes } from '../../src/apis/node.ts'
import type { Pod } from '../../src/apis/pod.ts'
import type { ResizeReason } from '../../src/core/resize/types.ts'
import { oldServer, refusingResizes } from '../controller-scenes/answers.ts'
import { changed, resourceQuotas } from '../controller-scenes/objects.ts'
import { assertUnharmed, onStage, type Stage, type Wish } from '../controller-scenes/stage.ts'
import { each } from '../each.ts'
import { createNodes, startHollowKubelets } from '../kubernetes/hollow-kubelet.ts'
import { loadedPod } from '../platform.ts'
import type { Way } from '../site.ts'

type Row = {
  readonly name: string
  readonly reason: ResizeReason
  readonly phase: 'Pending' | 'Failed'
  /** There are CPUs for 4000m; `web` has 100m of 500m if not told. */
  readonly pods?: readonly Pod[]
  readonly before?: (stage: Stage) => Promise<unknown>
  readonly wish?: Wish
  readonly way?: Way
  /** In the words of the status. */
  readonly says: RegExp
  readonly qosClass?: string
  /** Its reason and type, or none at all; a warning where it failed, if not told. */
  readonly event?: readonly [string, string] | 'none'
}

const web = loadedPod('web')
const more: Wish = { request: '150m', limit: '800m' }
const inDefault = (name: string) => ({ namespace: 'default', name })
const guaranteed = { request: '1', limit: '1', memory: '64Mi' }
const managed = { [settings.guaranteed]: 'manage' }

const rows: readonly Row[] = [
  {
    name: 'there is no such pod',
    reason: 'PodNotFound',
    phase: 'Failed',
    pods: [],
    says: /none/,
  },
  {
    name: 'it is another one of that name',
    reason: 'OtherPod',
    phase: 'Failed',
    wish: { ...more, podUID: 'of-the-one-before' },
    says: /./,
  },
  {
    name: 'it does not run yet',
    reason: 'PodNotRunning',
    phase: 'Failed',
    pods: [changed(web, { spec: { nodeSelector: { no: 'node' } } })],
    says: /Pending/,
    event: ['CPUSkipped', 'Normal'],
  },
  {
    name: 'it has no such container',
    reason: 'UnknownContainer',
    phase: 'Failed',
    wish: { containers: [{ name: 'other', desiredCPULimit: '1' }] },
    says: /other/,
  },
  {
    name: 'it is Guaranteed and did not opt in',
    reason: 'GuaranteedQoS',
    phase: 'Failed',
    pods: [loadedPod('web', guaranteed)],
    wish: { request: '1500m', limit: '1500m' },
    qosClass: 'Guaranteed',
    says: /opted in/,
  },
  {
    name: 'it has CPUs of its own',
    reason: 'ExclusiveCPUs',
    phase: 'Failed',
    pods: [loadedPod('web', { ...guaranteed, annotations: managed })],
    before: async ({ kube }) =>
      kube.create(nodeMarkets, {
        metadata: { name: 'node-0' },
        status: { resources: [], node: { cpuManagerPolicy: 'static' } },
      }),
    wish: { request: '1500m', limit: '1500m' },
    qosClass: 'Guaranteed',
    says: /./,
  },
  {
    name: 'it would be restarted',
    reason: 'RestartRequired',
    phase: 'Failed',
    pods: [
      changed(web, {
        container: { resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] },
      }),
    ],
    says: /RestartContainer/,
  },
  {
    name: 'it has resources as a whole',
    reason: 'PodLevelResources',
    phase: 'Failed',
    pods: [changed(web, { spec: { resources: { requests: { cpu: '1' } } } })],
    says: /./,
  },
  {
    name: 'its class would change',
    reason: 'QoSClassChange',
    phase: 'Failed',
    pods: [loadedPod('web', { memory: '64Mi' })],
    wish: { request: '600m', limit: '600m', urgency: 'guardrail' },
    says: /Guaranteed/,
  },
  {
    name: 'a LimitRange forbids it',
    reason: 'LimitRange',
    phase: 'Failed',
    before: async ({ kube }) =>
      kube.create(limitRanges, {
        metadata: inDefault('bounds'),
        spec: { limits: [{ type: 'Container', max: { cpu: '500m' } }] },
      }),
    wish: { limit: '800m' },
    says: /bounds/,
  },
  {
    name: 'a ResourceQuota has no room',
    reason: 'ResourceQuota',
    phase: 'Failed',
    wish: { limit: '800m' },
    before: async ({ kube, pass }) => {
      const spec = { hard: { 'limits.cpu': '500m' } }
      await kube.create(resourceQuotas, { metadata: inDefault('team'), spec })
      await pass(2)
    },
    says: /team/,
  },
  {
    name: 'its node has too little left',
    reason: 'NodeHeadroom',
    phase: 'Pending',
    pods: [
      loadedPod('web', { request: '1', limit: '2' }),
      loadedPod('a', { request: '3', limit: '4' }),
    ],
    wish: { request: '1200m' },
    says: /node-0/,
  },
  {
    name: 'its node has become too small, which the server knows first',
    reason: 'NodeCapacity',
    phase: 'Failed',
    way: refusingResizes(403, 'Forbidden', {
      message: 'pods "web" is forbidden: node didn\'t have enough allocatable resources: cpu',
      cause: 'NodeCapacity',
    }),
    says: /enough allocatable/,
  },
  {
    name: 'its node cannot resize',
    reason: 'Unsupported',
    phase: 'Failed',
    before: async ({ kube }) =>
      kube.patch(
        nodes,
        { name: 'node-0' },
        {
          type: 'merge',
          body: { metadata: { labels: { 'kubernetes.io/os': 'windows' } } },
        },
      ),
    says: /linux/,
  },
  {
    name: 'somebody forbids it',
    reason: 'Forbidden',
    phase: 'Failed',
    way: refusingResizes(403, 'Forbidden', {
      message: 'pods "web" is forbidden: not on Mondays',
    }),
    says: /not on Mondays/,
  },
  {
    name: 'the server finds it wrong',
    reason: 'Invalid',
    phase: 'Failed',
    way: refusingResizes(422, 'Invalid', {
      message: 'Pod "web" is invalid: spec: Forbidden: never seen',
    }),
    says: /never seen/,
  },
  {
    name: 'the server is too old',
    reason: 'ServerTooOld',
    phase: 'Failed',
    way: oldServer,
    says: /1\.33/,
    event: 'none',
  },
]

void describe('a pod is left as it is, and that is said, when', () => {
  each(
    rows,
    async ({ pods: given = [web], wish = more, way, before, reason, phase, says, ...row }) => {
      await onStage({ ...(way && { way }) }, async (stage) => {
        await before?.(stage)
        await stage.run(...given)
        await stage.wish('web', wish)
        await stage.until('web', reason)
        await stage.pass(15) // longer than a cooldown: it stays so
        const status = await stage.until('web', reason)
        assert.equal(status.phase, phase)
        assert.match(status.message ?? '', says)
        assert.deepEqual(stage.resizes, [])
        await assertTold(stage, { reason, phase, event: row.event ?? usualEvents[phase] })
        if (given.length > 0) assertUnharmed(await stage.pod('web'), row.qosClass)
      })
    },
  )
})

const usualEvents = {
  Pending: ['CPUPending', 'Normal'],
  Failed: ['CPUSkipped', 'Warning'],
} as const

async function assertTold(
  stage: Stage,
  { reason, phase, event }: Required<Pick<Row, 'reason' | 'phase' | 'event'>>,
): Promise<void> {
  const series = new RegExp(`^mbcas_allocations\\{phase="${phase}",reason="${reason}"\\} 1$`, 'm')
  assert.match(stage.metrics(), series)
  const told = (await stage.events('web'))
    .filter(({ message }) => message.startsWith(`${reason}: `))
    .map(({ reason, type }) => [reason, type])
  assert.deepEqual(told, event === 'none' ? [] : [event])
}

void describe('a bound lets through what it allows', () => {
  each(
    [
      {
        name: 'of a LimitRange',
        reason: 'LimitRange',
        bound: async ({ kube }: Stage) =>
          kube.create(limitRanges, {
            metadata: inDefault('bounds'),
            spec: { limits: [{ type: 'Container', max: { cpu: '600m' } }] },
          }),
      },
      {
        name: 'of a ResourceQuota',
        reason: 'ResourceQuota',
        bound: async ({ kube, pass }: Stage) => {
          const spec = { hard: { 'limits.cpu': '600m' } }
          await kube.create(resourceQuotas, { metadata: inDefault('team'), spec })
          await pass(2)
        },
      },
    ] as const,
    async ({ reason, bound }) => {
      await onStage({}, async (stage) => {
        await bound(stage)
        await stage.run(web)
        await stage.wish('web', more)
        await stage.pass(15)
        await stage.until('web', reason)
        assert.equal((await stage.cpu('web'))['app limit'], 600)
        assert.equal(stage.resizes.length, 1)
        assertUnharmed(await stage.pod('web'))
      })
    },
  )
})

void describe('what a kubelet says of a resize is told in its words', () => {
  const message = 'in words of the kubelet'
  each(
    [
      { name: 'InProgress', state: 'InProgress', says: /at work/ },
      { name: 'Deferred', state: 'Deferred', event: 'ResizeNotVerified' },
      { name: 'Infeasible', state: 'Infeasible', event: 'ResizeNotVerified' },
      { name: 'ActuationError', state: 'Error', event: 'ResizeNotVerified' },
    ] as const,
    async ({ name: reason, state, ...row }) => {
      await onHollowNode(
        () => ({ state, message }),
        async (stage) => {
          await stage.wish('web', more)
          const status = await stage.until('web', reason)
          assert.match(status.message ?? '', 'says' in row ? row.says : new RegExp(message))
          assert.equal(status.appliedCPULimit, '500m')
          await stage.pass(120)
          assert.equal(stage.resizes.length, 1, 'it is asked for once')
          const told = (await stage.events('web')).find(({ message }) => message.startsWith(reason))
          assert.equal(told?.reason, 'event' in row ? row.event : undefined)
          assertUnharmed(await stage.pod('web'))
        },
      )
    },
  )

  void test('what can never be is not asked for again, but less is', async () => {
    await onHollowNode(
      ({ spec }) =>
        spec.containers[0]?.resources?.limits?.['cpu'] === '800m'
          ? { state: 'Infeasible', message }
          : 'done',
      async (stage) => {
        await stage.wish('web', more)
        await stage.until('web', 'Infeasible')
        await stage.pass(60)
        await stage.wish('web', { request: '150m', limit: '700m' })
        const status = await stage.until('web', 'Applied')
        assert.equal(status.appliedCPULimit, '700m')
        const asked = stage.resizes.map(({ after }) => after.get('app limit'))
        assert.deepEqual(asked, [800, 700])
      },
    )
  })
})

/** `web` runs on a node whose kubelet answers as a test says. */
async function onHollowNode(
  answer: NonNullable<Parameters<typeof startHollowKubelets>[0]['answer']>,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  await onStage({}, async (stage) => {
    const { clock } = stage.cluster.agenda
    const kube = stage.clientOf('kubelet')
    await createNodes(stage.kube, ['hollow'], 4)
    const isNew = ({ status }: Pod) => status?.phase !== 'Running'
    const kubelet = startHollowKubelets({
      kube,
      clock,
      nodes: new Set(['hollow']),
      answer: (pod) => (isNew(pod) ? 'done' : answer(pod)),
    })
    await stage.run(changed(web, { spec: { nodeName: 'hollow' } }))
    await work(stage)
    await kubelet.stop()
  })
}
