/** A pod as people and most that measures it know it: by name, without its UID. */
export type PodName = { readonly namespace: string; readonly name: string }

export const keyOfPod = ({ namespace, name }: PodName): string => `${namespace}/${name}`
