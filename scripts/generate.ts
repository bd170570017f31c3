/** Writes the generated files; with --check it only tells which are not current, and exits with 1. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

import { agentConfigFile, hostConfigFile } from '../src/apis/agent-config-keys.ts'
import { controllerConfigFile } from '../src/apis/controller-config.ts'
import { cpuQuestions } from '../src/apis/cpu-question.ts'
import { faultFile } from '../src/apis/fault-file.ts'
import { marketFile, marketResult } from '../src/apis/market-file.ts'
import { scenarioFile } from '../src/apis/scenario-file.ts'
import { topologyFile } from '../src/apis/topology-file.ts'
import { buildProgram } from '../src/apps/main.ts'
import { commandPage } from './command-reference.ts'
import {
  marketSettingsDefinition,
  nodeMarketDefinition,
  nodeResourceTopologyDefinition,
  podAllocationDefinition,
} from './crd-definitions.ts'
import { resourcePage } from './crd-reference.ts'
import { crdYaml } from './crd.ts'
import { loadSections } from './load-reference.ts'
import { configPage, schemaPage } from './reference.ts'

const files: Readonly<Record<string, () => string>> = {
  'deploy/crds/marketsettings.allocation.mbcas.io.yaml': () => crdYaml(marketSettingsDefinition),
  'deploy/crds/nodemarkets.allocation.mbcas.io.yaml': () => crdYaml(nodeMarketDefinition),
  'deploy/crds/podallocations.allocation.mbcas.io.yaml': () => crdYaml(podAllocationDefinition),
  'deploy/crds/noderesourcetopologies.topology.node.k8s.io.yaml': () =>
    crdYaml(nodeResourceTopologyDefinition),
  'docs/reference/agent-config.md': () =>
    configPage(
      "The agent's configuration",
      'What `mbcas agent --config` reads, JSON or YAML: `agent` in a cluster, `host` with `--host`. A key that is not listed is refused.',
      { agent: agentConfigFile, host: hostConfigFile },
    ),
  'docs/reference/controller-config.md': () =>
    configPage(
      "The controller's configuration",
      'What `mbcas controller --config` reads, JSON or YAML. A key that is not listed is refused.',
      { controller: controllerConfigFile },
    ),
  'docs/reference/cli.md': () => commandPage(buildProgram()),
  'docs/reference/cpu-files.md': () =>
    schemaPage(
      'Topologies and questions about CPUs',
      'What `mbcas cpu plan --topology` reads, unless it is of lscpu, and the questions of `mbcas cpu assign`, `hints` and `merge`, JSON or YAML. A key that is not listed is refused. [The guide](../guide/cpu.md) tells what the answers are.',
      { topology: topologyFile, ...cpuQuestions },
    ),
  'docs/reference/market-file.md': () =>
    schemaPage(
      'Market files',
      'What `mbcas market clear` reads, JSON or YAML, and what it prints with `-o json` or `-o yaml`. A key that is not listed is refused.',
      { market: marketFile, clearing: marketResult },
    ),
  'docs/reference/scenario-file.md': () =>
    [
      schemaPage('Scenarios and faults', scenarioAbout(), {
        scenario: scenarioFile,
        faults: faultFile,
      }),
      loadSections(),
    ].join('\n'),
  'docs/reference/market-settings.md': () => resourcePage(marketSettingsDefinition),
  'docs/reference/node-market.md': () => resourcePage(nodeMarketDefinition),
  'docs/reference/node-resource-topology.md': () => resourcePage(nodeResourceTopologyDefinition),
  'docs/reference/pod-allocation.md': () => resourcePage(podAllocationDefinition),
}

const scenarioAbout =
  (): string => `What \`mbcas demo --scenario\`, \`mbcas simulate -f\` and \`mbcas cluster --scenario\` read, JSON or YAML, and what \`/sim/faults\` takes. A key that is not listed is refused. Durations are written as 250ms, 15s, 10m or 24h, CPU as 500m, 0.5 or 2. [Scenarios](../guide/scenarios.md) tells what happens then. A whole one:

\`\`\`yaml
${readFileSync('examples/scenarios/noisy-neighbour.yaml', 'utf8')}\`\`\``

const current = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

const stale = Object.entries(files).filter(([path, text]) => current(path) !== text())
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`${path} is not current: run npm run generate`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text())
    console.log(`wrote ${path}`)
  }
}
