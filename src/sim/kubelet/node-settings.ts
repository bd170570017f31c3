/** One simulated machine. */
export type NodeSettings = {
  readonly name: string
  readonly milliCpu: number
  readonly memoryBytes: number
  /** Of the node, such as `10.0.0.4`. */
  readonly address: string
  /** Where its pods' addresses come from, such as `10.244.3.0/24`; always 24 bits. */
  readonly podCidr: string
  readonly pods?: number
  readonly ephemeralStorageBytes?: number
  /** Kept for the node itself: allocatable is the capacity without it. */
  readonly reserved?: { readonly milliCpu?: number; readonly memoryBytes?: number }
  readonly zone?: string
  readonly labels?: Readonly<Record<string, string>>
  /** As device plugins announce them, such as `nvidia.com/gpu`. */
  readonly extended?: Readonly<Record<string, number>>
  /** `static` gives Guaranteed pods CPUs of their own, which makes resizing their CPU Infeasible. */
  readonly cpuManager?: 'none' | 'static'
  /** The lease is renewed four times in this time, as by a real kubelet. */
  readonly leaseSeconds?: number
}
