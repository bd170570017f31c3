/** What `kubectl explain` says of the kinds and of their best-known fields, in our own words. */
import type { JsonObject } from '../object.ts'

/** The same in every kind. */
const ofKinds: Readonly<Record<string, string>> = {
  apiVersion: 'Group and version of the API that the object is written for.',
  kind: 'Which kind of object this is.',
  metadata: 'Name, labels and whatever else every object has.',
  spec: 'What is wanted.',
  status: 'What is the case now; the cluster writes it.',
}

/** By the last parts of a type's name: of the type itself under `''`, then of its fields. */
const types: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'core.v1.Binding': { '': 'Puts a pod on a node.', target: 'The node.' },
  'core.v1.ConfigMap': {
    '': 'Settings that pods read.',
    data: 'Texts by key.',
    binaryData: 'Bytes by key, in base64.',
    immutable: 'If true, the data cannot be changed any more.',
  },
  'core.v1.Event': {
    '': 'Something that happened to an object.',
    involvedObject: 'What it happened to.',
    reason: 'A short name of what happened, for machines.',
    message: 'What happened, for people.',
    type: 'Normal or Warning.',
    count: 'How often it happened.',
  },
  'events.v1.Event': {
    '': 'Something that happened to an object.',
    regarding: 'What it happened to.',
    reason: 'A short name of what happened, for machines.',
    note: 'What happened, for people.',
    type: 'Normal or Warning.',
  },
  'core.v1.LimitRange': { '': 'Bounds and defaults for the resources of pods in a namespace.' },
  'core.v1.Namespace': { '': 'A part of the cluster with names of its own.' },
  'core.v1.Node': { '': 'A machine that runs pods.' },
  'core.v1.NodeSpec': {
    unschedulable: 'If true, no new pods come to this node.',
    taints: 'Marks that keep away all pods that do not tolerate them.',
  },
  'core.v1.NodeStatus': {
    capacity: 'All resources of the node.',
    allocatable: 'What of them pods may have.',
    conditions: 'How the node is, such as Ready.',
  },
  'core.v1.Pod': { '': 'Containers that run together on one node.' },
  'core.v1.PodSpec': {
    containers: 'The containers; there is at least one, and their number does not change.',
    initContainers: 'Containers that run one after another before the others start.',
    nodeName: 'The node that the pod is on; set when it is scheduled.',
    nodeSelector: 'Labels that a node must have to get the pod.',
    priorityClassName: 'Name of the priority class that gives the pod its priority.',
    restartPolicy: 'Whether containers that end are started again.',
    serviceAccountName: 'The service account that the pod acts as.',
    terminationGracePeriodSeconds:
      'Time that the containers have to end by themselves, in seconds.',
    tolerations: 'Taints of nodes that do not keep the pod away.',
    volumes: 'Files that containers can mount.',
  },
  'core.v1.PodStatus': {
    phase: 'Where the pod is in its life: Pending, Running, Succeeded or Failed.',
    conditions: 'How the pod is, such as Ready; also whether a resize is pending or in progress.',
    containerStatuses: 'How each container is.',
    qosClass: 'Guaranteed, Burstable or BestEffort, from the resources that are asked for.',
  },
  'core.v1.Container': {
    name: 'Name of the container, unique in its pod.',
    image: 'What it runs.',
    command: 'The program, instead of the one that the image names.',
    args: 'Arguments of the program.',
    env: 'Environment variables.',
    ports: 'Ports that it listens on.',
    resources: 'How much CPU, memory and other resources it gets.',
    resizePolicy: 'For each resource, whether the container must restart when it is resized.',
    livenessProbe: 'When this fails, the container is restarted.',
    readinessProbe: 'While this fails, the container gets no traffic.',
    volumeMounts: 'Where the volumes of the pod appear in it.',
  },
  'core.v1.ContainerStatus': {
    allocatedResources: 'What the node has set aside for the container.',
    resources: 'What the running container has now.',
    restartCount: 'How often it was started again.',
  },
  'core.v1.ResourceRequirements': {
    '': 'Resources of a container.',
    limits: 'The most it may use of each resource.',
    requests: 'What is set aside for it of each resource; the limit, if not said.',
  },
  'core.v1.ResourceQuota': { '': 'Limits on what all of a namespace may use together.' },
  'core.v1.ResourceQuotaSpec': { hard: 'The most of each resource.' },
  'core.v1.Secret': {
    '': 'Settings that are not to be shown.',
    data: 'Bytes by key, in base64.',
    stringData: 'Texts by key, for writing only: they are put into data.',
  },
  'core.v1.Service': { '': 'One address for the pods that a selector finds.' },
  'core.v1.ServiceAccount': { '': 'Someone that pods can act as.' },
  'core.v1.PodTemplateSpec': { '': 'What pods are made from.' },
  'apps.v1.DaemonSet': { '': 'Keeps one pod on every node.' },
  'apps.v1.Deployment': {
    '': 'Keeps a number of equal pods, and replaces them when their template changes.',
  },
  'apps.v1.DeploymentSpec': {
    replicas: 'How many pods; 1 if not said.',
    selector: 'Labels by which it knows its pods.',
    strategy: 'How old pods are replaced by new ones.',
    template: 'What its pods are made from.',
  },
  'apps.v1.ReplicaSet': { '': 'Keeps a number of equal pods.' },
  'apps.v1.ReplicaSetSpec': {
    replicas: 'How many pods; 1 if not said.',
    selector: 'Labels by which it knows its pods.',
    template: 'What its pods are made from.',
  },
  'batch.v1.Job': { '': 'Runs pods until enough of them have succeeded.' },
  'coordination.v1.Lease': { '': 'Says who leads, or who is alive, and for how long.' },
  'scheduling.v1.PriorityClass': {
    '': 'A name for a priority of pods.',
    value: 'The priority; higher is more important.',
    globalDefault: 'If true, pods that name no class have this one.',
  },
  'policy.v1.PodDisruptionBudget': { '': 'How many of some pods may be evicted at a time.' },
  'rbac.v1.ClusterRole': { '': 'Permissions, in all namespaces.', rules: 'What is permitted.' },
  'rbac.v1.ClusterRoleBinding': { '': 'Gives a cluster role to someone, in all namespaces.' },
  'rbac.v1.Role': { '': 'Permissions in a namespace.', rules: 'What is permitted.' },
  'rbac.v1.RoleBinding': { '': 'Gives a role to someone, in a namespace.' },
  'apiextensions.v1.CustomResourceDefinition': { '': 'Adds a kind of objects to the API.' },
  'authorization.v1.SelfSubjectAccessReview': { '': 'Asks whether one may do something.' },
  'authentication.v1.SelfSubjectReview': { '': 'Asks who one is.' },
  'meta.v1.ObjectMeta': {
    name: 'Name, unique among the objects of its kind in its namespace.',
    namespace: 'The namespace that it is in.',
    labels: 'Keys and values by which it can be selected.',
    annotations: 'Keys and values for people and tools.',
    uid: 'Unique for all time; set by the server.',
    resourceVersion: 'Changes with every write; a write that carries an old one is refused.',
    generation: 'Counts the changes of what is wanted.',
    creationTimestamp: 'When it was created.',
    deletionTimestamp: 'When it will be gone or could be, once somebody has deleted it.',
    finalizers: 'Names of those who must let go before it is gone.',
    ownerReferences: 'Objects that it goes with.',
    managedFields: 'Who has set which field.',
  },
  'meta.v1.LabelSelector': {
    '': 'Finds objects by their labels.',
    matchLabels: 'Labels that must be there.',
    matchExpressions: 'Further conditions on labels.',
  },
}

const ofType = (typeName: string): Readonly<Record<string, string>> | undefined =>
  types[typeName.split('.').slice(-3).join('.')]

export const describeType = (typeName: string): JsonObject => described(ofType(typeName)?.[''])

export const describeField = (typeName: string, field: string): JsonObject =>
  described(ofType(typeName)?.[field])

/** Of a type that is a kind. */
export const describeKindField = (typeName: string, field: string): JsonObject =>
  described(ofType(typeName)?.[field] ?? ofKinds[field])

const described = (description: string | undefined): JsonObject =>
  description === undefined ? {} : { description }
