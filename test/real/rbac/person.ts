/** What a person is told who writes a PodAllocation. The agent's tests have left some before. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { allocation, type RbacStage } from './stage.ts'

export function describePerson(stage: RbacStage): void {
  void describe('a person', () => {
    const tryApply = async (object: object) =>
      stage.accounts.kubectl(['apply', '--dry-run=server', '-f', '-'], object)

    void test('is told what an override may be', async () => {
      const { code, stderr } = await tryApply(allocation(undefined, { override: 'yes' }))
      assert.equal(code, 1)
      assert.match(stderr, /mbcas\.io\/override must be "true" .* or "false" .*, got "yes"/)
    })

    void test('is told of sums that would change nothing', async () => {
      const told = allocation(undefined, { name: 'told', override: 'true' })
      const containers = [{ name: 'main', desiredCPULimit: '300m' }]
      await stage.accounts.kubectl(['apply', '-f', '-'], {
        ...told,
        spec: { ...told.spec, containers },
      })
      const patch = async (spec: object) =>
        stage.accounts.kubectl(
          `patch pa told --dry-run=server --type=merge -p ${JSON.stringify({ spec })}`.split(' '),
        )
      const { code, stderr } = await patch({ desiredCPULimit: '500m' })
      assert.equal(code, 1)
      assert.match(stderr, /the sums alone change nothing; .* "containers": null/)
      const split = await patch({ desiredCPULimit: '500m', containers: null })
      assert.deepEqual([split.code, split.stderr], [0, ''])
    })

    void test('is warned of an allocation that will not last, and only then', async () => {
      const { code, stderr } = await tryApply(allocation(undefined))
      assert.equal(code, 0, stderr)
      assert.match(
        stderr,
        /^Warning: .*yours will not last; add the annotation mbcas\.io\/override/m,
      )
      for (const quiet of [
        await tryApply(allocation(undefined, { override: 'true' })),
        await stage.accounts.kubectl(['annotate', 'pa', 'theirs', 'note=seen', '--dry-run=server']),
      ])
        assert.deepEqual([quiet.code, quiet.stderr], [0, ''])
    })
  })
}
