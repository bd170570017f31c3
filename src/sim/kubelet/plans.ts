/** What is planned for a pod and its containers, so that it can be crossed out with them. */
import type { Agenda } from '../agenda.ts'
import type { ContainerRun } from './container-run.ts'

type Plans = {
  /** Of the pod as a whole if there is no container. */
  readonly after: (run: ContainerRun | undefined, millis: number, task: () => void) => void
  readonly crossOut: (run: ContainerRun | undefined) => void
  readonly crossOutAll: () => void
}

export function createPlans(agenda: Agenda): Plans {
  const plans = new Map<ContainerRun | undefined, Set<() => void>>()
  const crossOut = (run: ContainerRun | undefined) => {
    for (const one of plans.get(run) ?? []) one()
    plans.delete(run)
  }
  return {
    after(run, millis, task) {
      const own = plans.get(run) ?? new Set()
      plans.set(run, own)
      const one = agenda.at(agenda.now() + millis, () => {
        own.delete(one)
        task()
      })
      own.add(one)
    },
    crossOut,
    crossOutAll() {
      for (const run of plans.keys()) crossOut(run)
    },
  }
}
