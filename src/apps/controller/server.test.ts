import assert from 'node:assert/strict'
import { describe, test } from 'node:test'

import { each } from '../../../test/each.ts'
import { learnServer } from './server.ts'

const { signal } = new AbortController()
const serverOf = (version: object, ...resources: readonly string[]) => ({
  raw: async (path: string): Promise<unknown> =>
    Promise.resolve(
      path === '/version' ? version : { resources: resources.map((name) => ({ name })) },
    ),
})

void describe('apps/controller: the server', () => {
  const known = ['pods', 'pods/resize']
  each(
    [
      {
        name: 'resizes in place from 1.33 on',
        version: { major: '1', minor: '33', gitVersion: 'v1.33.0' },
        resources: known,
        tooOld: undefined,
      },
      {
        name: 'of a cloud has a plus',
        version: { major: '1', minor: '34+', gitVersion: 'v1.34.1-eks' },
        resources: known,
        tooOld: undefined,
      },
      {
        name: 'may be too old',
        version: { major: '1', minor: '30', gitVersion: 'v1.30.4' },
        resources: known,
        tooOld:
          'expected Kubernetes 1.33 or later, which resizes pods in place, got v1.30.4; upgrade the cluster',
      },
      {
        name: 'may have it turned off',
        version: { major: '1', minor: '33', gitVersion: 'v1.33.0' },
        resources: ['pods'],
        tooOld:
          'expected pods/resize, got v1.33.0 without it; turn its feature gate InPlacePodVerticalScaling on',
      },
    ],
    async ({ version, resources, tooOld }) => {
      assert.deepEqual(await learnServer(serverOf(version, ...resources), signal), { tooOld })
    },
  )

  void test('must be one of Kubernetes', async () => {
    await assert.rejects(learnServer(serverOf({}), signal), {
      name: 'InvalidInput',
      message: /expected a Kubernetes API server, got another/,
    })
  })
})
