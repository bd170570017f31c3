import type { ScenarioDocument } from './draw.ts'

/** The same scenario with a namespace for each workload, so that none of them owes another anything. */
export const setApart = (document: ScenarioDocument): ScenarioDocument => ({
  ...document,
  name: `${document.name}-apart`,
  about: `${document.about} Each workload has a namespace of its own.`,
  workloads: document.workloads.map((workload) => ({ ...workload, namespace: workload.name })),
})
