import type {
  Container,
  ContainerPort,
  HTTPGetAction,
  FileKeySelector,
  ObjectFieldSelector,
  Pod,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
  Probe,
} from 'setpoint/kinds'
import type { JsonObject } from 'setpoint/schema'
import { emptyLike } from '../../codec/index.ts'
import { defaultGraceSeconds } from '../../object/index.ts'
import { followsLatest } from '../image-tag.ts'
import { itemsOf } from '../items-of.ts'
import { withMissingQuantities } from '../resource-quantities.ts'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'
import { fillPodResources } from './fill-pod-resources.ts'

type Amounts = Record<string, string>

/** Missing requests of a container are its limits. */
function requestLimits(container: Container): void {
  const { resources } = container
  if (resources === undefined) return
  emptyLike(resources as JsonObject, 'requests', 'limits')
  if (resources.limits === undefined) return
  const requests = withMissingQuantities(resources.requests, resources.limits)
  if (requests !== undefined) resources.requests = requests as Amounts
}

/** In the host's network, the port of a container is a port of the host. */
function exposePorts(container: Container): void {
  for (const port of container.ports ?? []) port.hostPort ||= port.containerPort
}

/** Annotations from before init containers had a field; the server removes them. */
const oldAnnotations = ['alpha', 'beta'].flatMap((stage) => [
  `pod.${stage}.kubernetes.io/init-containers`,
  `pod.${stage}.kubernetes.io/init-container-statuses`,
])

function dropOldAnnotations(metadata: PodTemplateSpec['metadata']): void {
  for (const name of oldAnnotations) {
    if (metadata?.annotations?.[name] !== undefined) {
      Reflect.deleteProperty(metadata.annotations, name)
    }
  }
}

function fillPod({ metadata, spec }: Pod): void {
  dropOldAnnotations(metadata)
  // A negative grace period becomes 1 second; templates keep it.
  if (Number(spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1
  const containers = [...itemsOf(spec.containers), ...itemsOf(spec.initContainers)]
  containers.forEach(requestLimits)
  fillPodResources(spec)
  spec.enableServiceLinks ??= true
  if (spec.hostNetwork === true) containers.forEach(exposePorts)
}

function fillPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ??= 'ClusterFirst'
  spec.restartPolicy ??= 'Always'
  spec.securityContext ??= {}
  spec.terminationGracePeriodSeconds ??= defaultGraceSeconds
  spec.schedulerName ??= 'default-scheduler'
  mirrorServiceAccount(spec)
}

/** `serviceAccount` is an old name of `serviceAccountName`; the server keeps both equal. */
function mirrorServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName ?? spec.serviceAccount
  if (name === undefined) return
  spec.serviceAccountName = name
  spec.serviceAccount = name
}

/** `podIP` is the first of `podIPs`; a client may send only one of the two. */
function mirrorPodIp(status: PodStatus): void {
  const { podIP, podIPs = [] } = status
  if (podIP !== undefined && podIPs[0]?.ip !== podIP) status.podIPs = [{ ip: podIP }]
  const first = status.podIPs?.[0]?.ip
  if (first !== undefined) status.podIP = first
}

/** Applies the defaults of a container. Ephemeral containers have the same fields here. */
function fillContainer(container: Container): void {
  container.imagePullPolicy ??= followsLatest(container.image) ? 'Always' : 'IfNotPresent'
  container.terminationMessagePath ??= '/dev/termination-log'
  container.terminationMessagePolicy ??= 'File'
}

function fillProbe(probe: Probe): void {
  probe.timeoutSeconds ??= 1
  probe.periodSeconds ??= 10
  probe.successThreshold ??= 1
  probe.failureThreshold ??= 3
}

/** Pods and the types of their specs, wherever they occur. */
export const podDefaults: TypeDefaults = inPackage('k8s.io.api.core.v1', {
  Pod: typed<Pod>(fillPod),
  PodTemplateSpec: typed<PodTemplateSpec>(({ metadata }) => {
    dropOldAnnotations(metadata)
  }),
  PodSpec: typed<PodSpec>(fillPodSpec),
  PodStatus: typed<PodStatus>(mirrorPodIp),
  Container: typed<Container>(fillContainer),
  EphemeralContainer: typed<Container>(fillContainer),
  ContainerPort: typed<ContainerPort>((port) => {
    port.protocol ??= 'TCP'
  }),
  Probe: typed<Probe>(fillProbe),
  HTTPGetAction: typed<HTTPGetAction>((action) => {
    action.path ??= '/'
    action.scheme ??= 'HTTP'
  }),
  GRPCAction: typed<{ service?: string }>((action) => {
    action.service ??= ''
  }),
  ObjectFieldSelector: typed<ObjectFieldSelector>((selector) => {
    selector.apiVersion ??= 'v1'
  }),
  FileKeySelector: typed<FileKeySelector>((selector) => {
    selector.optional ??= false
  }),
})
