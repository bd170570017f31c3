import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { readScenario } from '../../apis/read-scenario.ts'
import { greeting } from './greeting.ts'

const started = {
  name: 'rush hour',
  scenario: readScenario({
    about: 'Two services outgrow their limits.',
    workloads: [{ name: 'web', namespace: 'shop' }],
  }),
  speed: 10,
  url: 'http://127.0.0.1:8080',
  kubeconfig: '/tmp/k',
} as const

void describe('the greeting of the demo', () => {
  void test('tells where the page is, and what to ask', () => {
    assert.equal(
      greeting(started),
      `rush hour, 10 times as fast as real time; Ctrl-C ends it.
Two services outgrow their limits.

Watch it:  http://127.0.0.1:8080

Ask it, in another terminal:
  export KUBECONFIG=/tmp/k
  kubectl get nodemarkets
  kubectl get podallocations -A
  kubectl annotate pod -n shop -l app=web --overwrite sim.mbcas.io/load='steady cpu=2'`,
    )
  })

  void test('names no workload where there is none', () => {
    const said = greeting({ ...started, scenario: readScenario({}), speed: 1 })
    assert.match(said, /^rush hour, in real time; Ctrl-C ends it\.\n\nWatch/)
    assert.match(said, /\n {2}kubectl top pods -A$/)
  })
})
