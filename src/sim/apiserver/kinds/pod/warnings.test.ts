import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../../../test/each.ts'
import type { Container, PodSpec } from './types.ts'
import { warnOfName, warnOfSpec } from './warnings.ts'

const spec = (container: Partial<Container>, more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'a', ...container }],
  ...more,
})

/** The texts are those of Kubernetes 1.36.3. */
const rows: readonly { readonly name: string; readonly spec: PodSpec; readonly says: string[] }[] =
  [
    { name: 'an ordinary container is taken silently', spec: spec({ image: 'x' }), says: [] },
    {
      name: 'half a byte is warned of, of limits and of requests',
      spec: spec({ resources: { limits: { memory: '500m' }, requests: { memory: '500m' } } }),
      says: [
        'spec.containers[0].resources.limits[memory]: fractional byte value "500m" is invalid, must be an integer',
        'spec.containers[0].resources.requests[memory]: fractional byte value "500m" is invalid, must be an integer',
      ],
    },
    {
      name: 'half a CPU is none of it',
      spec: spec({ resources: { requests: { cpu: '500m', memory: '1Mi' } } }),
      says: [],
    },
    {
      name: 'a variable hides an earlier one of its name',
      spec: spec({
        env: [
          { name: 'A', value: 'b' },
          { name: 'A', value: 'c' },
        ],
      }),
      says: [
        'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
      ],
    },
    {
      name: 'a variable may build on its earlier value, but not only repeat it',
      spec: spec({
        env: [
          { name: 'A', value: 'x' },
          { name: 'A', value: '$(A)y' },
          { name: 'A', value: '$(A)' },
        ],
      }),
      says: [
        'spec.containers[0].env[2]: hides previous definition of "A", which may be dropped when using apply',
      ],
    },
    {
      name: 'a port is told twice, the second time on the host',
      spec: spec({
        ports: [
          { containerPort: 80, protocol: 'TCP' },
          { containerPort: 80, protocol: 'TCP' },
          { containerPort: 80, protocol: 'TCP', hostPort: 80 },
          { containerPort: 80, protocol: 'UDP' },
        ],
      }),
      says: [
        'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[0]',
        'spec.containers[0].ports[2]: overlapping port definition with spec.containers[0].ports[1]',
      ],
    },
    {
      name: 'two containers name their ports alike',
      spec: {
        containers: [
          { name: 'a', ports: [{ containerPort: 80, name: 'web' }] },
          { name: 'b', ports: [{ containerPort: 81, name: 'web' }] },
        ],
      },
      says: [
        'spec.containers[1].ports[0]: duplicate port name "web" with spec.containers[0].ports[0], services and probes that select ports by name will use spec.containers[0].ports[0]',
      ],
    },
    {
      name: 'a spread over no pods is warned of',
      spec: spec({}, { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone' }] }),
      says: [
        'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector results in matching no pod',
      ],
    },
  ]

void describe('sim/apiserver/kinds/pod warnings', () => {
  each(rows, ({ spec: given, says }) => assert.deepEqual(warnOfSpec(given, 'spec'), says))
  each(
    [
      { name: 'a name that is a host name is silent', of: 'web', says: [] },
      {
        name: 'a name with dots is warned of',
        of: 'a.b',
        says: [
          'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [must not contain dots]',
        ],
      },
    ],
    ({ of, says }) => assert.deepEqual(warnOfName(of, 'Pod names and hostnames'), says),
  )
})
