/** Of a namespace that MarketSettings excludes the controller may only undo what it did there. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { originalAnnotation } from '../../../src/apis/names.ts'
import { pods } from '../../../src/apis/pod.ts'
import { each } from '../../each.ts'
import { root } from '../../run.ts'
import { until } from '../../until.ts'
import { type Accounts, refusalOf } from '../accounts.ts'
import { idle, podOf } from '../real-pods.ts'

const settings = {
  apiVersion: 'allocation.mbcas.io/v1alpha1',
  kind: 'MarketSettings',
  metadata: { name: 'cluster' },
  spec: { excludedNamespaces: ['bank'] },
}
const note = (value: string | null) => ({
  metadata: { annotations: { [originalAnnotation]: value } },
})

/** On a cluster that has our policies, and a pod `web` in `default`; at its end it lacks a kind. */
export function describeExclusions(accounts: () => Accounts): void {
  const change = async (body: object, subresource?: 'resize', namespace = 'bank') =>
    accounts()
      .as('controller')
      .patch(
        pods,
        { namespace, name: 'web', ...(subresource && { subresource }) },
        { type: 'strategic', body },
        { dryRun: true },
      )
  const resize = async (request: string, limit: string, namespace?: string) => {
    const resources = { requests: { cpu: request }, limits: { cpu: limit } }
    return change({ spec: { containers: [{ name: 'main', resources }] } }, 'resize', namespace)
  }
  const person = async (args: readonly string[], object?: object) => {
    const { code, stderr } = await accounts().kubectl(args, object)
    assert.equal(code, 0, stderr)
  }
  const annotate = async (value: string) =>
    person([
      'annotate',
      'pod',
      'web',
      '-n',
      'bank',
      '--overwrite',
      `${originalAnnotation}=${value}`,
    ])

  void describe('the controller where MarketSettings excludes a namespace', () => {
    before(async () => {
      await person(['create', 'namespace', 'bank'])
      const pod = podOf({ name: 'web', work: idle, request: '100m', limit: '200m' })
      await person(['apply', '-n', 'bank', '-f', '-'], pod)
      await resize('150m', '300m') // nothing is excluded yet
      await person(['apply', '-f', '-'], settings)
      await until('the exclusion', async () => {
        const said = await refusalOf(resize('150m', '300m'))
        return said?.includes('excludes namespace bank') === true
      })
    })

    after(async () => {
      await person(['delete', 'marketsettings', 'cluster'])
      await person(['delete', 'namespace', 'bank', '--wait=false'])
    })

    void test('notes nothing there, and resizes no pod without its note', async () => {
      const words = /^403 .*excludes namespace bank: the controller may/
      // One after the other: the refusal of one that nobody awaits yet would end the test.
      const noted = change(note('{"main":{"limit":"300m"}}'))
      assert.match((await refusalOf(noted)) ?? 'allowed', words)
      assert.match((await refusalOf(resize('150m', '300m'))) ?? 'allowed', words)
      await resize('150m', '300m', 'default')
    })

    void test('gives back what its note says, by steps, and takes the note away', async () => {
      await annotate('{"log":{"request":"1"},"main":{"request":"150m","limit":"1"}}')
      await resize('120m', '200m')
      await resize('100m', '300m')
      await resize('150m', '1')
      await change(note(null))
    })

    each(
      [
        { name: 'not more than it says', value: '{"main":{"limit":"250m"}}' },
        { name: 'nor away from it', value: '{"main":{"limit":"150m"}}' },
        { name: 'nor by what another container had', value: '{"domain":{"limit":"300m"}}' },
        { name: 'nor by what it does not say', value: '{"main":{"request":"300m"}}' },
        { name: 'nor by what is no amount', value: '{"main":{"limit":"lots"}}' },
      ],
      async ({ value }) => {
        await annotate(value)
        const resized = (await refusalOf(resize('100m', '300m'))) ?? 'allowed'
        assert.match(resized, /^403 .*give its pods back what mbcas\.io\/original-cpu says/)
        const noted = (await refusalOf(change(note('{"main":{"limit":"300m"}}')))) ?? 'allowed'
        assert.match(noted, /^403 .*and not write it/)
      },
    )
  })

  void test('people change pods as ever where there is no kind MarketSettings', async () => {
    const name = 'mbcas-controller-exclusions'
    const policy = 'validatingadmissionpolicy'
    await person(['delete', `${policy},${policy}binding`, name])
    await person(['delete', 'crd', 'marketsettings.allocation.mbcas.io'])
    await person(['apply', '-f', join(root, 'deploy', 'rbac', 'policy-controller.yaml')])
    const observed = ['get', policy, name, '-o', 'jsonpath={.status.observedGeneration}']
    await until('the policy', async () => (await accounts().kubectl(observed)).stdout === '1')
    const label = ['label', 'pod', 'web', '--overwrite', '--dry-run=server']
    for (let i = 0; i < 5; i++) await person([...label, `seen=${i}`])
    await change(note('{}'), undefined, 'default')
  })
}
