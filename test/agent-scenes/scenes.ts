/** Scenes in which one thing happens, to one pod named web. */
import { settings } from '../../src/apis/names.ts'
import { loadedPod } from '../platform.ts'
import type { Scene } from './play.ts'

/** The same, with shares that are quotas. */
export const strictly = (scene: Scene): Scene => ({
  ...scene,
  config: { ...scene.config, enforcement: 'strict' },
})

export const steady: Scene = {
  pods: [loadedPod('web', { load: 'steady cpu=400m', limit: '1' })],
  seconds: 30,
  p99Millis: 10,
}
export const steps: Scene = {
  pods: [loadedPod('web', { load: 'bursty low=200m high=1 every=16s for=8s', limit: '3' })],
  seconds: 20,
}
export const short: Scene = {
  cpus: 2,
  pods: [
    loadedPod('web', { load: 'steady cpu=500m', limit: '2' }),
    loadedPod('batch', { load: 'steady cpu=4', limit: '4' }),
  ],
  seconds: 10,
}
export const costMode = { costEfficiencyMode: true }
/** Requests more than any floor that it is given; its limit is the whole node from the start. */
export const idle: Scene = {
  pods: [loadedPod('web', { load: 'idle', request: '500m', limit: '4' })],
  config: costMode,
  seconds: 65,
}
/** Throttled in a fifth of its periods, with nobody to help it but the market. */
export const spiky: Scene = strictly({
  pods: [loadedPod('web', { load: 'bursty low=100m high=1 every=1s for=200ms', limit: '400m' })],
  writesKernel: false,
  hasController: false,
  seconds: 10,
})
/** Late beside a pod that takes all it can get, whatever its weight; by 1 % of the usual target. */
export const beset: Scene = {
  cpus: 2,
  pods: [
    loadedPod('web', {
      load: 'steady cpu=500m',
      request: '600m',
      limit: '2',
      annotations: { [settings.targetLatencyMs]: '100' },
    }),
    loadedPod('batch', { load: 'steady cpu=4', limit: '4' }),
  ],
  p99Millis: 101,
  seconds: 15,
}
/** The same without a target of its own. */
export const late: Scene = {
  ...beset,
  pods: [
    loadedPod('web', { load: 'steady cpu=500m', request: '600m', limit: '2' }),
    loadedPod('batch', { load: 'steady cpu=4', limit: '4' }),
  ],
}
export const grows: Scene = {
  pods: [loadedPod('web', { load: 'ramp from=300m to=900m over=2m', limit: '400m' })],
  config: { ...costMode, enforcement: 'strict' },
  seconds: 110,
}
export const guaranteed: Scene = {
  pods: [loadedPod('web', { request: '1', limit: '1', memory: '1Gi' })],
  seconds: 5,
}
