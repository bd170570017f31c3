import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { asking, container, pod, wanting } from '../../../test/node-pods.ts'
import { millicores } from '../units.ts'
import { planNode } from './plan.ts'
import type { NodePod } from './pod.ts'

const max = (maxCpu: number) => ({ wishes: { maxCpu: millicores(maxCpu) } })

void test('beside idle CPU nobody is short, also not of what pods that take no part were promised', () => {
  const held = pod({
    name: 'held',
    qosClass: 'Guaranteed',
    containers: [container({ request: millicores(2000), limit: millicores(2000), usageCores: 0 })],
  })
  const hogs = ['a', 'b'].map((name) =>
    pod({ name, containers: [container({ usageCores: 1.75, demandCores: 1.75 })] }),
  )
  const plan = (hasIdleCpu: boolean) =>
    planNode({ allocatable: millicores(4000), hasIdleCpu }, [held, ...hogs]).clearing
  assert.deepEqual([plan(true).mode, plan(true).price], ['uncongested', 0])
  assert.equal(plan(false).mode, 'congested')
})

void test('the reason of a pod says that latency targets of its namespace come first', () => {
  const yields =
    /^gets what pods of its namespace with a latency target leave of the node while it is full/
  const named = (target: NodePod) => {
    const { decisions } = planNode({ allocatable: millicores(4000) }, [
      target,
      asking('job', 0.4, 500),
      asking('other', 0.4, 500, { namespace: 'lab' }),
    ])
    return decisions.filter(({ reason }) => yields.test(reason)).map(({ pod }) => pod.name)
  }
  assert.deepEqual(named(asking('web', 0.4, 500, { readyCores: 0.5 })), ['job'])
  assert.deepEqual(named(asking('web', 0.4, 500)), [])
  assert.deepEqual(named(asking('web', 0.4, 500, { readyCores: 0.5, enforcement: 'strict' })), [])
})

void describe('the plan of a node by weights', () => {
  each(
    [
      {
        name: 'all is sold but what others hold: weights need no reserve',
        pods: [asking('dns', 0.1, 100, { namespace: 'kube-system' }), asking('a', 0.4, 500)],
        gives: { sold: 900, mode: 'uncongested', amounts: [['a', 500, 400, 400, 1000]] },
      },
      {
        name: 'with enough for all each gets its need, and limits stay as written',
        pods: [asking('a', 0.46, 500), asking('b', 0.1, 500)],
        gives: {
          sold: 1000,
          mode: 'uncongested',
          amounts: [
            ['a', 500, 460, 460, 1000],
            ['b', 500, 100, 100, 1000],
          ],
        },
      },
      {
        name: 'where it is short, each gets what it is entitled to',
        pods: [asking('a', 0.8, 500), asking('b', 0.8, 500)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 500, 500, 500, 1000],
            ['b', 500, 500, 500, 1000],
          ],
        },
      },
      {
        name: 'and what nobody is entitled to by weight, without a promise',
        pods: [asking('a', 0.9, 300), asking('b', 0.9, 100)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 300, 750, 300, 600],
            ['b', 100, 250, 100, 200],
          ],
        },
      },
      {
        name: 'a pod that sleeps lends what it is entitled to, and stays entitled to it',
        pods: [asking('a', 1.5, 200), asking('b', 0.05, 800)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 200, 950, 200, 400],
            ['b', 800, 50, 100, 1600],
          ],
        },
      },
      {
        name: 'a multiplier shares only what is above the entitlements',
        pods: [asking('a', 0.9, 400, { wishes: { priorityMultiplier: 3 } }), asking('b', 0.9, 400)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 400, 550, 400, 800],
            ['b', 400, 450, 400, 800],
          ],
        },
      },
      {
        name: 'requests beyond the node count in equal parts',
        pods: [asking('a', 0.9, 1500), asking('b', 0.9, 500)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 750, 750, 750, 3000],
            ['b', 250, 250, 250, 1000],
          ],
        },
      },
      {
        name: 'max-cpu bounds also those who requested more, and leaves the limit',
        pods: [asking('a', 0.9, 500, max(300)), asking('b', 0.2, 500)],
        gives: {
          sold: 1000,
          mode: 'uncongested',
          amounts: [
            ['a', 300, 300, 300, 1000],
            ['b', 500, 200, 200, 1000],
          ],
        },
      },
      {
        name: 'no more is promised than is usual, however short the node',
        pods: [asking('a', 0.9, 500, { usual: millicores(200) }), asking('b', 0.9, 500)],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 500, 500, 200, 1000],
            ['b', 500, 500, 500, 1000],
          ],
        },
      },
      {
        name: 'a target that was missed is promised more, below a limit that is raised for it',
        pods: [asking('a', 0.6, 300, { isShort: true }), asking('b', 0.2, 300)],
        gives: {
          sold: 1000,
          mode: 'uncongested',
          amounts: [
            ['a', 300, 600, 600, 632],
            ['b', 300, 200, 200, 600],
          ],
        },
      },
      {
        name: 'the share of a namespace is by what its pods requested',
        pods: [
          asking('a', 0.9, 100),
          asking('b', 0.9, 100),
          asking('c', 0.9, 300, { namespace: 'other' }),
        ],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 100, 200, 100, 200],
            ['b', 100, 200, 100, 200],
            ['c', 300, 600, 300, 600],
          ],
        },
      },
      {
        name: 'an administrator who lowers it takes nothing that was requested',
        pods: [
          asking('a', 0.9, 400, { shareFactor: 0.01 }),
          asking('b', 0.9, 400, { namespace: 'other' }),
        ],
        gives: {
          sold: 1000,
          mode: 'congested',
          amounts: [
            ['a', 400, 400, 400, 800],
            ['b', 400, 600, 400, 800],
          ],
        },
      },
    ],
    ({ pods, gives }) => {
      const { sold, clearing, decisions } = planNode({ allocatable: millicores(1000) }, pods)
      const amounts = decisions.map((one) => {
        return [one.pod.name, one.entitled, one.given, one.request, one.limit]
      })
      assert.deepEqual({ sold, mode: clearing.mode, amounts }, gives)
    },
  )

  const two = [
    container({ request: millicores(300), limit: millicores(350), demandCores: 0.35 }),
    container({ name: 'sidecar', limit: millicores(100), demandCores: 0.05 }),
  ]
  each(
    [
      {
        name: 'a limit stays as written where the request is well below it',
        pod: {},
        gives: [
          ['app', 320, 350],
          ['sidecar', 80, 100],
        ],
      },
      {
        name: 'and as noted where we changed it',
        pod: { containers: two.map((one) => ({ ...one, firstLimit: millicores(500) })) },
        gives: [
          ['app', 320, 500],
          ['sidecar', 80, 500],
        ],
      },
      {
        name: 'a promise above it raises it',
        pod: { isShort: true, usual: millicores(500), readyCores: 0.5 },
        gives: [
          ['app', 400, 422],
          ['sidecar', 100, 106],
        ],
      },
      {
        name: 'up to a ceiling',
        pod: { isShort: true, usual: millicores(500), readyCores: 0.5, ...max(500) },
        gives: [
          ['app', 376, 396],
          ['sidecar', 97, 103],
        ],
      },
      {
        name: 'a LimitRange for containers bounds what is promised and raised',
        pod: { range: { container: millicores(300) } },
        gives: [
          ['app', 300, 350],
          ['sidecar', 80, 100],
        ],
      },
      {
        name: 'one that ties limits to requests has more promised',
        pod: { range: { limitRatio: 1.05 } },
        gives: [
          ['app', 334, 350],
          ['sidecar', 96, 100],
        ],
      },
      {
        name: 'what the kubelet does not carry out binds the request alone',
        pod: { bound: { request: millicores(80), limit: millicores(200), reason: 'is bound' } },
        gives: [
          ['app', 64, 350],
          ['sidecar', 16, 100],
        ],
      },
      {
        name: 'a container without a limit gets none',
        pod: { containers: two.map((one, i) => (i === 0 ? { ...one, limit: undefined } : one)) },
        gives: [
          ['app', 320, undefined],
          ['sidecar', 80, 100],
        ],
      },
    ],
    ({ pod: given, gives }) => {
      const { decisions } = planNode({ allocatable: millicores(3900) }, [
        pod({ containers: two, ...given }),
      ])
      const shown = decisions[0]?.containers.map(({ name, request, limit }) => [
        name,
        request,
        limit,
      ])
      assert.deepEqual(shown, gives)
    },
  )

  void test('a pod counts for the limits of its containers, or their requests where they have none', () => {
    const free = container({ request: millicores(300), limit: undefined, demandCores: 0.35 })
    const limits = [two, [free, ...two.slice(1)]].map(
      (containers) =>
        planNode({ allocatable: millicores(3900) }, [pod({ containers })]).decisions[0]?.limit,
    )
    assert.deepEqual(limits, [450, 420])
  })

  void test('strict and elastic pods are together promised no more than there is', () => {
    const { decisions } = planNode({ allocatable: millicores(1000) }, [
      asking('sleeps', 0.05, 500, { usual: millicores(400) }),
      asking('strict', 2, 500, { enforcement: 'strict' }),
    ])
    assert.deepEqual(
      decisions.map(({ given, request, limit }) => [given, request, limit]),
      [
        [50, 400, 1000],
        [950, 600, 950],
      ],
    )
  })

  void test('a strict pod beside elastic ones has a limit that is its share', () => {
    const { decisions } = planNode({ allocatable: millicores(1000) }, [
      asking('a', 0.9, 300),
      asking('b', 0.9, 300, { enforcement: 'strict' }),
    ])
    assert.deepEqual(
      decisions.map(({ enforcement, given, limit }) => [enforcement, given, limit]),
      [
        ['elastic', 600, 600],
        ['strict', 400, 400],
      ],
    )
  })

  void test('where no weights can be written, requests follow the market', () => {
    const pods = [asking('a', 0.9, 300), asking('b', 0.9, 100)]
    const requests = (isByRequests: boolean) =>
      planNode({ allocatable: millicores(1000), isByRequests }, pods).decisions.map(
        ({ request }) => request,
      )
    assert.deepEqual(
      [requests(false), requests(true)],
      [
        [300, 100],
        [750, 250],
      ],
    )
  })

  void test('demand that is only remembered makes no node short', () => {
    const used = [container({ request: millicores(100), demandCores: 3, usageCores: 0.2 })]
    const plan = (hasIdleCpu: boolean) =>
      planNode({ allocatable: millicores(1000), hasIdleCpu }, [
        pod({ name: 'a', containers: used }),
        asking('b', 0.1, 100),
      ])
    assert.equal(plan(false).clearing.mode, 'congested')
    const { clearing, decisions } = plan(true)
    assert.deepEqual([clearing.mode, clearing.price], ['uncongested', 0])
    assert.deepEqual(
      decisions.map(({ given }) => given),
      [200, 100],
    )
  })

  each(
    [
      {
        name: 'within its entitlement',
        pod: asking('a', 0.4, 500),
        says: 'gets 50 % of the node while it is full, and all it wants otherwise; needs 400m of the 500m that it is entitled to',
      },
      {
        name: 'beyond it',
        pod: asking('a', 0.7, 500),
        says: 'gets 70 % of the node while it is full, and all it wants otherwise; gets its need of 700m in full: there is enough for everyone',
      },
      {
        name: 'with a ceiling',
        pod: asking('a', 0.2, 500, max(300)),
        says: 'gets 30 % of the node while it is full, and up to its ceiling of 300m otherwise; needs 200m of the 300m that it is entitled to',
      },
      {
        name: 'with a latency target',
        pod: asking('a', 0.3, 100, { readyCores: 0.4 }),
        says: 'gets 40 % of the node while it is full, and all it wants otherwise; gets its need of 400m in full: there is enough for everyone; it bids for bursts too, to keep its latency target',
      },
    ],
    ({ pod, says }) => {
      const { decisions } = planNode({ allocatable: millicores(1000) }, [pod])
      assert.equal(decisions[0]?.reason, says)
    },
  )

  void test('says which words of its owner count for less than they say', () => {
    const notes = ['priority-multiplier 1000 is above 10: counted as 10']
    const [decision] = planNode({ allocatable: millicores(2000) }, [
      wanting('a', 0.4, { notes, wishes: { minCpu: millicores(300) } }),
    ]).decisions
    assert.deepEqual(decision?.notes, [
      ...notes,
      'min-cpu 300m is above the 100m that it requested: counted as 100m',
    ])
  })

  void test('max-cpu below min-cpu counts, and that is said', () => {
    const wishes = { minCpu: millicores(300), maxCpu: millicores(200) }
    const pods = [asking('a', 0.4, 500, { wishes })]
    const [decision] = planNode({ allocatable: millicores(2000) }, pods).decisions
    const notes = ['min-cpu is above the ceiling of 200m: counted as 200m']
    assert.deepEqual([decision?.notes, decision?.entitled, decision?.limit], [notes, 200, 1000])
  })
})
