/** Of what is looked at again and again, tells only what is new. */
export type News = {
  /** True when this was not what was last said of the pod; nothing to say is never news. */
  readonly isNew: (uid: string, said: string) => boolean
  /** Forgets the pods that are gone. */
  readonly keepOnly: (uids: ReadonlySet<string>) => void
}

export function createNews(): News {
  const last = new Map<string, string>()
  return {
    isNew: (uid, said) => {
      const isNew = said !== (last.get(uid) ?? '')
      last.set(uid, said)
      return isNew && said !== ''
    },
    keepOnly: (uids) => {
      for (const uid of last.keys()) if (!uids.has(uid)) last.delete(uid)
    },
  }
}
