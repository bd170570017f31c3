/** "No" in the kubelet's words. `type` is the reason of the pod's status, where it has its own. */
export type Refusal = { readonly error: string; readonly type?: string }

export const isRefusal = (answer: object): answer is Refusal => 'error' in answer
