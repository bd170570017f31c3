/** What an agent on node-1 would tell of its CPUs: one of four is the system's, and one is a pod's own. */
import { writeNodeCpus } from '../../src/apis/node-cpus.ts'
import { parseCpuSet } from '../../src/core/cpu/cpu-set.ts'
import { bareMachine } from '../../src/core/cpu/machine.ts'
import { machine } from '../cpu/machines.ts'
import { managedBy, nodeCpus } from '../node-cpus.ts'

export const nodeTopology = writeNodeCpus('node-1', {
  ...nodeCpus({
    settings: {
      ...managedBy('static', { reserved: parseCpuSet('0') }),
      topologyManager: { policy: 'restricted', scope: 'container', options: {} },
    },
    shared: parseCpuSet('0-1,3'),
    exclusive: new Map([['a-uid', new Map([['app', parseCpuSet('2')]])]]),
  }),
  machine: bareMachine(machine({ sockets: 2, nodes: 1, cores: 1, threads: 2, together: true })),
})
