/** Clusters that are not what is needed, and flags that cannot be used. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'

import { every, configFor, healthy, withServer, type Row, allSay } from '../complaint.ts'
import { type Answer, kubeServer, type KubeServer, sendStatus } from '../kube-server.ts'
import { root, run } from '../run.ts'

void describe('a cluster that is not what is needed', () => {
  const without =
    (part: string): Answer =>
    (request, response) => {
      if (!request.path.includes(part)) healthy(request, response)
      else response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n')
    }
  const rows: readonly (Row & { readonly answer: Answer })[] = [
    {
      name: 'without our CRD',
      answer: without('podallocations'),
      of: ['agent', 'controller'],
      says: /: the server could not find the requested resource; .*: kubectl apply -f deploy\/crds$/,
    },
    {
      name: 'without the namespace of the lease',
      answer: (request, response) => {
        const message = 'namespaces "mbcas-system" not found'
        if (!request.path.endsWith('/leases')) healthy(request, response)
        else sendStatus(response, 404, { reason: 'NotFound', message })
      },
      of: ['controller'],
      says: /there is no namespace mbcas-system; kubectl create namespace mbcas-system, or name another with --lease-namespace$/,
    },
    {
      name: 'without the node',
      answer: without('/nodes/n'),
      of: ['agent'],
      says: /^finding node n: there is none; give --node a name that kubectl get nodes shows$/,
    },
    {
      name: 'without the pod',
      answer: healthy,
      of: ['explain'],
      says: /^explaining a pod: there is no pod x in the namespace default/,
    },
    {
      name: 'that forbids',
      answer: (_, response) =>
        sendStatus(response, 403, {
          reason: 'Forbidden',
          message: 'User "u" cannot get resource "that"',
        }),
      says: /403 Forbidden: .*; grant it with a Role or ClusterRole \(kubectl auth can-i --list shows/,
    },
    {
      name: 'that is something else',
      answer: (_, response) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
      of: ['explain', 'agent'],
      says: /expected JSON, got .*is this an API server\?$/,
    },
  ]
  for (const { name, answer, of = every, says } of rows) {
    void test(name, async () => {
      await withServer(answer, async (server) => {
        const more = ['--kubeconfig', configFor(server, {}, 'cluster')]
        await allSay(says, more, of)
      })
    })
  }
})

void describe('flags that cannot be used', () => {
  let server: KubeServer
  let kubeconfig: string
  before(async () => {
    server = await kubeServer(healthy)
    kubeconfig = configFor(server, {}, 'flags')
  })
  after(async () => server.close())

  const flags: readonly (Row & { readonly args: () => readonly string[] })[] = [
    {
      name: '--listen on a port that is taken',
      args: () => ['--listen', `127.0.0.1:${server.port}`],
      of: ['agent', 'controller'],
      says: /: port \d+ is taken by another process; stop it, or choose another port$/,
    },
    {
      name: '--listen without a port',
      args: () => ['--listen', 'localhost'],
      of: ['agent', 'controller'],
      says: /^--listen: expected an address such as :8082 or 127\.0\.0\.1:8082, got "localhost"$/,
    },
    {
      name: '--interval without a unit',
      args: () => ['--interval', '15'],
      of: ['agent'],
      says: /^--interval: expected a duration such as 250ms or 15s, from 1s to 600s, got "15"$/,
    },
    {
      name: '--interval too long',
      args: () => ['--interval', '2h'],
      of: ['agent'],
      says: /^--interval: expected a duration such as .*, from 1s to 600s, got "2h"$/,
    },
    {
      name: '--sampling-interval too short',
      args: () => ['--sampling-interval', '1ms'],
      of: ['agent'],
      says: /^--sampling-interval: expected a duration such as .*, from 100ms to 1s, got "1ms"$/,
    },
    {
      name: '--cgroup-mount elsewhere',
      args: () => ['--cgroup-mount', '/nowhere'],
      of: ['agent'],
      says: /^finding the CPU cgroups below \/nowhere: .*; give the mount point with --cgroup-mount$/,
    },
  ]
  for (const { name, args, of = every, says } of flags) {
    void test(name, async () => {
      await allSay(says, ['--kubeconfig', kubeconfig, ...args()], of)
    })
  }

  for (const place of ['/x', 'default/', 'default/x/y', '']) {
    void test(`a pod named "${place}"`, async () => {
      const args = [join(root, 'dist', 'src', 'main.js'), 'explain', 'pod', place]
      const ran = await run(process.execPath, [...args, '--kubeconfig', kubeconfig])
      const stderr = `mbcas: explaining a pod: expected NAMESPACE/NAME, or NAME and -n NAMESPACE, got "${place}"\n`
      assert.deepEqual(ran, { code: 2, stdout: '', stderr })
    })
  }
})
