/** Files that a person writes, as the commands read them. */
import { parseDocument, parseDocuments } from '../../../src/adapters/document.ts'
import { readAgentConfig, readHostConfig } from '../../../src/apis/agent-config.ts'
import { readControllerConfig } from '../../../src/apis/controller-config.ts'
import { faultFile } from '../../../src/apis/fault-file.ts'
import { readHostState } from '../../../src/apis/host-state.ts'
import { readKubeletFile } from '../../../src/apis/kubelet-config.ts'
import { parseAs } from '../../../src/apis/parse.ts'
import { readPod } from '../../../src/apis/pod-file.ts'
import { readScenario } from '../../../src/apis/read-scenario.ts'
import { readMachine } from '../../../src/apis/topology-file.ts'
import { clearFile } from '../../../src/apps/cli/market/market.ts'
import { QuantityError } from '../../../src/core/quantity.ts'
import { documentsFrom } from '../generate.ts'
import { asText, type FuzzTarget } from '../target.ts'
import { documentsIn } from './seeds.ts'

const file = (
  name: string,
  seeds: readonly unknown[],
  read: (document: unknown) => unknown,
): FuzzTarget => ({
  name,
  generate: documentsFrom(seeds),
  run: (input) => void read(parseDocument(asText(input), `${name}.yaml`)),
  refuses: (error) => error instanceof QuantityError,
})

const kubeletConfig = {
  apiVersion: 'kubelet.config.k8s.io/v1beta1',
  kind: 'KubeletConfiguration',
  cpuManagerPolicy: 'static',
  cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' },
  reservedSystemCPUs: '0-1',
  topologyManagerPolicy: 'single-numa-node',
  reservedMemory: [{ numaNode: 0, limits: { memory: '128Mi' } }],
}
const faults = {
  faults: [
    { kind: 'slow', share: 0.5, verbs: ['get'], resources: ['pods'], delayMillis: 10 },
    { kind: 'drop-watch', userAgent: 'a', times: 3, events: 2 },
  ],
}
const lscpu = {
  lscpu: [
    { field: 'CPU(s):', data: '8' },
    { field: 'Thread(s) per core:', data: '2' },
    { field: 'Core(s) per socket:', data: '4' },
    { field: 'Socket(s):', data: '1' },
    { field: 'NUMA node0 CPU(s):', data: '0-7' },
  ],
}
const hostState = {
  bootId: 'b',
  owner: { pid: 1, startTicks: 2 },
  groups: [
    {
      path: '/a',
      found: { shares: 1024, quotaMicros: null, periodMicros: 100_000, burstMicros: 0 },
      ours: { shares: [1024], quotaMicros: [null], periodMicros: [100_000], burstMicros: [] },
    },
  ],
  cpusets: [{ path: '/a', found: null, ours: { cpus: '0-1', mems: '0' } }],
}

export const files: readonly FuzzTarget[] = [
  file('market-file', documentsIn('examples/markets/'), (document) => clearFile(document, {})),
  file('scenario', documentsIn('examples/scenarios/'), readScenario),
  file('fault-file', [faults], (document) => parseAs(faultFile, document, 'faults')),
  file('agent-config', documentsIn('examples/agent.yaml'), (d) => readAgentConfig(d, 'agent.yaml')),
  file('host-config', documentsIn('examples/host.yaml'), (d) => readHostConfig(d, 'host.yaml')),
  file('host-state', [hostState], (d) => readHostState(d, 'state.json')),
  file('controller-config', documentsIn('examples/controller.yaml'), (d) =>
    readControllerConfig(d, 'controller.yaml'),
  ),
  file('kubelet-config', [kubeletConfig], (d) => readKubeletFile(d, 'kubelet.yaml')),
  file(
    'topology-file',
    [
      ...documentsIn('examples/cpu/two-sockets.json'),
      ...documentsIn('examples/cpu/cache.yaml'),
      lscpu,
    ],
    (d) => readMachine(d, 'topology.json'),
  ),
  {
    ...file('pod-file', documentsIn('examples/cpu/pods.yaml'), () => undefined),
    run: (input) => {
      for (const one of parseDocuments(asText(input), 'pods.yaml')) readPod(one, 'pods.yaml')
    },
  },
]
