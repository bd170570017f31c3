/** What a tenant may not: set an administrator's bounds, or forge what the controller notes. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'

import { originalAnnotation } from '../../../src/apis/names.ts'
import { isForeignNote } from '../../../src/apis/original-note.ts'
import { pods } from '../../../src/apis/pod.ts'
import { seePod } from '../../../src/apps/controller/seen-pod.ts'
import { createPodWriter } from '../../../src/apps/controller/write-pod.ts'
import { each } from '../../each.ts'
import { until } from '../../until.ts'
import { refusalOf } from '../accounts.ts'
import { idle, podOf } from '../real-pods.ts'
import { allocation, type RbacStage } from './stage.ts'

export function describeTenant(stage: RbacStage): void {
  void describe('a tenant, even one who may change all of a namespace', () => {
    const tenant = ['--as', 'tenant', '--dry-run=server']
    const bind = (user: string, role: string) =>
      stage.accounts.kubectl([
        'create',
        'clusterrolebinding',
        `${user}-${role}`,
        `--clusterrole=${role}`,
        `--user=${user}`,
      ])

    before(async () => {
      const rights = [
        [
          'create',
          'clusterrole',
          'namespace-owner',
          '--verb=get,patch,update,create',
          '--resource=namespaces',
        ],
        [
          'create',
          'clusterrole',
          'mbcas-admin',
          '--verb=update',
          '--resource=marketsettings.allocation.mbcas.io',
        ],
      ]
      for (const right of rights) await stage.accounts.kubectl(right)
      for (const user of ['tenant', 'boss']) {
        for (const role of ['admin', 'namespace-owner']) await bind(user, role)
      }
      await bind('boss', 'mbcas-admin')
    })

    each(
      [
        { name: 'sets no share factor', key: 'share-factor', value: '100' },
        { name: 'no larger multiplier', key: 'max-priority-multiplier', value: '10' },
        { name: 'no higher floor', key: 'max-min-cpu', value: '64' },
        { name: 'no stricter target', key: 'min-target-latency-ms', value: '1' },
        { name: 'no higher ceiling', key: 'max-cpu', value: '64' },
        { name: 'nor coalitions', key: 'coalitions', value: 'true' },
      ],
      async ({ key, value }) => {
        const words = ['annotate', 'namespace', 'default', `mbcas.io/${key}=${value}`]
        const { code, stderr } = await stage.accounts.kubectl([...words, ...tenant])
        assert.notEqual(code, 0)
        assert.match(stderr, new RegExp(`only an administrator of MBCAS may .*mbcas.io/${key}`))
        const boss = await stage.accounts.kubectl([...words, '--as', 'boss', '--dry-run=server'])
        assert.equal(boss.code, 0, boss.stderr)
      },
    )

    void test('makes no namespace with them, and may say all else', async () => {
      const namespace = (annotations: object) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: 'mine', annotations },
      })
      const make = async (annotations: object) =>
        stage.accounts.kubectl(['create', ...tenant, '-f', '-'], namespace(annotations))
      const refused = await make({ 'mbcas.io/share-factor': '2' })
      assert.match(refused.stderr, /only an administrator of MBCAS/)
      const made = await make({ 'mbcas.io/mode': 'recommend', 'mbcas.io/priority-multiplier': '2' })
      assert.equal(made.code, 0, made.stderr)
    })

    void test('forges no original values on a pod that runs', async () => {
      const note = [`${originalAnnotation}={"main":{"request":"3","limit":"100"}}`]
      const annotate = async (...more: string[]) =>
        stage.accounts.kubectl([
          'annotate',
          'pod',
          'web',
          '--overwrite',
          ...note,
          ...tenant,
          ...more,
        ])
      for (const more of [[], ['--field-manager', 'mbcas-controller']]) {
        const { code, stderr } = await annotate(...more)
        assert.notEqual(code, 0)
        assert.match(stderr, /mbcas\.io\/original-cpu is the controller's/)
      }
    })

    void test('nor on its PodAllocation, be it that it may write its status', async () => {
      const { kubectl, sh } = stage.accounts
      const right = ['clusterrole', 'status-writer', '--verb=get,patch']
      const resources = '--resource=podallocations.allocation.mbcas.io/status'
      await kubectl(['create', ...right, resources])
      await bind('tenant', 'status-writer')
      await kubectl(['apply', '-f', '-'], allocation(stage.nodeName, { name: 'kept' }))
      const forge = async (user: string) =>
        sh(
          `kubectl patch pa kept --subresource=status --type=merge --as ${user} --dry-run=server \\
             -p '{"status":{"originalCPULimit":"100"}}'`,
        )
      await bind('boss', 'status-writer')
      const { code, stderr } = await forge('tenant')
      assert.notEqual(code, 0)
      assert.match(stderr, /the status of a PodAllocation is the controller's/)
      assert.equal((await forge('boss')).code, 0)
    })

    void test('nor brings any with a new one, under whatever name', async () => {
      const pod = podOf({ name: 'forged', work: idle, request: '100m', limit: '200m' })
      const annotations = { ...pod.metadata.annotations, [originalAnnotation]: '{}' }
      const forged = { ...pod, metadata: { ...pod.metadata, annotations } }
      for (const more of [[], ['--field-manager', 'mbcas-controller']]) {
        const made = await stage.accounts.kubectl(['create', ...tenant, '-f', '-', ...more], forged)
        assert.match(made.stderr, /may not come with mbcas\.io\/original-cpu.*the template/s)
      }
      const target = { apiVersion: 'v1', kind: 'Node', name: stage.nodeName }
      const metadata = { name: 'web', annotations: { [originalAnnotation]: '{}' } }
      const binding = { apiVersion: 'v1', kind: 'Binding', metadata, target }
      const bound = await stage.accounts.kubectl(['create', '--dry-run=server', '-f', '-'], binding)
      assert.match(bound.stderr, /may not come with mbcas\.io\/original-cpu/)
    })

    void test('nor has one counted that was there before the policy', async () => {
      const name = 'older'
      const pod = podOf({ name, work: idle, request: '100m', limit: '200m' })
      const { kubectl, as } = stage.accounts
      await kubectl(['apply', '-f', '-'], pod)
      const text = '{"main":{"request":"3"}}'
      // An administrator may, so that a foreign note stands there as from before.
      const noted = await kubectl(['annotate', 'pod', name, `${originalAnnotation}=${text}`])
      assert.equal(noted.code, 0, noted.stderr)
      const only = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', annotations: { [originalAnnotation]: text } },
      }
      const words = /metadata\.managedFields says whether mbcas-controller wrote/
      const ours = ['apply', '--server-side', '--field-manager', 'mbcas-controller', '-f', '-']
      assert.match((await kubectl([...ours, ...tenant], only)).stderr, words)
      const { metadata } = await as('person').get(pods, { namespace: 'default', name })
      assert.ok(isForeignNote(metadata))
      await clearRecord(name)
      const unknown = await as('person').get(pods, { namespace: 'default', name })
      assert.ok(isForeignNote(unknown.metadata))
      await kubectl(['delete', 'pod', name, '--now', '--wait=false'])
    })

    const cleared = '{"metadata":{"managedFields":[{}]}}'
    const clearRecord = async (name: string, ...more: string[]) =>
      stage.accounts.kubectl(['patch', 'pod', name, '--type=merge', '-p', cleared, ...more])
    void test("nor keeps the controller's from being its own, with no record of writers", async () => {
      const name = 'cleared'
      const { kubectl, as } = stage.accounts
      const place = { namespace: 'default', name }
      await kubectl(
        ['apply', '-f', '-'],
        podOf({ name, work: idle, request: '100m', limit: '200m' }),
      )
      await kubectl(['wait', '--for=condition=Ready', 'pod', name, '--timeout=300s'])
      const { code, stderr } = await clearRecord(name, '--as', 'tenant')
      assert.equal(code, 0, stderr)
      const writer = createPodWriter(as('controller'))
      const { signal } = new AbortController()
      const find = async () => as('person').get(pods, place)
      const { metadata: before, ...rest } = await find()
      const stale = seePod({ metadata: { ...before, resourceVersion: '1' }, ...rest })
      assert.match((await refusalOf(writer.recordOriginal(stale, signal))) ?? '', /^409/)
      await until('a note', async () => {
        const said = await refusalOf(writer.recordOriginal(seePod(await find()), signal))
        return said === undefined
      })
      const noted = seePod(await find())
      assert.deepEqual([noted.isNoted, noted.original], [true, noted.cpu.spec])
      const again = await clearRecord(name, ...tenant)
      assert.match(again.stderr, /metadata\.managedFields says whether mbcas-controller wrote/)
      const label = await kubectl(['label', 'pod', name, 'app=any', ...tenant])
      assert.equal(label.code, 0, label.stderr)
      await until('no note', async () => {
        const said = await refusalOf(writer.dropOriginal(seePod(await find()), signal))
        return said === undefined
      })
      assert.equal((await find()).metadata.annotations?.[originalAnnotation], undefined)
      const gone = { ...noted, metadata: { ...noted.metadata, name: 'gone' } }
      assert.match((await refusalOf(writer.recordOriginal(gone, signal))) ?? '', /^4(03|09|22)/)
      await kubectl(['delete', 'pod', name, '--now', '--wait=false'])
    })
  })
}
