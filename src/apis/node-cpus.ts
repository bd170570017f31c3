/**
 * What is known of a node's CPUs as its NodeResourceTopology, and back: written, then read, it is the
 * same. What the shape of others has no place for is in attributes whose names begin with mbcas.io/.
 */
import { formatCpuSet, parseCpuSet } from '../core/cpu/cpu-set.ts'
import { InvalidInput } from '../core/errors.ts'
import { attributesOf, readAttributes } from './attributes.ts'
import { readHeld, writeHeld } from './node-cpus-held.ts'
import { readMachineOf, writeLevels, writeZones } from './node-cpus-machine.ts'
import { policyWord, readSettings, writeSettings } from './node-cpus-settings.ts'
import {
  attributeNames as names,
  nodeResourceTopologies,
  type NodeResourceTopology,
} from './node-resource-topology.ts'
import { apiVersionOf } from './object.ts'
import { freeCpus, type PublishedCpus, zoneResources } from './zone-resources.ts'

export type { PublishedCpus }

export function writeNodeCpus(node: string, cpus: PublishedCpus): NodeResourceTopology {
  const { machine, settings, shared } = cpus
  return {
    apiVersion: apiVersionOf(nodeResourceTopologies),
    kind: nodeResourceTopologies.kind,
    metadata: { name: node },
    topologyPolicies: settings.topologyManager ? [policyWord(settings.topologyManager)] : [],
    attributes: attributesOf({
      ...writeSettings(settings),
      [names.sharedCpus]: shared && formatCpuSet(shared),
      [names.freeCpus]: formatCpuSet(freeCpus(cpus)),
      ...writeHeld(cpus),
      ...writeLevels(machine.topology),
    }),
    zones: writeZones(machine, zoneResources(cpus)),
  }
}

/** Refuses what we did not write, with what is missing. */
export function readNodeCpus({ metadata, attributes, zones }: NodeResourceTopology): PublishedCpus {
  const told = readAttributes(attributes, `NodeResourceTopology ${metadata.name}`)
  try {
    const shared = told.get(names.sharedCpus)
    return {
      machine: readMachineOf(zones, told),
      settings: readSettings(told),
      ...(shared !== undefined && { shared: parseCpuSet(shared) }),
      ...readHeld(told),
    }
  } catch (error) {
    if (!(error instanceof InvalidInput) || error.message.startsWith(told.place)) throw error
    throw new InvalidInput(`${told.place}: ${error.message}`, { cause: error })
  }
}
