/** Our CustomResourceDefinitions, as `deploy/crds` has them, on a server that has none yet. */
import { readdirSync, readFileSync } from 'node:fs'

import type { KubeObject, Resource } from '../../apis/object.ts'
import type { Kube } from '../../ports/kube.ts'
import { parseDocument } from '../document.ts'

export const crds: Resource<KubeObject> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  namespaced: false,
}

/** In the package, beside what was built. */
const folder = new URL('../../../../deploy/crds/', import.meta.url)

/** They are served a moment later. */
export async function applyCrds(kube: Kube): Promise<void> {
  for (const name of readdirSync(folder).toSorted()) {
    const text = readFileSync(new URL(name, folder), 'utf8')
    await kube.create(crds, parseDocument(text, name) as KubeObject)
  }
}
