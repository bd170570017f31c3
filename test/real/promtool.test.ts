/** The real promtool reads our metrics and tries the rules that we ship. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'

import { agentMetrics } from '../../src/apps/agent/metrics.ts'
import { controllerMetrics } from '../../src/apps/controller/metrics.ts'
import { planNode } from '../../src/core/bidding/plan.ts'
import { millicores } from '../../src/core/units.ts'
import { registry } from '../../src/runtime/metrics.ts'
import { pathOf, real, skipUnless } from '../real.ts'
import { root, run } from '../run.ts'

const skip = skipUnless(real.prometheus)
const promtool = async (args: readonly string[], input = '') =>
  run(join(pathOf(real.prometheus), 'promtool'), args, {
    cwd: join(root, 'deploy', 'prometheus'),
    input,
  })

void test("promtool finds nothing in the agent's metrics", { skip }, async () => {
  const metrics = registry()
  const agent = agentMetrics(metrics, 'n1')
  const pod = { namespace: 'shop', name: 'web "1"\\' }
  agent.sampled({ containers: 3, missing: 1, dropped: [] })
  agent.measured(pod, {
    demandCores: 0.5,
    periods: 1,
    throttledPeriods: 1,
    throttledSeconds: 0.1,
    waitedSeconds: 0.2,
    burstPeriods: 0,
  })
  agent.judged(pod, { isSuffering: true, credits: 1.5, shares: 1024, p99Millis: 20 })
  agent.protectedSomebody()
  agent.byRequests(2)
  agent.latencyTold('answered', 1)
  agent.took('clearing', 0.001)
  agent.took('reading', 0.001)
  agent.took('discovery', 0.001)
  agent.published('written')
  agent.misaligned([{ kind: 'spread' }])
  agent.cleared(planNode({ allocatable: millicores(1000) }, []))
  const { code, stderr } = await promtool(['check', 'metrics'], metrics.render())
  assert.deepEqual([code, stderr], [0, ''])
})

void test("promtool finds nothing in the controller's metrics", { skip }, async () => {
  const metrics = registry()
  const controller = controllerMetrics(metrics)
  controller.resized('accepted')
  controller.actuated(900)
  controller.standing('Pending', 'Deferred', 1)
  controller.waiting('Deferred', 60_000)
  controller.reconciled('done')
  const { code, stdout, stderr } = await promtool(['check', 'metrics'], metrics.render())
  assert.deepEqual([code, stdout, stderr], [0, '', ''])
})

for (const args of [
  ['check', 'rules', 'rules.yaml'],
  ['test', 'rules', 'rules.test.yaml'],
]) {
  void test(`promtool ${args.join(' ')} succeeds`, { skip }, async () => {
    const { code, stdout, stderr } = await promtool(args)
    assert.equal(code, 0, stdout + stderr)
    assert.match(stdout, /SUCCESS/)
  })
}
