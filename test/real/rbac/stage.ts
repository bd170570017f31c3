/**
 * A real cluster with our service accounts, roles and policies and a pod `web`, and what agents, the
 * controller and people ask of it. It is opened once, since that takes longest.
 */
import assert from 'node:assert/strict'

import { overrideAnnotation } from '../../../src/apis/names.ts'
import { podAllocations } from '../../../src/apis/pod-allocation.ts'
import { pods } from '../../../src/apis/pod.ts'
import { until } from '../../until.ts'
import { type Accounts, openAccounts, refusalOf } from '../accounts.ts'
import { idle, podOf } from '../real-pods.ts'

export const allocation = (
  nodeName: string | undefined,
  { name = 'web', override }: { readonly name?: string; readonly override?: string } = {},
) => ({
  apiVersion: 'allocation.mbcas.io/v1alpha1',
  kind: 'PodAllocation',
  metadata: {
    name,
    ...(override !== undefined && { annotations: { [overrideAnnotation]: override } }),
  },
  spec: { podName: name, ...(nodeName !== undefined && { nodeName }), desiredCPULimit: '300m' },
})

/** By its pod, as an agent writes it. */
export const owned = (
  body: ReturnType<typeof allocation>,
  { uid = 'uid-of-pod', ...more }: { readonly uid?: string; readonly [key: string]: unknown } = {},
) => {
  const { name } = body.metadata
  const ownerReferences = [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }]
  const metadata = { ...body.metadata, ownerReferences, ...more }
  return { ...body, metadata, spec: { ...body.spec, podUID: uid } }
}

/** Nothing is kept of what is asked. */
export const dryRun = true

export async function assertRefused(asked: Promise<unknown>, ...words: RegExp[]): Promise<void> {
  const said = (await refusalOf(asked)) ?? 'allowed'
  for (const word of words) assert.match(said, word)
}

export type RbacStage = ReturnType<typeof rbacStage>

/** Tests are declared before it is open. */
export function rbacStage() {
  let opened: Accounts | undefined
  const accounts = (): Accounts => {
    assert.ok(opened, 'the stage is not open')
    return opened
  }

  /** As an agent does it. */
  const publish = async (who: string, body: ReturnType<typeof allocation>) =>
    publishIn('default', who, owned(body))
  const publishIn = async (namespace: string, who: string, body: ReturnType<typeof allocation>) =>
    accounts()
      .as(who)
      .patch(
        podAllocations,
        { namespace, name: body.metadata.name },
        { type: 'apply', body, fieldManager: 'mbcas-agent', force: true },
        { dryRun },
      )

  /** As the controller does it. */
  const changePod = async (body: object, subresource?: 'resize') =>
    accounts()
      .as('controller')
      .patch(
        pods,
        { namespace: 'default', name: 'web', ...(subresource && { subresource }) },
        { type: 'strategic', body },
        { dryRun },
      )

  const open = async (): Promise<void> => {
    opened = await openAccounts()
    const { cluster } = opened
    const pod = podOf({ name: 'web', work: idle, request: '100m', limit: '200m' })
    await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(pod))
    await cluster.kubectl(['wait', '--for=condition=Ready', 'pod', '--all', '--timeout=300s'])
    // A policy acts a moment after it is made.
    await until('the policies', async () => {
      const said = await Promise.all([
        refusalOf(publish('agent', allocation('elsewhere'))),
        refusalOf(changePod({ metadata: { labels: { app: 'web' } } })),
        refusalOf(publish('person', allocation(undefined, { override: 'yes' }))),
      ])
      return said.every((words) => words?.includes('ValidatingAdmissionPolicy'))
    })
  }

  return {
    open,
    close: async () => opened?.stop(),
    get accounts() {
      return accounts()
    },
    get nodeName() {
      return accounts().cluster.nodeName
    },
    publish,
    publishIn,
    changePod,
  }
}
