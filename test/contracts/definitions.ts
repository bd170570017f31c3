/** CustomResourceDefinitions that change while they have objects. */
import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'

import type { KubeObject, Resource } from '../../src/apis/object.ts'
import { isReason } from '../../src/ports/kube.ts'
import type { Case, ContractServer } from './case.ts'
import { ended, eventually, partOf, refused } from './expect.ts'
import { newObject } from './objects.ts'

const definitions: Resource<KubeObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

/** In a group of its own for each namespace. */
const boatsOf = (namespace: string, version = 'v1'): Resource<KubeObject> => ({
  group: `${namespace}.example.com`,
  version,
  plural: 'boats',
  kind: 'Boat',
  namespaced: true,
})

type Version = { readonly name: string; readonly fields: object; readonly [more: string]: unknown }

const version = ({ name, fields, ...more }: Version) => ({
  name,
  served: true,
  storage: name === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: { spec: { type: 'object', properties: fields } },
    },
  },
  ...more,
})

async function define({ kube }: ContractServer, namespace: string, versions: readonly Version[]) {
  const name = `boats.${namespace}.example.com`
  const spec = { versions: versions.map((one) => version(one)) }
  const exists = await kube.get(definitions, { name }).catch((error: unknown) => {
    if (!isReason(error, 'NotFound')) throw error
    return undefined
  })
  if (exists) return kube.patch(definitions, { name }, { type: 'merge', body: { spec } })
  const names = { kind: 'Boat', plural: 'boats' }
  const made = { group: `${namespace}.example.com`, scope: 'Namespaced', names, ...spec }
  return kube.create(definitions, newObject({ metadata: { name }, spec: made }))
}

const undefine = async ({ kube }: ContractServer, namespace: string) =>
  kube.remove(definitions, { name: `boats.${namespace}.example.com` })

/** Until the type is served. */
async function createBoat({ kube }: ContractServer, namespace: string, spec: object) {
  const boat = newObject({ metadata: { namespace, name: 'anna' }, spec })
  return eventually(
    async () =>
      kube.create(boatsOf(namespace), boat).catch((error: unknown) => {
        if (!isReason(error, 'NotFound')) throw error
        return undefined
      }),
    (made) => made !== undefined,
  )
}

const text = { type: 'string' }

export const definitionCases: readonly Case[] = [
  {
    name: 'objects are read by the schema as it is now',
    run: async (server, { namespace }) => {
      await define(server, namespace, [{ name: 'v1', fields: { sail: text, home: text } }])
      await createBoat(server, namespace, { sail: 'red', home: 'kiel' })
      const flag = { type: 'boolean', default: true }
      await define(server, namespace, [{ name: 'v1', fields: { home: text, flag } }])
      const place = { namespace, name: 'anna' }
      await eventually(
        async () => partOf(await server.kube.get(boatsOf(namespace), place), 'spec'),
        (spec) => isDeepStrictEqual(spec, { home: 'kiel', flag: true }),
      )
      await undefine(server, namespace)
    },
  },
  {
    name: 'a pattern with repeats in repeats is matched, and as in Go',
    run: async (server, { namespace }) => {
      const sail = { type: 'string', pattern: '^(a+)+$' }
      await define(server, namespace, [{ name: 'v1', fields: { sail } }])
      await createBoat(server, namespace, { sail: 'a'.repeat(40) })
      const boat = newObject({
        metadata: { namespace, name: 'berta' },
        spec: { sail: `${'a'.repeat(40)}b` },
      })
      await refused(server.kube.create(boatsOf(namespace), boat), {
        code: 422,
        reason: 'Invalid',
        said: /spec\.sail in body should match '\^\(a\+\)\+\$'/,
      })
      await undefine(server, namespace)
    },
  },
  {
    name: 'a deprecated version warns, and one that is no longer served is gone',
    needs: ['kubectl'],
    run: async (server, { namespace }) => {
      const old = { name: 'v1beta1', fields: { sail: text, old: text }, deprecated: true }
      await define(server, namespace, [{ name: 'v1', fields: { sail: text } }, old])
      await createBoat(server, namespace, { sail: 'red' })
      const { group } = boatsOf(namespace)
      const get = ['-n', namespace, 'get', `boats.v1beta1.${group}`, '-o', 'name']
      assert.deepEqual(await ended(server, get), {
        code: 0,
        out: `boat.${group}/anna\n`,
        err: `Warning: ${group}/v1beta1 Boat is deprecated; use ${group}/v1 Boat\n`,
      })
      await define(server, namespace, [
        { name: 'v1', fields: { sail: text } },
        { ...old, served: false },
      ])
      const place = { namespace, name: 'anna' }
      await eventually(
        async () =>
          server.kube.get(boatsOf(namespace, 'v1beta1'), place).then(
            () => false,
            (error: unknown) => isReason(error, 'NotFound'),
          ),
        (isGone) => isGone,
      )
      await undefine(server, namespace)
    },
  },
]
