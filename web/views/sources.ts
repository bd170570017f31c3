/** Where each view comes from, and how it goes on. */
import type {
  ClusterPatch,
  EventsPatch,
  NodePatch,
  PodPatch,
} from '../../src/apis/dashboard-patch.ts'
import type { ClusterView, EventFeed, NodeDetail, PodDetail } from '../../src/apis/dashboard.ts'
import type { Source } from '../live/stream.ts'
import { mergeCluster, mergeEvents, mergeNode, mergePod } from '../model/merge.ts'

export const clusterSource: Source<ClusterView, ClusterPatch> = {
  path: 'cluster',
  merge: mergeCluster,
}
export const eventsSource: Source<EventFeed, EventsPatch> = { path: 'events', merge: mergeEvents }

export const nodeSource = (name: string): Source<NodeDetail, NodePatch> => ({
  path: `node/${encodeURIComponent(name)}`,
  merge: mergeNode,
})

export const podSource = (key: string): Source<PodDetail, PodPatch> => ({
  path: `pod/${key.split('/').map(encodeURIComponent).join('/')}`,
  merge: mergePod,
})
