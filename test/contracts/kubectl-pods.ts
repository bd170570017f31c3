/** kubectl on pods: wait, describe, resize, rollout. */
import assert from 'node:assert/strict'

import { pods } from '../../src/apis/pod.ts'
import type { Case } from './case.ts'
import { ended, kubectl, runPod } from './expect.ts'
import { cellsOf, linesOf, needs, printed } from './kubectl-lines.ts'
import { container, pod, waitingPod } from './objects.ts'

export const kubectlPodCases: readonly Case[] = [
  {
    name: 'wait --for=condition=Ready, get -o wide and describe of a running pod',
    needs: [...needs, 'kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      const { kube, nodeName } = server
      await kube.create(pods, pod(namespace))
      assert.deepEqual(
        await printed(server, namespace, [
          'wait',
          '--for=condition=Ready',
          'pod/p',
          '--timeout=300s',
        ]),
        ['pod/p condition met'],
      )
      const [head, row] = await printed(server, namespace, ['get', 'pods', '-o', 'wide'])
      assert.deepEqual(cellsOf(head), [
        'NAME',
        'READY',
        'STATUS',
        'RESTARTS',
        'AGE',
        'IP',
        'NODE',
        'NOMINATED NODE',
        'READINESS GATES',
      ])
      const cells = cellsOf(row)
      assert.deepEqual(cells.slice(0, 4), ['p', '1/1', 'Running', '0'])
      assert.equal(cells[6], nodeName)
      const text = await kubectl(server, ['-n', namespace, 'describe', 'pod', 'p'])
      for (const line of [
        /^Name: +p$/m,
        /^Status: +Running$/m,
        /^QoS Class: +Burstable$/m,
        /^ +cpu: +100m$/m,
        /^ +Restart Count: +0$/m,
        /^ +Ready +True/m,
        new RegExp(`^Node: +${nodeName}/`, 'm'),
      ])
        assert.match(text, line)
    },
  },
  {
    name: 'patch --subresource resize resizes, and describe tells of it',
    needs: [...needs, 'kubelet', 'scheduler'],
    run: async (server, { namespace }) => {
      await runPod(server, pod(namespace))
      const patch = JSON.stringify({
        spec: { containers: [{ name: 'main', resources: { limits: { cpu: '150m' } } }] },
      })
      assert.deepEqual(
        await printed(server, namespace, [
          'patch',
          'pod',
          'p',
          '--subresource',
          'resize',
          '--patch',
          patch,
        ]),
        ['pod/p patched'],
      )
      const path = '{.status.containerStatuses[0].resources.limits.cpu}'
      assert.deepEqual(
        await printed(server, namespace, [
          'wait',
          'pod/p',
          `--for=jsonpath=${path}=150m`,
          '--timeout=300s',
        ]),
        ['pod/p condition met'],
      )
    },
  },
  {
    name: 'patch --subresource resize says why not, and ends with 1',
    needs,
    run: async (server, { namespace }) => {
      await server.kube.create(pods, waitingPod(namespace))
      const patch = JSON.stringify({
        spec: { containers: [{ name: 'main', resources: { requests: { cpu: '150m' } } }] },
      })
      const { code, out, err } = await ended(server, [
        '-n',
        namespace,
        'patch',
        'pod',
        'p',
        '--subresource=resize',
        `--patch=${patch}`,
      ])
      assert.deepEqual({ code, out }, { code: 1, out: '' })
      assert.equal(
        err,
        'The Pod "p" is invalid: spec.containers[0].resources.requests: Invalid value: "150m": must be less than or equal to cpu limit of 100m\n',
      )
    },
  },
  {
    name: 'rollout status, scale and get of a deployment',
    needs: [...needs, 'kubelet', 'scheduler', 'deployments'],
    run: async (server, { namespace }) => {
      const labels = { app: 'd' }
      const deployment = {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { terminationGracePeriodSeconds: 0, containers: [container('main')] },
          },
        },
      }
      const on = ['-n', namespace]
      assert.equal(
        await kubectl(server, [...on, 'create', '-f', '-'], JSON.stringify(deployment)),
        'deployment.apps/d created\n',
      )
      const rolled = linesOf(
        await kubectl(server, [...on, 'rollout', 'status', 'deployment/d', '--timeout=300s']),
      )
      assert.equal(rolled.at(-1), 'deployment "d" successfully rolled out')
      const [head, row] = await printed(server, namespace, ['get', 'deployment'])
      assert.deepEqual(cellsOf(head), ['NAME', 'READY', 'UP-TO-DATE', 'AVAILABLE', 'AGE'])
      assert.deepEqual(cellsOf(row).slice(0, 4), ['d', '1/1', '1', '1'])
      assert.deepEqual(
        await printed(server, namespace, ['scale', 'deployment/d', '--replicas=0']),
        ['deployment.apps/d scaled'],
      )
      await kubectl(server, [...on, 'wait', '--for=delete', 'pod', '-l', 'app=d', '--timeout=300s'])
    },
  },
]
