/** What a kubelet's CPU manager has done on its node. */
export type CpuManagerState = {
  /** `none` or `static`; only under static do containers get CPUs of their own. */
  readonly policy: string
  /** How many CPUs a container has for itself alone: by UID of the pod, then by name. */
  readonly exclusiveCpus: ReadonlyMap<string, ReadonlyMap<string, number>>
}
