/** Scenes in which one thing happens, to one pod named web. */
import { settings } from '../../src/apis/names.ts'
import { loadedPod } from '../platform.ts'
import type { Scene } from './play.ts'

export const steady: Scene = {
  pods: [loadedPod('web', { load: 'steady cpu=400m', limit: '1' })],
  seconds: 30,
  p99Millis: 10,
}
export const steps: Scene = {
  pods: [loadedPod('web', { load: 'bursty low=200m high=1 every=16s for=8s', limit: '3' })],
  seconds: 20,
}
export const ramp: Scene = {
  pods: [loadedPod('web', { load: 'ramp from=100m to=2 over=60s', limit: '3' })],
  seconds: 25,
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
export const idle: Scene = {
  pods: [loadedPod('web', { load: 'idle', limit: '2' })],
  config: costMode,
  seconds: 65,
}
/** Requests more than any floor that it is given. */
export const idleLarge: Scene = {
  ...idle,
  pods: [loadedPod('web', { load: 'idle', request: '500m', limit: '2' })],
}
export const fallsAsleep: Scene = {
  pods: [loadedPod('web', { load: 'bursty low=1m high=1 every=100s for=15s', limit: '2' })],
  config: costMode,
  seconds: 50,
}
/** Throttled in a fifth of its periods, with nobody to help it but the market. */
export const spiky = (config: object): Scene => ({
  pods: [loadedPod('web', { load: 'bursty low=100m high=1 every=1s for=200ms', limit: '400m' })],
  config,
  writesKernel: false,
  seconds: 50,
})
export const slow = (p99Millis: number): Scene => ({
  pods: [loadedPod('web', { load: 'steady cpu=300m', limit: '500m' })],
  config: costMode,
  p99Millis,
  seconds: 5,
})
/** By 1 % of the usual target. */
export const late = slow(101)
/** Too slow only while all starts. */
export const recovers: Scene = {
  ...slow(200),
  config: { ...costMode, startupGracePeriod: '0s' },
  slowSeconds: 0,
  seconds: 90,
}
export const grows: Scene = {
  pods: [loadedPod('web', { load: 'ramp from=300m to=900m over=2m', limit: '400m' })],
  config: costMode,
  seconds: 110,
}
export const learns: Scene = {
  pods: [
    loadedPod('web', {
      load: 'steady cpu=400m',
      limit: '1',
      annotations: { [settings.learn]: 'true' },
    }),
  ],
  config: { slowLoopInterval: '1s' },
  seconds: 20,
}
export const guaranteed: Scene = {
  pods: [loadedPod('web', { request: '1', limit: '1', memory: '1Gi' })],
  seconds: 5,
}
