/** Our CustomResourceDefinitions, as `deploy/crds` has them, on a server that has none yet. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parse } from 'yaml'

import type { KubeObject, Resource } from '../src/apis/object.ts'
import type { Kube } from '../src/ports/kube.ts'
import { root } from './run.ts'

export const crds: Resource<KubeObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

/** They are served a moment later. */
export async function applyCrds(kube: Kube): Promise<void> {
  const folder = join(root, 'deploy/crds')
  for (const name of readdirSync(folder).toSorted()) {
    await kube.create(crds, parse(readFileSync(join(folder, name), 'utf8')) as KubeObject)
  }
}
