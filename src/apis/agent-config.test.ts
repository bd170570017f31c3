import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

import * as v from 'valibot'

import { each } from '../../test/each.ts'
import { root } from '../../test/run.ts'
import { parseDocument } from '../adapters/document.ts'
import { biddingRules } from '../core/bidding/rules.ts'
import { publicationRules } from '../core/demand/publication.ts'
import { agentConfigFile, hostConfigFile } from './agent-config-keys.ts'
import { type AgentConfig, readAgentConfig } from './agent-config.ts'

const read = (keys: Record<string, unknown> = {}) => readAgentConfig(keys, 'agent.yaml')
const rounded = (value: number) => Number(value.toFixed(3))

type Key = {
  readonly name: string
  /** Where it ends up, and what stands there unless it is given. */
  readonly shows: (config: AgentConfig) => unknown
  readonly usual: unknown
  readonly given: unknown
  readonly gives: unknown
}

/** In the order of seed document 001; where it contradicts itself, as shared/facts/seeds.md resolves it. */
const seedKeys: readonly Key[] = [
  {
    name: 'samplingInterval',
    shows: ({ samplingMillis }) => samplingMillis,
    usual: 250,
    given: '1s',
    gives: 1000,
  },
  {
    name: 'fastLoopInterval',
    shows: ({ fastMillis }) => fastMillis,
    usual: 2000,
    given: '1s',
    gives: 1000,
  },
  {
    name: 'slowLoopInterval',
    shows: ({ slowMillis }) => slowMillis,
    usual: 15_000,
    given: '0.5m',
    gives: 30_000,
  },
  {
    name: 'baselineCPUPerPod',
    shows: ({ bidding }) => bidding.floor,
    usual: 100,
    given: 0.5,
    gives: 500,
  },
  {
    name: 'systemReservePercent',
    shows: ({ bidding }) => bidding.reserveRatio,
    usual: 0.1,
    given: 25,
    gives: 0.25,
  },
  {
    name: 'minChangePercent',
    shows: ({ publication }) => publication.minChangeRatio,
    usual: 0.02,
    given: 5,
    gives: 0.05,
  },
  {
    name: 'alphaUp',
    shows: ({ smoothing }) => rounded(smoothing.upSeconds),
    usual: 2.804,
    given: 1,
    gives: 0,
  },
  {
    name: 'alphaDown',
    shows: ({ smoothing }) => rounded(smoothing.downSeconds),
    usual: 9.491,
    given: 0.2,
    gives: 4.481,
  },
  {
    name: 'costEfficiencyMode',
    shows: ({ bidding }) => bidding.isCostMode,
    usual: false,
    given: true,
    gives: true,
  },
  {
    name: 'needHeadroomFactor',
    shows: ({ bidding }) => bidding.headroomRatio,
    usual: 0.15,
    given: 0.3,
    gives: 0.3,
  },
  {
    name: 'enableFastGuardrail',
    shows: ({ guardrail }) => guardrail.isOn,
    usual: true,
    given: false,
    gives: false,
  },
  {
    name: 'fastUpThreshold',
    shows: ({ guardrail }) => guardrail.throttledRatio,
    usual: 0.05,
    given: 0.1,
    gives: 0.1,
  },
  {
    name: 'sloLatencyTarget',
    shows: ({ latency }) => latency.targetMillis,
    usual: 100,
    given: '0s',
    gives: undefined,
  },
  {
    name: 'skipGuaranteed',
    shows: ({ bidding }) => bidding.skipsGuaranteed,
    usual: true,
    given: false,
    gives: false,
  },
]

const newKeys: readonly Key[] = [
  {
    name: 'enforcement',
    shows: ({ bidding }) => bidding.enforcement,
    usual: 'elastic',
    given: 'strict',
    gives: 'strict',
  },
  {
    name: 'mechanism',
    shows: ({ bidding }) => bidding.mechanism,
    usual: 'nash',
    given: 'primal-dual',
    gives: 'primal-dual',
  },
  {
    name: 'enablePriceResponse',
    shows: ({ bidding }) => bidding.respondsToPrice,
    usual: false,
    given: true,
    gives: true,
  },
  {
    name: 'startupGracePeriod',
    shows: ({ publication }) => publication.graceMillis,
    usual: 90_000,
    given: '45s',
    gives: 45_000,
  },
  {
    name: 'prometheusURL',
    shows: ({ latency }) => latency.prometheusUrl,
    usual: undefined,
    given: 'http://prometheus:9090',
    gives: 'http://prometheus:9090',
  },
  {
    name: 'latencyQuery',
    shows: ({ latency }) => latency.query,
    usual: undefined,
    given: 'p99_seconds',
    gives: 'p99_seconds',
  },
  {
    name: 'enableBurst',
    shows: ({ usesBurst }) => usesBurst,
    usual: true,
    given: false,
    gives: false,
  },
]

void describe("the agent's configuration", () => {
  each([...seedKeys, ...newKeys], ({ name, shows, usual, given, gives }) => {
    assert.deepEqual(shows(read()), usual)
    assert.deepEqual(shows(read({ [name]: given })), gives)
  })

  void test('no key is without a row here, or without words on the page', () => {
    const known = Object.keys(agentConfigFile.entries)
    assert.deepEqual(known.toSorted(), [...seedKeys, ...newKeys].map(({ name }) => name).toSorted())
    for (const field of Object.values({ ...agentConfigFile.entries, ...hostConfigFile.entries })) {
      const inside = field.type === 'optional' ? field.wrapped : field
      assert.ok((v.getDescription(inside) ?? '').length > 15)
    }
  })

  void test('seed document 001 is accepted as it stands, but for keys of what is gone', () => {
    const seed = {
      samplingInterval: '1s',
      fastLoopInterval: '2s',
      slowLoopInterval: '15s',
      baselineCPUPerPod: '100m',
      systemReservePercent: 10,
      minChangePercent: 2,
      alphaUp: 0.3,
      alphaDown: 0.1,
      costEfficiencyMode: false,
      needHeadroomFactor: 0.05,
      enableFastGuardrail: true,
      fastUpThreshold: 0.05,
      sloLatencyTarget: '100ms',
      skipGuaranteed: false,
    }
    const gone = {
      targetThrottling: 0.01,
      enableKalmanPrediction: true,
      enableAgentBasedModeling: true,
      agentLearningRate: 0.1,
      agentDiscountFactor: 0.9,
      agentExplorationRate: 0.1,
    }
    assert.deepEqual(
      Object.keys(seed),
      seedKeys.map(({ name }) => name),
    )
    const { samplingMillis, bidding } = read(seed)
    assert.deepEqual([samplingMillis, bidding.headroomRatio], [1000, 0.05])
    for (const [key, value] of Object.entries(gone)) {
      assert.throws(() => read({ ...seed, [key]: value }), new RegExp(`unknown key "${key}"`))
    }
  })

  void test('the example says every key, with its default', () => {
    const text = readFileSync(join(root, 'examples/agent.yaml'), 'utf8')
    assert.deepEqual(readAgentConfig(parseDocument(text, 'agent.yaml'), 'agent.yaml'), read())
    for (const key of Object.keys(agentConfigFile.entries)) {
      assert.match(text, new RegExp(`^(# )?${key}: `, 'm'))
    }
  })

  each(
    Object.keys(agentConfigFile.entries).map((key) => ({
      name: `${key} is named when misspelt`,
      key,
    })),
    ({ key }) => {
      const misspelt = key.replace(/.$/, '')
      assert.throws(() => read({ [misspelt]: 1 }), {
        message: `agent.yaml: unknown key "${misspelt}"; did you mean "${key}"?`,
      })
    },
  )

  void test('without a file, the numbers are those of the algorithms', () => {
    const { bidding, publication, guardrail } = read()
    assert.deepEqual(bidding, biddingRules)
    assert.deepEqual(publication, publicationRules)
    assert.deepEqual(guardrail, { isOn: true, throttledRatio: 0.05 })
  })

  void test('the cost mode has defaults of its own, and what is given wins', () => {
    const cost = read({ costEfficiencyMode: true })
    assert.equal(cost.bidding.headroomRatio, 0.05)
    assert.equal(rounded(cost.smoothing.downSeconds), 0.831)
    const given = read({ costEfficiencyMode: true, needHeadroomFactor: 0.1, alphaDown: 0.2 })
    assert.equal(given.bidding.headroomRatio, 0.1)
    assert.equal(rounded(given.smoothing.downSeconds), 4.481)
  })

  each(
    [
      {
        name: 'an unknown key, with the nearest known one',
        keys: { samplingIntervall: '1s' },
        says: 'agent.yaml: unknown key "samplingIntervall"; did you mean "samplingInterval"?',
      },
      {
        name: 'a duration out of range',
        keys: { samplingInterval: '5s' },
        says: 'agent.yaml: expected samplingInterval to be a duration from 100ms to 1s, got "5s"',
      },
      {
        name: 'a duration without its unit',
        keys: { slowLoopInterval: 15 },
        says: 'agent.yaml: expected slowLoopInterval to be a duration from 1s to 10m, got 15',
      },
      {
        name: 'no quantity',
        keys: { baselineCPUPerPod: '100 m' },
        says: 'agent.yaml: expected baselineCPUPerPod to be CPU of at least 10m, such as 100m, 0.5 or 2, got "100 m"',
      },
      {
        name: 'a percentage as a share of more than all',
        keys: { fastUpThreshold: 5 },
        says: 'agent.yaml: expected fastUpThreshold to be a number from 0 to 1, got 5',
      },
      {
        name: 'a word for a switch',
        keys: { costEfficiencyMode: 'yes' },
        says: 'agent.yaml: expected costEfficiencyMode to be true or false, got "yes"',
      },
      {
        name: 'an unknown mechanism',
        keys: { mechanism: 'auction' },
        says: 'agent.yaml: expected mechanism to be nash, kalai-smorodinsky, primal-dual, got "auction"',
      },
      {
        name: 'an unknown enforcement',
        keys: { enforcement: 'quota' },
        says: 'agent.yaml: expected enforcement to be elastic, strict, got "quota"',
      },
      {
        name: 'no URL',
        keys: { prometheusURL: 'prometheus' },
        says: 'agent.yaml: expected prometheusURL to be the URL of a Prometheus, got "prometheus"',
      },
    ],
    ({ keys, says }) => assert.throws(() => read(keys), { name: 'InvalidInput', message: says }),
  )

  each(
    ['resizeCooldown', 'maxStepSizeFactor'].map((name) => ({
      name: `${name} is the controller's`,
      key: name,
    })),
    ({ key }) => assert.throws(() => read({ [key]: 2 }), /unknown key/),
  )
})
