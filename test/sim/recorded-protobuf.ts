/**
 * Protobuf bodies as kubectl 1.36.3 sent them, each with what the same command prints as JSON; and an
 * object as a 1.36.3 API server answers it in both forms.
 */
import type { JsonObject } from '../../src/sim/apiserver/object.ts'

type Recorded = { readonly name: string; readonly base64: string; readonly json: JsonObject }

export const recorded: readonly Recorded[] = [
  {
    name: 'kubectl create namespace team',
    base64: 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEhwKFAoEdGVhbRIAGgAiACoAMgA4AEIAEgAaAgoAGgAiAA==',
    json: { kind: 'Namespace', apiVersion: 'v1', metadata: { name: 'team' }, spec: {}, status: {} },
  },
  {
    name: 'kubectl create deployment web --image=nginx --replicas=0 --port=80 -- sleep 1',
    base64:
      'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50EsIBCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEpAB' +
      'CAASDAoKCgNhcHASA3dlYhp2ChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViElYSOAoFbmdpbngSBW5naW54' +
      'GgVzbGVlcBoBMSoAMgoKABAAGFAiACoAQgBqAHIAgAEAiAEAkAEAogEAGgAyAEIASgBSAFgAYABoAIIBAIoBAJoB' +
      'AMIBACICCgAoADgAGgwIABAAGAAgACgAOAAaACIA',
    json: {
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: {
            containers: [
              {
                name: 'nginx',
                image: 'nginx',
                command: ['sleep', '1'],
                ports: [{ containerPort: 80 }],
                resources: {},
              },
            ],
          },
        },
        strategy: {},
      },
      status: {},
    },
  },
  {
    name: 'kubectl create quota small --hard=requests.cpu=0.5,limits.memory=1Gi,pods=3 --scopes=BestEffort',
    base64:
      'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRJkChUKBXNtYWxsEgAaACIAKgAyADgAQgASSQoWCg1saW1pdHMubWVt' +
      'b3J5EgUKAzFHaQoLCgRwb2RzEgMKATMKFgoMcmVxdWVzdHMuY3B1EgYKBDUwMG0SCkJlc3RFZmZvcnQaABoAIgA=',
    json: {
      kind: 'ResourceQuota',
      apiVersion: 'v1',
      metadata: { name: 'small' },
      spec: {
        hard: { 'limits.memory': '1Gi', pods: '3', 'requests.cpu': '500m' },
        scopes: ['BestEffort'],
      },
      status: {},
    },
  },
  {
    name: 'kubectl create configmap words --from-literal=a=b --from-literal=c=',
    base64:
      'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEiYKFQoFd29yZHMSABoAIgAqADIAOABCABIGCgFhEgFiEgUKAWMSABoAIgA=',
    json: {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'words' },
      data: { a: 'b', c: '' },
    },
  },
  {
    name: 'kubectl create secret generic keys --from-literal=token=xyz',
    base64: 'azhzAAoMCgJ2MRIGU2VjcmV0EiYKFAoEa2V5cxIAGgAiACoAMgA4AEIAEgwKBXRva2VuEgN4eXoaABoAIgA=',
    json: { kind: 'Secret', apiVersion: 'v1', metadata: { name: 'keys' }, data: { token: 'eHl6' } },
  },
  {
    name: 'kubectl create serviceaccount bot',
    base64: 'azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSFQoTCgNib3QSABoAIgAqADIAOABCABoAIgA=',
    json: { kind: 'ServiceAccount', apiVersion: 'v1', metadata: { name: 'bot' } },
  },
  {
    name: 'kubectl create priorityclass high --value=1000 --description=above',
    base64:
      'azhzAAolChRzY2hlZHVsaW5nLms4cy5pby92MRINUHJpb3JpdHlDbGFzcxI4ChQKBGhpZ2gSABoAIgAqADIAOABC' +
      'ABDoBxgAIgVhYm92ZSoUUHJlZW1wdExvd2VyUHJpb3JpdHkaACIA',
    json: {
      kind: 'PriorityClass',
      apiVersion: 'scheduling.k8s.io/v1',
      metadata: { name: 'high' },
      value: 1000,
      description: 'above',
      preemptionPolicy: 'PreemptLowerPriority',
    },
  },
  {
    name: 'kubectl create pdb careful --selector=app=web --min-available=50%',
    base64:
      'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSQAoXCgdjYXJlZnVsEgAaACIAKgAyADgAQgAS' +
      'GQoJCAEQABoDNTAlEgwKCgoDYXBwEgN3ZWIaCggAGAAgACgAMAAaACIA',
    json: {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { name: 'careful' },
      spec: { minAvailable: '50%', selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  },
  {
    name: 'kubectl create pdb careful2 --selector=app=web --max-unavailable=1',
    base64:
      'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSPgoYCghjYXJlZnVsMhIAGgAiACoAMgA4AEIA' +
      'EhYSDAoKCgNhcHASA3dlYhoGCAAQARoAGgoIABgAIAAoADAAGgAiAA==',
    json: {
      kind: 'PodDisruptionBudget',
      apiVersion: 'policy/v1',
      metadata: { name: 'careful2' },
      spec: { selector: { matchLabels: { app: 'web' } }, maxUnavailable: 1 },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  },
  {
    name: 'kubectl create role reader --verb=get,list --resource=pods --resource-name=a',
    base64:
      'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEjAKFgoGcmVhZGVyEgAaACIAKgAyADgA' +
      'QgASFgoDZ2V0CgRsaXN0EgAaBHBvZHMiAWEaACIA',
    json: {
      kind: 'Role',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'reader' },
      rules: [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'], resourceNames: ['a'] },
      ],
    },
  },
  {
    name: 'kubectl create clusterrolebinding all --clusterrole=admin --user=ann --serviceaccount=default:bot',
    base64:
      'azhzAAoyChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEhJDbHVzdGVyUm9sZUJpbmRpbmcSkgEKEwoDYWxs' +
      'EgAaACIAKgAyADgAQgASKAoEVXNlchIZcmJhYy5hdXRob3JpemF0aW9uLms4cy5pbxoDYW5uIgASIAoOU2Vydmlj' +
      'ZUFjY291bnQSABoDYm90IgdkZWZhdWx0Gi8KGXJiYWMuYXV0aG9yaXphdGlvbi5rOHMuaW8SC0NsdXN0ZXJSb2xl' +
      'GgVhZG1pbhoAIgA=',
    json: {
      kind: 'ClusterRoleBinding',
      apiVersion: 'rbac.authorization.k8s.io/v1',
      metadata: { name: 'all' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'ann' },
        { kind: 'ServiceAccount', name: 'bot', namespace: 'default' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
    },
  },
  {
    name: 'kubectl create service clusterip web --tcp=80:8080',
    base64:
      'azhzAAoNCgJ2MRIHU2VydmljZRJpCh8KA3dlYhIAGgAiACoAMgA4AEIAWgoKA2FwcBIDd2ViEkIKGwoHODAtODA4' +
      'MBIDVENQGFAiBwgAEJA/GgAoABIKCgNhcHASA3dlYhoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA==',
    json: {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: {
        ports: [{ name: '80-8080', protocol: 'TCP', port: 80, targetPort: 8080 }],
        selector: { app: 'web' },
        type: 'ClusterIP',
      },
      status: { loadBalancer: {} },
    },
  },
  {
    name: 'kubectl create job once --image=busybox -- true',
    base64:
      'azhzAAoPCghiYXRjaC92MRIDSm9iEoQBChQKBG9uY2USABoAIgAqADIAOABCABJiMmAKEAoAEgAaACIAKgAyADgA' +
      'QgASTBIpCgRvbmNlEgdidXN5Ym94GgR0cnVlKgBCAGoAcgCAAQCIAQCQAQCiAQAaBU5ldmVyMgBCAEoAUgBYAGAA' +
      'aACCAQCKAQCaAQDCAQAaCCAAKAAwADoAGgAiAA==',
    json: {
      kind: 'Job',
      apiVersion: 'batch/v1',
      metadata: { name: 'once' },
      spec: {
        template: {
          metadata: {},
          spec: {
            containers: [{ name: 'once', image: 'busybox', command: ['true'], resources: {} }],
            restartPolicy: 'Never',
          },
        },
      },
      status: {},
    },
  },
  {
    name: 'kubectl auth can-i patch pods --subresource=resize -n default',
    base64:
      'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSRAoQCgASABoA' +
      'IgAqADIAOABCABImCiQKB2RlZmF1bHQSBXBhdGNoGgAiACoEcG9kczIGcmVzaXplOgAaCAgAEgAaACAAGgAiAA==',
    json: {
      kind: 'SelfSubjectAccessReview',
      apiVersion: 'authorization.k8s.io/v1',
      spec: {
        resourceAttributes: {
          namespace: 'default',
          verb: 'patch',
          resource: 'pods',
          subresource: 'resize',
        },
      },
      status: { allowed: false },
    },
  },
  {
    name: 'a pod as the server has it',
    base64:
      'azhzAAoJCgJ2MRIDUG9kEtYHCloKA2JpZxIAGgdoLXR5cGVzIgAqJDZhYzYwOGMyLWEwYjgtNGQ4MC05MWY2LTIx' +
      'MGU3MjgzMWMyYjIENTEzNjgBQggIoNvp1wYQAFoGCgF4EgF5YgYKAWESAWIS3gQKCQoBdhIEEgIKAAoZCgFjEhSa' +
      'AREKBAoCY20SBgoBaxIBcBikAxKWAgoBYxIFbmdpbngqADINCgAQABhQIgNUQ1AqADoFCgFBEgA6HAoBQhIAGhUK' +
      'EwoCdjESDW1ldGFkYXRhLm5hbWVCPQoKCgNjcHUSAwoBMQoPCgZtZW1vcnkSBQoDMUdpEg0KA2NwdRIGCgQxMDBt' +
      'Eg8KBm1lbW9yeRIFCgMxR2lKDQoBdhAAGgIvdiIAMgBSJQoZEhcKAS8SCggBEAAaBGh0dHAaACIESFRUUBADGAEg' +
      'CigBMANaGAoMGgoKBggAEFAaABIAEAAYASAKKAEwA2oUL2Rldi90ZXJtaW5hdGlvbi1sb2dyBkFsd2F5c3oCEACA' +
      'AQCIAQCQAQCiAQRGaWxlugESCgNjcHUSC05vdFJlcXVpcmVkGgZBbHdheXMgHjIMQ2x1c3RlckZpcnN0OgsKAm5v' +
      'EgV3aGVyZUIASgBSAFgAYABoAHIJEAAgASACIKwCggEAigEAkgEVGhMKEQoMEgoKAWESAkluGgFiGgF6mgERZGVm' +
      'YXVsdC1zY2hlZHVsZXKyARoKAWESBkV4aXN0cxoAIglOb0V4ZWN1dGUoALIBNgocbm9kZS5rdWJlcm5ldGVzLmlv' +
      'L25vdC1yZWFkeRIGRXhpc3RzGgAiCU5vRXhlY3V0ZSisArIBOAoebm9kZS5rdWJlcm5ldGVzLmlvL3VucmVhY2hh' +
      'YmxlEgZFeGlzdHMaACIJTm9FeGVjdXRlKKwCwgEAyAEA8AEB+gEUUHJlZW1wdExvd2VyUHJpb3JpdHkalgIKB1Bl' +
      'bmRpbmcS8AEKDFBvZFNjaGVkdWxlZBIFRmFsc2UaACIICKDb6dcGEAAqDVVuc2NoZWR1bGFibGUyuwEwLzEgbm9k' +
      'ZXMgYXJlIGF2YWlsYWJsZTogMSBub2RlKHMpIGRpZG4ndCBtYXRjaCBQb2QncyBub2RlIGFmZmluaXR5L3NlbGVj' +
      'dG9yLiBubyBuZXcgY2xhaW1zIHRvIGRlYWxsb2NhdGUsIHByZWVtcHRpb246IDAvMSBub2RlcyBhcmUgYXZhaWxh' +
      'YmxlOiAxIFByZWVtcHRpb24gaXMgbm90IGhlbHBmdWwgZm9yIHNjaGVkdWxpbmcuOAEaACIAKgAyAEoJQnVyc3Rh' +
      'YmxlWgByAIgBABoAIgA=',
    json: {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: {
        name: 'big',
        namespace: 'h-types',
        uid: '6ac608c2-a0b8-4d80-91f6-210e72831c2b',
        resourceVersion: '5136',
        generation: 1,
        creationTimestamp: '2026-11-16T02:42:40Z',
        labels: { x: 'y' },
        annotations: { a: 'b' },
      },
      spec: {
        volumes: [
          { name: 'v', emptyDir: {} },
          {
            name: 'c',
            configMap: { name: 'cm', items: [{ key: 'k', path: 'p' }], defaultMode: 420 },
          },
        ],
        containers: [
          {
            name: 'c',
            image: 'nginx',
            ports: [{ containerPort: 80, protocol: 'TCP' }],
            env: [
              { name: 'A' },
              {
                name: 'B',
                valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } },
              },
            ],
            resources: {
              limits: { cpu: '1', memory: '1Gi' },
              requests: { cpu: '100m', memory: '1Gi' },
            },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
            livenessProbe: {
              httpGet: { path: '/', port: 'http', scheme: 'HTTP' },
              initialDelaySeconds: 3,
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            readinessProbe: {
              tcpSocket: { port: 80 },
              timeoutSeconds: 1,
              periodSeconds: 10,
              successThreshold: 1,
              failureThreshold: 3,
            },
            terminationMessagePath: '/dev/termination-log',
            terminationMessagePolicy: 'File',
            imagePullPolicy: 'Always',
            securityContext: { privileged: false },
          },
        ],
        restartPolicy: 'Always',
        terminationGracePeriodSeconds: 30,
        dnsPolicy: 'ClusterFirst',
        nodeSelector: { no: 'where' },
        securityContext: { runAsUser: 0, supplementalGroups: [1, 2, 300] },
        affinity: {
          podAntiAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [
              {
                labelSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
                topologyKey: 'z',
              },
            ],
          },
        },
        schedulerName: 'default-scheduler',
        tolerations: [
          { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 0 },
          {
            key: 'node.kubernetes.io/not-ready',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
          {
            key: 'node.kubernetes.io/unreachable',
            operator: 'Exists',
            effect: 'NoExecute',
            tolerationSeconds: 300,
          },
        ],
        priority: 0,
        enableServiceLinks: true,
        preemptionPolicy: 'PreemptLowerPriority',
      },
      status: {
        phase: 'Pending',
        conditions: [
          {
            type: 'PodScheduled',
            observedGeneration: 1,
            status: 'False',
            lastProbeTime: null,
            lastTransitionTime: '2026-11-16T02:42:40Z',
            reason: 'Unschedulable',
            message:
              "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.",
          },
        ],
        qosClass: 'Burstable',
      },
    },
  },
]
