import assert from 'node:assert/strict'
import { describe } from 'node:test'

import { each } from '../../../test/each.ts'
import { pathsOf, whyMissing } from './find.ts'

const pod = { podUid: '1a-2b', qosClass: 'Burstable' } as const
const place = { ...pod, containerId: 'containerd://c0' }

void describe('finding a cgroup', () => {
  each(
    [
      {
        name: 'cgroupfs',
        place,
        root: '/',
        path: 'kubepods/burstable/pod1a-2b/c0',
      },
      {
        name: 'cgroupfs, Guaranteed',
        place: { ...place, qosClass: 'Guaranteed' as const },
        root: '/',
        path: 'kubepods/pod1a-2b/c0',
      },
      {
        name: 'cgroupfs with CRI-O',
        place: { ...place, containerId: 'cri-o://c0' },
        root: '/',
        path: 'kubepods/burstable/pod1a-2b/crio-c0',
      },
      {
        name: 'cgroupfs below a root of its own',
        place,
        root: '/docker/node-1/kubelet/',
        path: 'docker/node-1/kubelet/kubepods/burstable/pod1a-2b/c0',
      },
      {
        name: 'systemd with containerd',
        place,
        root: '/',
        path: 'kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1a_2b.slice/cri-containerd-c0.scope',
      },
      {
        name: 'systemd with CRI-O, Guaranteed',
        place: { ...place, qosClass: 'Guaranteed' as const, containerId: 'cri-o://c0' },
        root: '/',
        path: 'kubepods.slice/kubepods-pod1a_2b.slice/crio-c0.scope',
      },
      {
        name: 'systemd with BestEffort',
        place: { ...place, qosClass: 'BestEffort' as const },
        root: '/',
        path: 'kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod1a_2b.slice/cri-containerd-c0.scope',
      },
      {
        name: 'systemd below the cgroupRoot of the kubelet',
        place,
        root: '/kubelet',
        path: 'kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod1a_2b.slice/cri-containerd-c0.scope',
      },
      {
        name: 'a pod under cgroupfs',
        place: pod,
        root: '/',
        path: 'kubepods/burstable/pod1a-2b',
      },
      {
        name: 'a pod under systemd',
        place: pod,
        root: '/',
        path: 'kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1a_2b.slice',
      },
      {
        name: 'a group of a machine without Kubernetes',
        place: { path: 'services/api' },
        root: '/',
        path: 'services/api',
      },
      {
        name: 'systemd in a folder of another machine',
        place,
        root: '/system.slice/node-1',
        path: 'system.slice/node-1/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1a_2b.slice/cri-containerd-c0.scope',
      },
    ],
    ({ place, root, path }) => {
      const paths = pathsOf(place, root)
      assert.ok(paths.includes(path), paths.join('\n'))
    },
  )

  each(
    [
      { name: 'a container above its pod', place: { ...place, containerId: 'x://../../../a' } },
      { name: 'a container below another', place: { ...place, containerId: 'x://c0/c1' } },
      { name: 'a container without a name', place: { ...place, containerId: 'containerd://' } },
      { name: 'its own pod', place: { ...place, containerId: 'x://.' } },
      { name: 'a line end', place: { ...place, containerId: 'x://c0\n' } },
      { name: 'a pod above all', place: { ...pod, podUid: '/../../../a' } },
      { name: 'a class that is none', place: { ...pod, qosClass: '../..' as 'Burstable' } },
    ],
    ({ place }) => {
      assert.deepEqual(pathsOf(place), [])
      const hierarchy = { version: 2, unified: '/' } as const
      assert.match(whyMissing(hierarchy, place, '/') ?? '', /^expected plain names/)
    },
  )
})
