/**
 * What KWOK does with nodes and pods: a node becomes Ready and keeps the addresses that it was made
 * with; a scheduled pod runs at once and gets an address of its node; a deleted pod goes at once.
 *
 * @see https://kwok.sigs.k8s.io/docs/user/stages-configuration/
 */
export const KWOK_STAGES = `
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata:
  name: node-becomes-ready
spec:
  resourceRef: { apiGroup: v1, kind: Node }
  selector:
    matchExpressions:
      - key: '.status.conditions.[] | select( .type == "Ready" ) | .status'
        operator: NotIn
        values: ['True']
  next:
    statusTemplate: |
      phase: Running
      conditions:
      {{ range NodeConditions }}
        - type: {{ .type | Quote }}
          status: {{ .status | Quote }}
          reason: {{ .reason | Quote }}
          message: {{ .message | Quote }}
          lastHeartbeatTime: {{ Now | Quote }}
          lastTransitionTime: {{ Now | Quote }}
      {{ end }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata:
  name: pod-runs
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: '.metadata.deletionTimestamp', operator: DoesNotExist }
      - { key: '.status.phase', operator: In, values: [Pending] }
  next:
    statusTemplate: |
      phase: Running
      startTime: {{ Now | Quote }}
      conditions:
        - { type: Initialized, status: "True", lastTransitionTime: {{ Now | Quote }} }
        - { type: Ready, status: "True", lastTransitionTime: {{ Now | Quote }} }
        - { type: ContainersReady, status: "True", lastTransitionTime: {{ Now | Quote }} }
      containerStatuses:
      {{ range .spec.containers }}
        - name: {{ .name | Quote }}
          image: {{ .image | Quote }}
          ready: true
          started: true
          restartCount: 0
          state: { running: { startedAt: {{ Now | Quote }} } }
      {{ end }}
      {{ with NodeIPsWith .spec.nodeName }}
      hostIP: {{ index . 0 | Quote }}
      hostIPs:
      {{ range . }}
        - ip: {{ . | Quote }}
      {{ end }}
      {{ end }}
      {{ with PodIPsWith .spec.nodeName ( or .spec.hostNetwork false ) ( or .metadata.uid "" ) ( or .metadata.name "" ) ( or .metadata.namespace "" ) }}
      podIP: {{ index . 0 | Quote }}
      podIPs:
      {{ range . }}
        - ip: {{ . | Quote }}
      {{ end }}
      {{ end }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata:
  name: pod-goes
spec:
  resourceRef: { apiGroup: v1, kind: Pod }
  selector:
    matchExpressions:
      - { key: '.metadata.deletionTimestamp', operator: Exists }
  next:
    finalizers: { empty: true }
    delete: true
`.trimStart();
