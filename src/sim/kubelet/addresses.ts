/** The pod addresses of a node's 24-bit range; the lowest free one is next, as with host-local. */
type Addresses = {
  readonly take: () => string
  readonly giveBack: (address: string) => void
}

export function createAddresses(podCidr: string): Addresses {
  const network = podCidr.replace(/\.\d+\/\d+$/, '')
  const taken = new Set<string>()
  return {
    take() {
      // .0 is the network, .1 the node's bridge, .255 the broadcast.
      for (let host = 2; host < 255; host += 1) {
        const address = `${network}.${host}`
        if (taken.has(address)) continue
        taken.add(address)
        return address
      }
      throw new RangeError(`taking an address of ${podCidr}: expected one to be free, got none`)
    },
    giveBack: (address) => void taken.delete(address),
  }
}
