// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import * as messages from './messages/core-v1.ts'
import { defineKind, type ExactKind } from '../define-kind.ts'
import type { RequestMetadata, StoredMetadata } from '../metadata.ts'
import type {
  Condition,
  IntOrString,
  LabelSelector,
  MicroTime,
  ObjectMeta,
  Quantity,
  Time,
} from './meta-v1.ts'

export interface AWSElasticBlockStoreVolumeSource {
  fsType?: string
  partition?: number
  readOnly?: boolean
  volumeID: string
}

export interface Affinity {
  nodeAffinity?: NodeAffinity
  podAffinity?: PodAffinity
  podAntiAffinity?: PodAntiAffinity
}

export interface AppArmorProfile {
  localhostProfile?: string
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined'
}

export interface AttachedVolume {
  devicePath: string
  name: string
}

export interface AzureDiskVolumeSource {
  kind?: 'Dedicated' | 'Managed' | 'Shared'
  cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite'
  diskName: string
  diskURI: string
  fsType?: string
  readOnly?: boolean
}

export interface AzureFilePersistentVolumeSource {
  readOnly?: boolean
  secretName: string
  secretNamespace?: string | null
  shareName: string
}

export interface AzureFileVolumeSource {
  readOnly?: boolean
  secretName: string
  shareName: string
}

/** Assigns a pod to a node; schedulers create it, it is not stored. */
export interface Binding {
  apiVersion: 'v1'
  kind: 'Binding'
  metadata: RequestMetadata<'Namespaced'>
  target: ObjectReference
}

export const Binding: ExactKind<Binding> = /* @__PURE__ */ defineKind<Binding>({
  apiVersion: 'v1',
  kind: 'Binding',
  plural: 'bindings',
  singular: 'binding',
  scope: 'Namespaced',
  verbs: ['create'],
})

export interface CSIPersistentVolumeSource {
  controllerExpandSecretRef?: SecretReference
  controllerPublishSecretRef?: SecretReference
  driver: string
  fsType?: string
  nodeExpandSecretRef?: SecretReference
  nodePublishSecretRef?: SecretReference
  nodeStageSecretRef?: SecretReference
  readOnly?: boolean
  volumeAttributes?: Record<string, string>
  volumeHandle: string
}

export interface CSIVolumeSource {
  driver: string
  fsType?: string
  nodePublishSecretRef?: LocalObjectReference
  readOnly?: boolean
  volumeAttributes?: Record<string, string>
}

export interface Capabilities {
  add?: string[]
  drop?: string[]
}

export interface CephFSPersistentVolumeSource {
  monitors: string[]
  path?: string
  readOnly?: boolean
  secretFile?: string
  secretRef?: SecretReference
  user?: string
}

export interface CephFSVolumeSource {
  monitors: string[]
  path?: string
  readOnly?: boolean
  secretFile?: string
  secretRef?: LocalObjectReference
  user?: string
}

export interface CinderPersistentVolumeSource {
  fsType?: string
  readOnly?: boolean
  secretRef?: SecretReference
  volumeID: string
}

export interface CinderVolumeSource {
  fsType?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
  volumeID: string
}

export interface ClientIPConfig {
  timeoutSeconds?: number
}

export interface ClusterTrustBundleProjection {
  labelSelector?: LabelSelector
  name?: string
  optional?: boolean
  path: string
  signerName?: string
}

export interface ComponentCondition {
  error?: string
  message?: string
  status: string
  type: string
}

/** Health of control plane parts; deprecated and read-only. */
export interface ComponentStatus {
  apiVersion: 'v1'
  kind: 'ComponentStatus'
  metadata: StoredMetadata<'Cluster'>
  conditions?: ComponentCondition[]
}

export const ComponentStatus: ExactKind<ComponentStatus> =
  /* @__PURE__ */ defineKind<ComponentStatus>({
    apiVersion: 'v1',
    kind: 'ComponentStatus',
    plural: 'componentstatuses',
    singular: 'componentstatus',
    shortNames: ['cs'],
    scope: 'Cluster',
    verbs: ['get', 'list'],
  })

/** Configuration as keys and values, not secret. */
export interface ConfigMap {
  apiVersion: 'v1'
  kind: 'ConfigMap'
  metadata: StoredMetadata<'Namespaced'>
  binaryData?: Record<string, string>
  data?: Record<string, string>
  immutable?: boolean
}

export const ConfigMap: ExactKind<ConfigMap> = /* @__PURE__ */ defineKind<ConfigMap>({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  singular: 'configmap',
  shortNames: ['cm'],
  scope: 'Namespaced',
  protobuf: messages.ConfigMap,
})

export interface ConfigMapEnvSource {
  name?: string
  optional?: boolean
}

export interface ConfigMapKeySelector {
  key: string
  name?: string
  optional?: boolean
}

export interface ConfigMapNodeConfigSource {
  kubeletConfigKey: string
  name: string
  namespace: string
  resourceVersion?: string
  uid?: string
}

export interface ConfigMapProjection {
  items?: KeyToPath[]
  name?: string
  optional?: boolean
}

export interface ConfigMapVolumeSource {
  defaultMode?: number
  items?: KeyToPath[]
  name?: string
  optional?: boolean
}

export interface Container {
  args?: string[]
  command?: string[]
  env?: EnvVar[]
  envFrom?: EnvFromSource[]
  image?: string
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  lifecycle?: Lifecycle
  livenessProbe?: Probe
  name: string
  ports?: ContainerPort[]
  readinessProbe?: Probe
  resizePolicy?: ContainerResizePolicy[]
  resources?: ResourceRequirements
  restartPolicy?: string
  restartPolicyRules?: ContainerRestartRule[]
  securityContext?: SecurityContext
  startupProbe?: Probe
  stdin?: boolean
  stdinOnce?: boolean
  terminationMessagePath?: string
  terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File'
  tty?: boolean
  volumeDevices?: VolumeDevice[]
  volumeMounts?: VolumeMount[]
  workingDir?: string
}

export interface ContainerExtendedResourceRequest {
  containerName: string
  requestName: string
  resourceName: string
}

export interface ContainerImage {
  names?: string[] | null
  sizeBytes?: number
}

export interface ContainerPort {
  containerPort: number
  hostIP?: string
  hostPort?: number
  name?: string
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

export interface ContainerResizePolicy {
  resourceName: string
  restartPolicy: string
}

export interface ContainerRestartRule {
  action: string
  exitCodes?: ContainerRestartRuleOnExitCodes
}

export interface ContainerRestartRuleOnExitCodes {
  operator: string
  values?: number[]
}

export interface ContainerState {
  running?: ContainerStateRunning
  terminated?: ContainerStateTerminated
  waiting?: ContainerStateWaiting
}

export interface ContainerStateRunning {
  startedAt?: Time | null
}

export interface ContainerStateTerminated {
  containerID?: string
  exitCode: number
  finishedAt?: Time | null
  message?: string
  reason?: string
  signal?: number
  startedAt?: Time | null
}

export interface ContainerStateWaiting {
  message?: string
  reason?: string
}

export interface ContainerStatus {
  allocatedResources?: Record<string, Quantity>
  allocatedResourcesStatus?: ResourceStatus[]
  containerID?: string
  image: string
  imageID: string
  lastState?: ContainerState
  name: string
  ready: boolean
  resources?: ResourceRequirements
  restartCount: number
  started?: boolean
  state?: ContainerState
  stopSignal?:
    | 'SIGABRT'
    | 'SIGALRM'
    | 'SIGBUS'
    | 'SIGCHLD'
    | 'SIGCLD'
    | 'SIGCONT'
    | 'SIGFPE'
    | 'SIGHUP'
    | 'SIGILL'
    | 'SIGINT'
    | 'SIGIO'
    | 'SIGIOT'
    | 'SIGKILL'
    | 'SIGPIPE'
    | 'SIGPOLL'
    | 'SIGPROF'
    | 'SIGPWR'
    | 'SIGQUIT'
    | 'SIGRTMAX'
    | 'SIGRTMAX-1'
    | 'SIGRTMAX-10'
    | 'SIGRTMAX-11'
    | 'SIGRTMAX-12'
    | 'SIGRTMAX-13'
    | 'SIGRTMAX-14'
    | 'SIGRTMAX-2'
    | 'SIGRTMAX-3'
    | 'SIGRTMAX-4'
    | 'SIGRTMAX-5'
    | 'SIGRTMAX-6'
    | 'SIGRTMAX-7'
    | 'SIGRTMAX-8'
    | 'SIGRTMAX-9'
    | 'SIGRTMIN'
    | 'SIGRTMIN+1'
    | 'SIGRTMIN+10'
    | 'SIGRTMIN+11'
    | 'SIGRTMIN+12'
    | 'SIGRTMIN+13'
    | 'SIGRTMIN+14'
    | 'SIGRTMIN+15'
    | 'SIGRTMIN+2'
    | 'SIGRTMIN+3'
    | 'SIGRTMIN+4'
    | 'SIGRTMIN+5'
    | 'SIGRTMIN+6'
    | 'SIGRTMIN+7'
    | 'SIGRTMIN+8'
    | 'SIGRTMIN+9'
    | 'SIGSEGV'
    | 'SIGSTKFLT'
    | 'SIGSTOP'
    | 'SIGSYS'
    | 'SIGTERM'
    | 'SIGTRAP'
    | 'SIGTSTP'
    | 'SIGTTIN'
    | 'SIGTTOU'
    | 'SIGURG'
    | 'SIGUSR1'
    | 'SIGUSR2'
    | 'SIGVTALRM'
    | 'SIGWINCH'
    | 'SIGXCPU'
    | 'SIGXFSZ'
  user?: ContainerUser
  volumeMounts?: VolumeMountStatus[]
}

export interface ContainerUser {
  linux?: LinuxContainerUser
}

export interface CoreResourceClaim {
  name: string
  request?: string
}

export interface DaemonEndpoint {
  Port: number
}

export interface DownwardAPIProjection {
  items?: DownwardAPIVolumeFile[]
}

export interface DownwardAPIVolumeFile {
  fieldRef?: ObjectFieldSelector
  mode?: number
  path: string
  resourceFieldRef?: ResourceFieldSelector
}

export interface DownwardAPIVolumeSource {
  defaultMode?: number
  items?: DownwardAPIVolumeFile[]
}

export interface EmptyDirVolumeSource {
  medium?: string
  sizeLimit?: Quantity
}

export interface EndpointAddress {
  hostname?: string
  ip: string
  nodeName?: string
  targetRef?: ObjectReference
}

export interface EndpointPort {
  appProtocol?: string
  name?: string
  port: number
  protocol?: 'SCTP' | 'TCP' | 'UDP'
}

export interface EndpointSubset {
  addresses?: EndpointAddress[]
  notReadyAddresses?: EndpointAddress[]
  ports?: EndpointPort[]
}

/** All addresses behind a Service in one object; EndpointSlice has replaced it. */
export interface Endpoints {
  apiVersion: 'v1'
  kind: 'Endpoints'
  metadata: StoredMetadata<'Namespaced'>
  subsets?: EndpointSubset[]
}

export const Endpoints: ExactKind<Endpoints> = /* @__PURE__ */ defineKind<Endpoints>({
  apiVersion: 'v1',
  kind: 'Endpoints',
  plural: 'endpoints',
  singular: 'endpoints',
  shortNames: ['ep'],
  scope: 'Namespaced',
  protobuf: messages.Endpoints,
})

export interface EnvFromSource {
  configMapRef?: ConfigMapEnvSource
  prefix?: string
  secretRef?: SecretEnvSource
}

export interface EnvVar {
  name: string
  value?: string
  valueFrom?: EnvVarSource
}

export interface EnvVarSource {
  configMapKeyRef?: ConfigMapKeySelector
  fieldRef?: ObjectFieldSelector
  fileKeyRef?: FileKeySelector
  resourceFieldRef?: ResourceFieldSelector
  secretKeyRef?: SecretKeySelector
}

export interface EphemeralContainer {
  args?: string[]
  command?: string[]
  env?: EnvVar[]
  envFrom?: EnvFromSource[]
  image?: string
  imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  lifecycle?: Lifecycle
  livenessProbe?: Probe
  name: string
  ports?: ContainerPort[]
  readinessProbe?: Probe
  resizePolicy?: ContainerResizePolicy[]
  resources?: ResourceRequirements
  restartPolicy?: string
  restartPolicyRules?: ContainerRestartRule[]
  securityContext?: SecurityContext
  startupProbe?: Probe
  stdin?: boolean
  stdinOnce?: boolean
  targetContainerName?: string
  terminationMessagePath?: string
  terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File'
  tty?: boolean
  volumeDevices?: VolumeDevice[]
  volumeMounts?: VolumeMount[]
  workingDir?: string
}

export interface EphemeralVolumeSource {
  volumeClaimTemplate?: PersistentVolumeClaimTemplate
}

/** Reports something that happened to an object; deleted after an hour. */
export interface Event {
  apiVersion: 'v1'
  kind: 'Event'
  metadata: StoredMetadata<'Namespaced'>
  action?: string
  count?: number
  eventTime?: MicroTime | null
  firstTimestamp?: Time | null
  involvedObject: ObjectReference
  lastTimestamp?: Time | null
  message?: string
  reason?: string
  related?: ObjectReference
  reportingComponent?: string
  reportingInstance?: string
  series?: EventSeries
  source: EventSource
  type?: string
}

export const Event: ExactKind<Event> = /* @__PURE__ */ defineKind<Event>({
  apiVersion: 'v1',
  kind: 'Event',
  plural: 'events',
  singular: 'event',
  shortNames: ['ev'],
  scope: 'Namespaced',
  protobuf: messages.Event,
})

export interface EventSeries {
  count?: number
  lastObservedTime?: MicroTime | null
}

export interface EventSource {
  component?: string
  host?: string
}

export interface ExecAction {
  command?: string[]
}

export interface FCVolumeSource {
  fsType?: string
  lun?: number
  readOnly?: boolean
  targetWWNs?: string[]
  wwids?: string[]
}

export interface FileKeySelector {
  key: string
  optional?: boolean
  path: string
  volumeName: string
}

export interface FlexPersistentVolumeSource {
  driver: string
  fsType?: string
  options?: Record<string, string>
  readOnly?: boolean
  secretRef?: SecretReference
}

export interface FlexVolumeSource {
  driver: string
  fsType?: string
  options?: Record<string, string>
  readOnly?: boolean
  secretRef?: LocalObjectReference
}

export interface FlockerVolumeSource {
  datasetName?: string
  datasetUUID?: string
}

export interface GCEPersistentDiskVolumeSource {
  fsType?: string
  partition?: number
  pdName: string
  readOnly?: boolean
}

export interface GRPCAction {
  port: number
  service?: string | null
}

export interface GitRepoVolumeSource {
  directory?: string
  repository: string
  revision?: string
}

export interface GlusterfsPersistentVolumeSource {
  endpoints: string
  endpointsNamespace?: string
  path: string
  readOnly?: boolean
}

export interface GlusterfsVolumeSource {
  endpoints: string
  path: string
  readOnly?: boolean
}

export interface HTTPGetAction {
  host?: string
  httpHeaders?: HTTPHeader[]
  path?: string
  port: IntOrString
  scheme?: 'HTTP' | 'HTTPS'
}

export interface HTTPHeader {
  name: string
  value: string
}

export interface HostAlias {
  hostnames?: string[]
  ip: string
}

export interface HostIP {
  ip: string
}

export interface HostPathVolumeSource {
  path: string
  type?:
    | ''
    | 'BlockDevice'
    | 'CharDevice'
    | 'Directory'
    | 'DirectoryOrCreate'
    | 'File'
    | 'FileOrCreate'
    | 'Socket'
}

export interface ISCSIPersistentVolumeSource {
  chapAuthDiscovery?: boolean
  chapAuthSession?: boolean
  fsType?: string
  initiatorName?: string
  iqn: string
  iscsiInterface?: string
  lun: number
  portals?: string[]
  readOnly?: boolean
  secretRef?: SecretReference
  targetPortal: string
}

export interface ISCSIVolumeSource {
  chapAuthDiscovery?: boolean
  chapAuthSession?: boolean
  fsType?: string
  initiatorName?: string
  iqn: string
  iscsiInterface?: string
  lun: number
  portals?: string[]
  readOnly?: boolean
  secretRef?: LocalObjectReference
  targetPortal: string
}

export interface ImageVolumeSource {
  pullPolicy?: 'Always' | 'IfNotPresent' | 'Never'
  reference?: string
}

export interface ImageVolumeStatus {
  imageRef: string
}

export interface KeyToPath {
  key: string
  mode?: number
  path: string
}

export interface Lifecycle {
  postStart?: LifecycleHandler
  preStop?: LifecycleHandler
  stopSignal?:
    | 'SIGABRT'
    | 'SIGALRM'
    | 'SIGBUS'
    | 'SIGCHLD'
    | 'SIGCLD'
    | 'SIGCONT'
    | 'SIGFPE'
    | 'SIGHUP'
    | 'SIGILL'
    | 'SIGINT'
    | 'SIGIO'
    | 'SIGIOT'
    | 'SIGKILL'
    | 'SIGPIPE'
    | 'SIGPOLL'
    | 'SIGPROF'
    | 'SIGPWR'
    | 'SIGQUIT'
    | 'SIGRTMAX'
    | 'SIGRTMAX-1'
    | 'SIGRTMAX-10'
    | 'SIGRTMAX-11'
    | 'SIGRTMAX-12'
    | 'SIGRTMAX-13'
    | 'SIGRTMAX-14'
    | 'SIGRTMAX-2'
    | 'SIGRTMAX-3'
    | 'SIGRTMAX-4'
    | 'SIGRTMAX-5'
    | 'SIGRTMAX-6'
    | 'SIGRTMAX-7'
    | 'SIGRTMAX-8'
    | 'SIGRTMAX-9'
    | 'SIGRTMIN'
    | 'SIGRTMIN+1'
    | 'SIGRTMIN+10'
    | 'SIGRTMIN+11'
    | 'SIGRTMIN+12'
    | 'SIGRTMIN+13'
    | 'SIGRTMIN+14'
    | 'SIGRTMIN+15'
    | 'SIGRTMIN+2'
    | 'SIGRTMIN+3'
    | 'SIGRTMIN+4'
    | 'SIGRTMIN+5'
    | 'SIGRTMIN+6'
    | 'SIGRTMIN+7'
    | 'SIGRTMIN+8'
    | 'SIGRTMIN+9'
    | 'SIGSEGV'
    | 'SIGSTKFLT'
    | 'SIGSTOP'
    | 'SIGSYS'
    | 'SIGTERM'
    | 'SIGTRAP'
    | 'SIGTSTP'
    | 'SIGTTIN'
    | 'SIGTTOU'
    | 'SIGURG'
    | 'SIGUSR1'
    | 'SIGUSR2'
    | 'SIGVTALRM'
    | 'SIGWINCH'
    | 'SIGXCPU'
    | 'SIGXFSZ'
}

export interface LifecycleHandler {
  exec?: ExecAction
  httpGet?: HTTPGetAction
  sleep?: SleepAction
  tcpSocket?: TCPSocketAction
}

/** Bounds and defaults for the resources of each pod in a namespace. */
export interface LimitRange {
  apiVersion: 'v1'
  kind: 'LimitRange'
  metadata: StoredMetadata<'Namespaced'>
  spec: LimitRangeSpec
}

export const LimitRange: ExactKind<LimitRange> = /* @__PURE__ */ defineKind<LimitRange>({
  apiVersion: 'v1',
  kind: 'LimitRange',
  plural: 'limitranges',
  singular: 'limitrange',
  shortNames: ['limits'],
  scope: 'Namespaced',
  protobuf: messages.LimitRange,
})

export interface LimitRangeItem {
  default?: Record<string, Quantity>
  defaultRequest?: Record<string, Quantity>
  max?: Record<string, Quantity>
  maxLimitRequestRatio?: Record<string, Quantity>
  min?: Record<string, Quantity>
  type: string
}

export interface LimitRangeSpec {
  limits: LimitRangeItem[] | null
}

export interface LinuxContainerUser {
  gid: number
  supplementalGroups?: number[]
  uid: number
}

export interface LoadBalancerIngress {
  hostname?: string
  ip?: string
  ipMode?: string
  ports?: PortStatus[]
}

export interface LoadBalancerStatus {
  ingress?: LoadBalancerIngress[]
}

export interface LocalObjectReference {
  name?: string
}

export interface LocalVolumeSource {
  fsType?: string
  path: string
}

export interface ModifyVolumeStatus {
  status: 'InProgress' | 'Infeasible' | 'Pending'
  targetVolumeAttributesClassName?: string
}

export interface NFSVolumeSource {
  path: string
  readOnly?: boolean
  server: string
}

/** A scope for names; deleting it deletes everything in it. */
export interface Namespace {
  apiVersion: 'v1'
  kind: 'Namespace'
  metadata: StoredMetadata<'Cluster'>
  spec: NamespaceSpec
  status?: NamespaceStatus
}

export const Namespace: ExactKind<Namespace> = /* @__PURE__ */ defineKind<Namespace>({
  apiVersion: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  singular: 'namespace',
  shortNames: ['ns'],
  scope: 'Cluster',
  subresources: ['finalize', 'status'],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  protobuf: messages.Namespace,
})

export interface NamespaceCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface NamespaceSpec {
  finalizers?: string[]
}

export interface NamespaceStatus {
  conditions?: NamespaceCondition[]
  phase?: 'Active' | 'Terminating'
}

/** A machine that runs pods. */
export interface Node {
  apiVersion: 'v1'
  kind: 'Node'
  metadata: StoredMetadata<'Cluster'>
  spec: NodeSpec
  status?: NodeStatus
}

export const Node: ExactKind<Node> = /* @__PURE__ */ defineKind<Node>({
  apiVersion: 'v1',
  kind: 'Node',
  plural: 'nodes',
  singular: 'node',
  shortNames: ['no'],
  scope: 'Cluster',
  subresources: ['proxy', 'status'],
  protobuf: messages.Node,
})

export interface NodeAddress {
  address: string
  type: string
}

export interface NodeAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[]
  requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector
}

export interface NodeAllocatableResourceClaimStatus {
  containers?: string[]
  resourceClaimName: string
  resources: Record<string, Quantity>
}

export interface NodeCondition {
  lastHeartbeatTime?: Time | null
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface NodeConfigSource {
  configMap?: ConfigMapNodeConfigSource
}

export interface NodeConfigStatus {
  active?: NodeConfigSource
  assigned?: NodeConfigSource
  error?: string
  lastKnownGood?: NodeConfigSource
}

export interface NodeDaemonEndpoints {
  kubeletEndpoint?: DaemonEndpoint
}

export interface NodeFeatures {
  supplementalGroupsPolicy?: boolean
}

export interface NodeRuntimeHandler {
  features?: NodeRuntimeHandlerFeatures
  name?: string
}

export interface NodeRuntimeHandlerFeatures {
  recursiveReadOnlyMounts?: boolean
  userNamespaces?: boolean
}

export interface NodeSelector {
  nodeSelectorTerms: NodeSelectorTerm[]
}

export interface NodeSelectorRequirement {
  key: string
  operator: 'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn'
  values?: string[]
}

export interface NodeSelectorTerm {
  matchExpressions?: NodeSelectorRequirement[]
  matchFields?: NodeSelectorRequirement[]
}

export interface NodeSpec {
  configSource?: NodeConfigSource
  externalID?: string
  podCIDR?: string
  podCIDRs?: string[]
  providerID?: string
  taints?: Taint[]
  unschedulable?: boolean
}

export interface NodeStatus {
  addresses?: NodeAddress[]
  allocatable?: Record<string, Quantity>
  capacity?: Record<string, Quantity>
  conditions?: NodeCondition[]
  config?: NodeConfigStatus
  daemonEndpoints?: NodeDaemonEndpoints
  declaredFeatures?: string[]
  features?: NodeFeatures
  images?: ContainerImage[]
  nodeInfo?: NodeSystemInfo
  phase?: 'Pending' | 'Running' | 'Terminated'
  runtimeHandlers?: NodeRuntimeHandler[]
  volumesAttached?: AttachedVolume[]
  volumesInUse?: string[]
}

export interface NodeSwapStatus {
  capacity?: number
}

export interface NodeSystemInfo {
  architecture: string
  bootID: string
  containerRuntimeVersion: string
  kernelVersion: string
  kubeProxyVersion: string
  kubeletVersion: string
  machineID: string
  operatingSystem: string
  osImage: string
  swap?: NodeSwapStatus
  systemUUID: string
}

export interface ObjectFieldSelector {
  apiVersion?: string
  fieldPath: string
}

export interface ObjectReference {
  apiVersion?: string
  kind?: string
  fieldPath?: string
  name?: string
  namespace?: string
  resourceVersion?: string
  uid?: string
}

/** A piece of storage with its own lifecycle, independent of pods. */
export interface PersistentVolume {
  apiVersion: 'v1'
  kind: 'PersistentVolume'
  metadata: StoredMetadata<'Cluster'>
  spec: PersistentVolumeSpec
  status?: PersistentVolumeStatus
}

export const PersistentVolume: ExactKind<PersistentVolume> =
  /* @__PURE__ */ defineKind<PersistentVolume>({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    plural: 'persistentvolumes',
    singular: 'persistentvolume',
    shortNames: ['pv'],
    scope: 'Cluster',
    subresources: ['status'],
    protobuf: messages.PersistentVolume,
  })

/** Requests storage; usable once it is bound to a volume. */
export interface PersistentVolumeClaim {
  apiVersion: 'v1'
  kind: 'PersistentVolumeClaim'
  metadata: StoredMetadata<'Namespaced'>
  spec: PersistentVolumeClaimSpec
  status?: PersistentVolumeClaimStatus
}

export const PersistentVolumeClaim: ExactKind<PersistentVolumeClaim> =
  /* @__PURE__ */ defineKind<PersistentVolumeClaim>({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    singular: 'persistentvolumeclaim',
    shortNames: ['pvc'],
    scope: 'Namespaced',
    subresources: ['status'],
    protobuf: messages.PersistentVolumeClaim,
  })

export interface PersistentVolumeClaimCondition {
  lastProbeTime?: Time | null
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface PersistentVolumeClaimSpec {
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[]
  dataSource?: TypedLocalObjectReference
  dataSourceRef?: TypedObjectReference
  resources?: VolumeResourceRequirements
  selector?: LabelSelector
  storageClassName?: string
  volumeAttributesClassName?: string
  volumeMode?: 'Block' | 'Filesystem'
  volumeName?: string
}

export interface PersistentVolumeClaimStatus {
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[]
  allocatedResourceStatuses?: Record<
    string,
    | 'ControllerResizeInProgress'
    | 'ControllerResizeInfeasible'
    | 'NodeResizeInProgress'
    | 'NodeResizeInfeasible'
    | 'NodeResizePending'
  >
  allocatedResources?: Record<string, Quantity>
  capacity?: Record<string, Quantity>
  conditions?: PersistentVolumeClaimCondition[]
  currentVolumeAttributesClassName?: string
  modifyVolumeStatus?: ModifyVolumeStatus
  phase?: 'Bound' | 'Lost' | 'Pending'
}

export interface PersistentVolumeClaimTemplate {
  metadata?: ObjectMeta
  spec: PersistentVolumeClaimSpec
}

export interface PersistentVolumeClaimVolumeSource {
  claimName: string
  readOnly?: boolean
}

export interface PersistentVolumeSpec {
  accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[]
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  azureDisk?: AzureDiskVolumeSource
  azureFile?: AzureFilePersistentVolumeSource
  capacity?: Record<string, Quantity>
  cephfs?: CephFSPersistentVolumeSource
  cinder?: CinderPersistentVolumeSource
  claimRef?: ObjectReference
  csi?: CSIPersistentVolumeSource
  fc?: FCVolumeSource
  flexVolume?: FlexPersistentVolumeSource
  flocker?: FlockerVolumeSource
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  glusterfs?: GlusterfsPersistentVolumeSource
  hostPath?: HostPathVolumeSource
  iscsi?: ISCSIPersistentVolumeSource
  local?: LocalVolumeSource
  mountOptions?: string[]
  nfs?: NFSVolumeSource
  nodeAffinity?: VolumeNodeAffinity
  persistentVolumeReclaimPolicy?: 'Delete' | 'Recycle' | 'Retain'
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  portworxVolume?: PortworxVolumeSource
  quobyte?: QuobyteVolumeSource
  rbd?: RBDPersistentVolumeSource
  scaleIO?: ScaleIOPersistentVolumeSource
  storageClassName?: string
  storageos?: StorageOSPersistentVolumeSource
  volumeAttributesClassName?: string
  volumeMode?: 'Block' | 'Filesystem'
  vsphereVolume?: VsphereVirtualDiskVolumeSource
}

export interface PersistentVolumeStatus {
  lastPhaseTransitionTime?: Time
  message?: string
  phase?: 'Available' | 'Bound' | 'Failed' | 'Pending' | 'Released'
  reason?: string
}

export interface PhotonPersistentDiskVolumeSource {
  fsType?: string
  pdID: string
}

/** Containers that run together on one node. */
export interface Pod {
  apiVersion: 'v1'
  kind: 'Pod'
  metadata: StoredMetadata<'Namespaced'>
  spec: PodSpec
  status?: PodStatus
}

export const Pod: ExactKind<Pod> = /* @__PURE__ */ defineKind<Pod>({
  apiVersion: 'v1',
  kind: 'Pod',
  plural: 'pods',
  singular: 'pod',
  shortNames: ['po'],
  scope: 'Namespaced',
  subresources: [
    'attach',
    'binding',
    'ephemeralcontainers',
    'eviction',
    'exec',
    'log',
    'portforward',
    'proxy',
    'resize',
    'status',
  ],
  protobuf: messages.Pod,
})

export interface PodAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
}

export interface PodAffinityTerm {
  labelSelector?: LabelSelector
  matchLabelKeys?: string[]
  mismatchLabelKeys?: string[]
  namespaceSelector?: LabelSelector
  namespaces?: string[]
  topologyKey: string
}

export interface PodAntiAffinity {
  preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[]
  requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[]
}

export interface PodCertificateProjection {
  certificateChainPath?: string
  credentialBundlePath?: string
  keyPath?: string
  keyType: string
  maxExpirationSeconds?: number
  signerName: string
  userAnnotations?: Record<string, string>
}

export interface PodCondition {
  lastProbeTime?: Time | null
  lastTransitionTime?: Time | null
  message?: string
  observedGeneration?: number
  reason?: string
  status: string
  type: string
}

export interface PodDNSConfig {
  nameservers?: string[]
  options?: PodDNSConfigOption[]
  searches?: string[]
}

export interface PodDNSConfigOption {
  name?: string
  value?: string
}

export interface PodExtendedResourceClaimStatus {
  requestMappings: ContainerExtendedResourceRequest[]
  resourceClaimName: string
}

export interface PodIP {
  ip: string
}

export interface PodOS {
  name: string
}

export interface PodReadinessGate {
  conditionType: string
}

export interface PodResourceClaim {
  name: string
  resourceClaimName?: string
  resourceClaimTemplateName?: string
}

export interface PodResourceClaimStatus {
  name: string
  resourceClaimName?: string
}

export interface PodSchedulingGate {
  name: string
}

export interface PodSchedulingGroup {
  podGroupName?: string
}

export interface PodSecurityContext {
  appArmorProfile?: AppArmorProfile
  fsGroup?: number
  fsGroupChangePolicy?: 'Always' | 'OnRootMismatch'
  runAsGroup?: number
  runAsNonRoot?: boolean
  runAsUser?: number
  seLinuxChangePolicy?: string
  seLinuxOptions?: SELinuxOptions
  seccompProfile?: SeccompProfile
  supplementalGroups?: number[]
  supplementalGroupsPolicy?: 'Merge' | 'Strict'
  sysctls?: Sysctl[]
  windowsOptions?: WindowsSecurityContextOptions
}

export interface PodSpec {
  activeDeadlineSeconds?: number
  affinity?: Affinity
  automountServiceAccountToken?: boolean
  containers: Container[]
  dnsConfig?: PodDNSConfig
  dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None'
  enableServiceLinks?: boolean
  ephemeralContainers?: EphemeralContainer[]
  hostAliases?: HostAlias[]
  hostIPC?: boolean
  hostNetwork?: boolean
  hostPID?: boolean
  hostUsers?: boolean
  hostname?: string
  hostnameOverride?: string
  imagePullSecrets?: LocalObjectReference[]
  initContainers?: Container[]
  nodeName?: string
  nodeSelector?: Record<string, string>
  os?: PodOS
  overhead?: Record<string, Quantity>
  preemptionPolicy?: 'Never' | 'PreemptLowerPriority'
  priority?: number
  priorityClassName?: string
  readinessGates?: PodReadinessGate[]
  resourceClaims?: PodResourceClaim[]
  resources?: ResourceRequirements
  restartPolicy?: 'Always' | 'Never' | 'OnFailure'
  runtimeClassName?: string
  schedulerName?: string
  schedulingGates?: PodSchedulingGate[]
  schedulingGroup?: PodSchedulingGroup
  securityContext?: PodSecurityContext
  serviceAccount?: string
  serviceAccountName?: string
  setHostnameAsFQDN?: boolean
  shareProcessNamespace?: boolean
  subdomain?: string
  terminationGracePeriodSeconds?: number
  tolerations?: Toleration[]
  topologySpreadConstraints?: TopologySpreadConstraint[]
  volumes?: Volume[]
}

export interface PodStatus {
  allocatedResources?: Record<string, Quantity>
  conditions?: PodCondition[]
  containerStatuses?: ContainerStatus[]
  ephemeralContainerStatuses?: ContainerStatus[]
  extendedResourceClaimStatus?: PodExtendedResourceClaimStatus
  hostIP?: string
  hostIPs?: HostIP[]
  initContainerStatuses?: ContainerStatus[]
  message?: string
  nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[]
  nominatedNodeName?: string
  observedGeneration?: number
  phase?: 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown'
  podIP?: string
  podIPs?: PodIP[]
  qosClass?: 'BestEffort' | 'Burstable' | 'Guaranteed'
  reason?: string
  resize?: string
  resourceClaimStatuses?: PodResourceClaimStatus[]
  resources?: ResourceRequirements
  startTime?: Time
}

/** A stored pod template; rarely used directly. */
export interface PodTemplate {
  apiVersion: 'v1'
  kind: 'PodTemplate'
  metadata: StoredMetadata<'Namespaced'>
  template: PodTemplateSpec
}

export const PodTemplate: ExactKind<PodTemplate> = /* @__PURE__ */ defineKind<PodTemplate>({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  plural: 'podtemplates',
  singular: 'podtemplate',
  scope: 'Namespaced',
  protobuf: messages.PodTemplate,
})

export interface PodTemplateSpec {
  metadata?: ObjectMeta
  spec?: PodSpec
}

export interface PortStatus {
  error?: string
  port: number
  protocol: 'SCTP' | 'TCP' | 'UDP'
}

export interface PortworxVolumeSource {
  fsType?: string
  readOnly?: boolean
  volumeID: string
}

export interface PreferredSchedulingTerm {
  preference: NodeSelectorTerm
  weight: number
}

export interface Probe {
  exec?: ExecAction
  failureThreshold?: number
  grpc?: GRPCAction
  httpGet?: HTTPGetAction
  initialDelaySeconds?: number
  periodSeconds?: number
  successThreshold?: number
  tcpSocket?: TCPSocketAction
  terminationGracePeriodSeconds?: number
  timeoutSeconds?: number
}

export interface ProjectedVolumeSource {
  defaultMode?: number
  sources?: VolumeProjection[] | null
}

export interface QuobyteVolumeSource {
  group?: string
  readOnly?: boolean
  registry: string
  tenant?: string
  user?: string
  volume: string
}

export interface RBDPersistentVolumeSource {
  fsType?: string
  image: string
  keyring?: string
  monitors: string[]
  pool?: string
  readOnly?: boolean
  secretRef?: SecretReference
  user?: string
}

export interface RBDVolumeSource {
  fsType?: string
  image: string
  keyring?: string
  monitors: string[]
  pool?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
  user?: string
}

/** The predecessor of ReplicaSet. */
export interface ReplicationController {
  apiVersion: 'v1'
  kind: 'ReplicationController'
  metadata: StoredMetadata<'Namespaced'>
  spec: ReplicationControllerSpec
  status?: ReplicationControllerStatus
}

export const ReplicationController: ExactKind<ReplicationController> =
  /* @__PURE__ */ defineKind<ReplicationController>({
    apiVersion: 'v1',
    kind: 'ReplicationController',
    plural: 'replicationcontrollers',
    singular: 'replicationcontroller',
    shortNames: ['rc'],
    scope: 'Namespaced',
    subresources: ['scale', 'status'],
    protobuf: messages.ReplicationController,
  })

export interface ReplicationControllerCondition {
  lastTransitionTime?: Time | null
  message?: string
  reason?: string
  status: string
  type: string
}

export interface ReplicationControllerSpec {
  minReadySeconds?: number
  replicas?: number
  selector?: Record<string, string>
  template?: PodTemplateSpec
}

export interface ReplicationControllerStatus {
  availableReplicas?: number
  conditions?: ReplicationControllerCondition[]
  fullyLabeledReplicas?: number
  observedGeneration?: number
  readyReplicas?: number
  replicas: number
}

export interface ResourceFieldSelector {
  containerName?: string
  divisor?: Quantity
  resource: string
}

export interface ResourceHealth {
  health?: string
  message?: string
  resourceID: string
}

/** Limits what a namespace may use in total. */
export interface ResourceQuota {
  apiVersion: 'v1'
  kind: 'ResourceQuota'
  metadata: StoredMetadata<'Namespaced'>
  spec: ResourceQuotaSpec
  status?: ResourceQuotaStatus
}

export const ResourceQuota: ExactKind<ResourceQuota> = /* @__PURE__ */ defineKind<ResourceQuota>({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  singular: 'resourcequota',
  shortNames: ['quota'],
  scope: 'Namespaced',
  subresources: ['status'],
  protobuf: messages.ResourceQuota,
})

export interface ResourceQuotaSpec {
  hard?: Record<string, Quantity>
  scopeSelector?: ScopeSelector
  scopes?: (
    | 'BestEffort'
    | 'CrossNamespacePodAffinity'
    | 'NotBestEffort'
    | 'NotTerminating'
    | 'PriorityClass'
    | 'Terminating'
    | 'VolumeAttributesClass'
  )[]
}

export interface ResourceQuotaStatus {
  hard?: Record<string, Quantity>
  used?: Record<string, Quantity>
}

export interface ResourceRequirements {
  claims?: CoreResourceClaim[]
  limits?: Record<string, Quantity>
  requests?: Record<string, Quantity>
}

export interface ResourceStatus {
  name: string
  resources?: ResourceHealth[]
}

export interface SELinuxOptions {
  level?: string
  role?: string
  type?: string
  user?: string
}

export interface ScaleIOPersistentVolumeSource {
  fsType?: string
  gateway: string
  protectionDomain?: string
  readOnly?: boolean
  secretRef: SecretReference
  sslEnabled?: boolean
  storageMode?: string
  storagePool?: string
  system: string
  volumeName?: string
}

export interface ScaleIOVolumeSource {
  fsType?: string
  gateway: string
  protectionDomain?: string
  readOnly?: boolean
  secretRef: LocalObjectReference
  sslEnabled?: boolean
  storageMode?: string
  storagePool?: string
  system: string
  volumeName?: string
}

export interface ScopeSelector {
  matchExpressions?: ScopedResourceSelectorRequirement[]
}

export interface ScopedResourceSelectorRequirement {
  operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn'
  scopeName:
    | 'BestEffort'
    | 'CrossNamespacePodAffinity'
    | 'NotBestEffort'
    | 'NotTerminating'
    | 'PriorityClass'
    | 'Terminating'
    | 'VolumeAttributesClass'
  values?: string[]
}

export interface SeccompProfile {
  localhostProfile?: string
  type: 'Localhost' | 'RuntimeDefault' | 'Unconfined'
}

/** Like a ConfigMap, for confidential values; `data` is base64. */
export interface Secret {
  apiVersion: 'v1'
  kind: 'Secret'
  metadata: StoredMetadata<'Namespaced'>
  data?: Record<string, string>
  immutable?: boolean
  stringData?: Record<string, string>
  type?: string
}

export const Secret: ExactKind<Secret> = /* @__PURE__ */ defineKind<Secret>({
  apiVersion: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  singular: 'secret',
  scope: 'Namespaced',
  protobuf: messages.Secret,
})

export interface SecretEnvSource {
  name?: string
  optional?: boolean
}

export interface SecretKeySelector {
  key: string
  name?: string
  optional?: boolean
}

export interface SecretProjection {
  items?: KeyToPath[]
  name?: string
  optional?: boolean
}

export interface SecretReference {
  name?: string
  namespace?: string
}

export interface SecretVolumeSource {
  defaultMode?: number
  items?: KeyToPath[]
  optional?: boolean
  secretName?: string
}

export interface SecurityContext {
  allowPrivilegeEscalation?: boolean
  appArmorProfile?: AppArmorProfile
  capabilities?: Capabilities
  privileged?: boolean
  procMount?: 'Default' | 'Unmasked'
  readOnlyRootFilesystem?: boolean
  runAsGroup?: number
  runAsNonRoot?: boolean
  runAsUser?: number
  seLinuxOptions?: SELinuxOptions
  seccompProfile?: SeccompProfile
  windowsOptions?: WindowsSecurityContextOptions
}

/** A stable name and address for a set of pods. */
export interface Service {
  apiVersion: 'v1'
  kind: 'Service'
  metadata: StoredMetadata<'Namespaced'>
  spec: ServiceSpec
  status?: ServiceStatus
}

export const Service: ExactKind<Service> = /* @__PURE__ */ defineKind<Service>({
  apiVersion: 'v1',
  kind: 'Service',
  plural: 'services',
  singular: 'service',
  shortNames: ['svc'],
  scope: 'Namespaced',
  subresources: ['proxy', 'status'],
  protobuf: messages.Service,
})

/** The identity of pods for the API. */
export interface ServiceAccount {
  apiVersion: 'v1'
  kind: 'ServiceAccount'
  metadata: StoredMetadata<'Namespaced'>
  automountServiceAccountToken?: boolean
  imagePullSecrets?: LocalObjectReference[]
  secrets?: ObjectReference[]
}

export const ServiceAccount: ExactKind<ServiceAccount> = /* @__PURE__ */ defineKind<ServiceAccount>(
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    singular: 'serviceaccount',
    shortNames: ['sa'],
    scope: 'Namespaced',
    subresources: ['token'],
    protobuf: messages.ServiceAccount,
  },
)

export interface ServiceAccountTokenProjection {
  audience?: string
  expirationSeconds?: number
  path: string
}

export interface ServicePort {
  appProtocol?: string
  name?: string
  nodePort?: number
  port: number
  protocol?: 'SCTP' | 'TCP' | 'UDP'
  targetPort?: IntOrString
}

export interface ServiceSpec {
  allocateLoadBalancerNodePorts?: boolean
  clusterIP?: string
  clusterIPs?: string[]
  externalIPs?: string[]
  externalName?: string
  externalTrafficPolicy?: 'Cluster' | 'Local'
  healthCheckNodePort?: number
  internalTrafficPolicy?: 'Cluster' | 'Local'
  ipFamilies?: ('' | 'IPv4' | 'IPv6')[]
  ipFamilyPolicy?: 'PreferDualStack' | 'RequireDualStack' | 'SingleStack'
  loadBalancerClass?: string
  loadBalancerIP?: string
  loadBalancerSourceRanges?: string[]
  ports?: ServicePort[]
  publishNotReadyAddresses?: boolean
  selector?: Record<string, string>
  sessionAffinity?: 'ClientIP' | 'None'
  sessionAffinityConfig?: SessionAffinityConfig
  trafficDistribution?: string
  type?: 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort'
}

export interface ServiceStatus {
  conditions?: Condition[]
  loadBalancer?: LoadBalancerStatus
}

export interface SessionAffinityConfig {
  clientIP?: ClientIPConfig
}

export interface SleepAction {
  seconds: number
}

export interface StorageOSPersistentVolumeSource {
  fsType?: string
  readOnly?: boolean
  secretRef?: ObjectReference
  volumeName?: string
  volumeNamespace?: string
}

export interface StorageOSVolumeSource {
  fsType?: string
  readOnly?: boolean
  secretRef?: LocalObjectReference
  volumeName?: string
  volumeNamespace?: string
}

export interface Sysctl {
  name: string
  value: string
}

export interface TCPSocketAction {
  host?: string
  port: IntOrString
}

export interface Taint {
  effect: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule'
  key: string
  timeAdded?: Time
  value?: string
}

export interface Toleration {
  effect?: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule'
  key?: string
  operator?: 'Equal' | 'Exists' | 'Gt' | 'Lt'
  tolerationSeconds?: number
  value?: string
}

export interface TopologySelectorLabelRequirement {
  key: string
  values: string[]
}

export interface TopologySelectorTerm {
  matchLabelExpressions?: TopologySelectorLabelRequirement[]
}

export interface TopologySpreadConstraint {
  labelSelector?: LabelSelector
  matchLabelKeys?: string[]
  maxSkew: number
  minDomains?: number
  nodeAffinityPolicy?: 'Honor' | 'Ignore'
  nodeTaintsPolicy?: 'Honor' | 'Ignore'
  topologyKey: string
  whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway'
}

export interface TypedLocalObjectReference {
  kind: string
  apiGroup?: string | null
  name: string
}

export interface TypedObjectReference {
  kind: string
  apiGroup?: string | null
  name: string
  namespace?: string
}

export interface Volume {
  awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource
  azureDisk?: AzureDiskVolumeSource
  azureFile?: AzureFileVolumeSource
  cephfs?: CephFSVolumeSource
  cinder?: CinderVolumeSource
  configMap?: ConfigMapVolumeSource
  csi?: CSIVolumeSource
  downwardAPI?: DownwardAPIVolumeSource
  emptyDir?: EmptyDirVolumeSource
  ephemeral?: EphemeralVolumeSource
  fc?: FCVolumeSource
  flexVolume?: FlexVolumeSource
  flocker?: FlockerVolumeSource
  gcePersistentDisk?: GCEPersistentDiskVolumeSource
  gitRepo?: GitRepoVolumeSource
  glusterfs?: GlusterfsVolumeSource
  hostPath?: HostPathVolumeSource
  image?: ImageVolumeSource
  iscsi?: ISCSIVolumeSource
  name: string
  nfs?: NFSVolumeSource
  persistentVolumeClaim?: PersistentVolumeClaimVolumeSource
  photonPersistentDisk?: PhotonPersistentDiskVolumeSource
  portworxVolume?: PortworxVolumeSource
  projected?: ProjectedVolumeSource
  quobyte?: QuobyteVolumeSource
  rbd?: RBDVolumeSource
  scaleIO?: ScaleIOVolumeSource
  secret?: SecretVolumeSource
  storageos?: StorageOSVolumeSource
  vsphereVolume?: VsphereVirtualDiskVolumeSource
}

export interface VolumeDevice {
  devicePath: string
  name: string
}

export interface VolumeMount {
  mountPath: string
  mountPropagation?: 'Bidirectional' | 'HostToContainer' | 'None'
  name: string
  readOnly?: boolean
  recursiveReadOnly?: string
  subPath?: string
  subPathExpr?: string
}

export interface VolumeMountStatus {
  mountPath: string
  name: string
  readOnly?: boolean
  recursiveReadOnly?: string
  volumeStatus?: VolumeStatus
}

export interface VolumeNodeAffinity {
  required?: NodeSelector
}

export interface VolumeProjection {
  clusterTrustBundle?: ClusterTrustBundleProjection
  configMap?: ConfigMapProjection
  downwardAPI?: DownwardAPIProjection
  podCertificate?: PodCertificateProjection
  secret?: SecretProjection
  serviceAccountToken?: ServiceAccountTokenProjection
}

export interface VolumeResourceRequirements {
  limits?: Record<string, Quantity>
  requests?: Record<string, Quantity>
}

export interface VolumeStatus {
  image?: ImageVolumeStatus
}

export interface VsphereVirtualDiskVolumeSource {
  fsType?: string
  storagePolicyID?: string
  storagePolicyName?: string
  volumePath: string
}

export interface WeightedPodAffinityTerm {
  podAffinityTerm: PodAffinityTerm
  weight: number
}

export interface WindowsSecurityContextOptions {
  gmsaCredentialSpec?: string
  gmsaCredentialSpecName?: string
  hostProcess?: boolean
  runAsUserName?: string
}
