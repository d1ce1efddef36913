// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { MessageTable } from '../../../protobuf/index.ts'
import * as metaV1 from './meta-v1.ts'

export const ConfigMap: MessageTable = ['metadata:!m data:% binaryData:%y immutable:?b', metaV1.ObjectMeta]

export const ObjectReference: MessageTable = ['kind namespace name uid apiVersion resourceVersion fieldPath']

export const EndpointAddress: MessageTable = ['ip:! targetRef:?m hostname nodeName:?', ObjectReference]

export const Endpoints: MessageTable = ['metadata:!m subsets:*m', metaV1.ObjectMeta, ['addresses:*m notReadyAddresses:*m ports:*m', EndpointAddress, EndpointAddress, ['name port:!i protocol appProtocol:?']]]

export const EventSource: MessageTable = ['component host']

export const Event: MessageTable = ['metadata:!m involvedObject:!m reason message source:!m firstTimestamp:!t lastTimestamp:!t count:i type eventTime:!u series:?m action related:?m reportingComponent:! reportingInstance:!', metaV1.ObjectMeta, ObjectReference, EventSource, ['count:i lastObservedTime:!u'], ObjectReference]

export const LimitRange: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, ['limits:!*m', ['type:! max:%q min:%q default:%q defaultRequest:%q maxLimitRequestRatio:%q']]]

export const Namespace: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['finalizers:*'], ['phase conditions:*m', ['type:! status:! 4lastTransitionTime:!t reason message']]]

export const NodeConfigSource: MessageTable = ['2configMap:?m', ['namespace:! name:! uid resourceVersion kubeletConfigKey:!']]

export const Node: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['podCIDR externalID providerID unschedulable:b taints:*m configSource:?m podCIDRs:*', ['key:! value effect:! timeAdded:?t'], NodeConfigSource], ['capacity:%q allocatable:%q phase conditions:*m addresses:*m daemonEndpoints:!m nodeInfo:!m images:*m volumesInUse:* volumesAttached:*m config:?m runtimeHandlers:*m features:?m declaredFeatures:*', ['type:! status:! lastHeartbeatTime:!t lastTransitionTime:!t reason message'], ['type:! address:!'], ['kubeletEndpoint:!m', ['Port:!i']], ['machineID:! systemUUID:! bootID:! kernelVersion:! osImage:! containerRuntimeVersion:! kubeletVersion:! kubeProxyVersion:! operatingSystem:! architecture:! swap:?m', ['capacity:?i']], ['names:!* sizeBytes:i'], ['name:! devicePath:!'], ['assigned:?m active:?m lastKnownGood:?m error', NodeConfigSource, NodeConfigSource, NodeConfigSource], ['name:! features:?m', ['recursiveReadOnlyMounts:?b userNamespaces:?b']], ['supplementalGroupsPolicy:?b']]]

export const TypedLocalObjectReference: MessageTable = ['apiGroup:!? kind:! name:!']

export const PersistentVolumeClaimSpec: MessageTable = ['accessModes:* resources:!m volumeName selector:?m storageClassName:? volumeMode:? dataSource:?m dataSourceRef:?m volumeAttributesClassName:?', ['limits:%q requests:%q'], metaV1.LabelSelector, TypedLocalObjectReference, ['apiGroup:!? kind:! name:! namespace:?']]

export const PersistentVolumeClaim: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, PersistentVolumeClaimSpec, ['phase accessModes:* capacity:%q conditions:*m allocatedResources:%q 7allocatedResourceStatuses:% currentVolumeAttributesClassName:? modifyVolumeStatus:?m', ['type:! status:! lastProbeTime:!t lastTransitionTime:!t reason message'], ['targetVolumeAttributesClassName status:!']]]

export const GCEPersistentDiskVolumeSource: MessageTable = ['pdName:! fsType partition:i readOnly:b']

export const AWSElasticBlockStoreVolumeSource: MessageTable = ['volumeID:! fsType partition:i readOnly:b']

export const HostPathVolumeSource: MessageTable = ['path:! type:?']

export const NFSVolumeSource: MessageTable = ['server:! path:! readOnly:b']

export const SecretReference: MessageTable = ['name namespace']

export const FCVolumeSource: MessageTable = ['targetWWNs:* lun:?i fsType readOnly:b wwids:*']

export const FlockerVolumeSource: MessageTable = ['datasetName datasetUUID']

export const VsphereVirtualDiskVolumeSource: MessageTable = ['volumePath:! fsType storagePolicyName storagePolicyID']

export const QuobyteVolumeSource: MessageTable = ['registry:! volume:! readOnly:b user group tenant']

export const AzureDiskVolumeSource: MessageTable = ['diskName:! diskURI:! cachingMode:? fsType:? readOnly:?b kind:?']

export const PhotonPersistentDiskVolumeSource: MessageTable = ['pdID:! fsType']

export const PortworxVolumeSource: MessageTable = ['volumeID:! fsType readOnly:b']

export const NodeSelectorRequirement: MessageTable = ['key:! operator:! values:*']

export const NodeSelectorTerm: MessageTable = ['matchExpressions:*m matchFields:*m', NodeSelectorRequirement, NodeSelectorRequirement]

export const NodeSelector: MessageTable = ['nodeSelectorTerms:!*m', NodeSelectorTerm]

export const PersistentVolumeSpec: MessageTable = ['capacity:%q persistentVolumeSource:^m accessModes:* claimRef:?m persistentVolumeReclaimPolicy storageClassName mountOptions:* volumeMode:? nodeAffinity:?m volumeAttributesClassName:?', ['gcePersistentDisk:?m awsElasticBlockStore:?m hostPath:?m glusterfs:?m nfs:?m rbd:?m iscsi:?m cinder:?m cephfs:?m fc:?m flocker:?m flexVolume:?m azureFile:?m vsphereVolume:?m quobyte:?m azureDisk:?m photonPersistentDisk:?m portworxVolume:?m scaleIO:?m local:?m storageos:?m csi:?m', GCEPersistentDiskVolumeSource, AWSElasticBlockStoreVolumeSource, HostPathVolumeSource, ['endpoints:! path:! readOnly:b endpointsNamespace:?'], NFSVolumeSource, ['monitors:!* image:! fsType pool user keyring secretRef:?m readOnly:b', SecretReference], ['targetPortal:! iqn:! lun:!i iscsiInterface fsType readOnly:b portals:* chapAuthDiscovery:b 10secretRef:?m chapAuthSession:b initiatorName:?', SecretReference], ['volumeID:! fsType readOnly:b secretRef:?m', SecretReference], ['monitors:!* path user secretFile secretRef:?m readOnly:b', SecretReference], FCVolumeSource, FlockerVolumeSource, ['driver:! fsType secretRef:?m readOnly:b options:%', SecretReference], ['secretName:! shareName:! readOnly:b secretNamespace:!?'], VsphereVirtualDiskVolumeSource, QuobyteVolumeSource, AzureDiskVolumeSource, PhotonPersistentDiskVolumeSource, PortworxVolumeSource, ['gateway:! system:! secretRef:!?m sslEnabled:b protectionDomain storagePool storageMode volumeName fsType readOnly:b', SecretReference], ['path:! fsType:?'], ['volumeName volumeNamespace fsType readOnly:b secretRef:?m', ObjectReference], ['driver:! volumeHandle:! readOnly:b fsType volumeAttributes:% controllerPublishSecretRef:?m nodeStageSecretRef:?m nodePublishSecretRef:?m controllerExpandSecretRef:?m nodeExpandSecretRef:?m', SecretReference, SecretReference, SecretReference, SecretReference, SecretReference]], ObjectReference, ['required:?m', NodeSelector]]

export const PersistentVolume: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, PersistentVolumeSpec, ['phase message reason lastPhaseTransitionTime:?t']]

export const KeyToPath: MessageTable = ['key:! path:! mode:?i']

export const LocalObjectReference: MessageTable = ['name']

export const ObjectFieldSelector: MessageTable = ['apiVersion fieldPath:!']

export const ResourceFieldSelector: MessageTable = ['containerName resource:! divisor:!q']

export const DownwardAPIVolumeFile: MessageTable = ['path:! fieldRef:?m resourceFieldRef:?m mode:?i', ObjectFieldSelector, ResourceFieldSelector]

export const ContainerPort: MessageTable = ['name hostPort:i containerPort:!i protocol hostIP']

export const EnvVar: MessageTable = ['name:! value valueFrom:?m', ['fieldRef:?m resourceFieldRef:?m configMapKeyRef:?m secretKeyRef:?m fileKeyRef:?m', ObjectFieldSelector, ResourceFieldSelector, ['localObjectReference:^m key:! optional:?b', LocalObjectReference], ['localObjectReference:^m key:! optional:?b', LocalObjectReference], ['volumeName:! path:! key:! optional:?b']]]

export const ResourceRequirements: MessageTable = ['limits:%q requests:%q claims:*m', ['name:! request']]

export const VolumeMount: MessageTable = ['name:! readOnly:b mountPath:! subPath mountPropagation:? subPathExpr recursiveReadOnly:?']

export const ExecAction: MessageTable = ['command:*']

export const HTTPGetAction: MessageTable = ['path port:!o host scheme httpHeaders:*m', ['name:! value:!']]

export const TCPSocketAction: MessageTable = ['port:!o host']

export const Probe: MessageTable = ['handler:^m initialDelaySeconds:i timeoutSeconds:i periodSeconds:i successThreshold:i failureThreshold:i terminationGracePeriodSeconds:?i', ['exec:?m httpGet:?m tcpSocket:?m grpc:?m', ExecAction, HTTPGetAction, TCPSocketAction, ['port:!i service:!?']]]

export const LifecycleHandler: MessageTable = ['exec:?m httpGet:?m tcpSocket:?m sleep:?m', ExecAction, HTTPGetAction, TCPSocketAction, ['seconds:!i']]

export const Lifecycle: MessageTable = ['postStart:?m preStop:?m stopSignal:?', LifecycleHandler, LifecycleHandler]

export const SELinuxOptions: MessageTable = ['user role type level']

export const WindowsSecurityContextOptions: MessageTable = ['gmsaCredentialSpecName:? gmsaCredentialSpec:? runAsUserName:? hostProcess:?b']

export const SeccompProfile: MessageTable = ['type:! localhostProfile:?']

export const AppArmorProfile: MessageTable = ['type:! localhostProfile:?']

export const SecurityContext: MessageTable = ['capabilities:?m privileged:?b seLinuxOptions:?m runAsUser:?i runAsNonRoot:?b readOnlyRootFilesystem:?b allowPrivilegeEscalation:?b runAsGroup:?i procMount:? windowsOptions:?m seccompProfile:?m appArmorProfile:?m', ['add:* drop:*'], SELinuxOptions, WindowsSecurityContextOptions, SeccompProfile, AppArmorProfile]

export const EnvFromSource: MessageTable = ['prefix configMapRef:?m secretRef:?m', ['localObjectReference:^m optional:?b', LocalObjectReference], ['localObjectReference:^m optional:?b', LocalObjectReference]]

export const VolumeDevice: MessageTable = ['name:! devicePath:!']

export const ContainerResizePolicy: MessageTable = ['resourceName:! restartPolicy:!']

export const ContainerRestartRule: MessageTable = ['action exitCodes:?m', ['operator values:*i']]

export const Container: MessageTable = ['name:! image command:* args:* workingDir ports:*m env:*m resources:!m volumeMounts:*m livenessProbe:?m readinessProbe:?m lifecycle:?m terminationMessagePath imagePullPolicy securityContext:?m stdin:b stdinOnce:b tty:b envFrom:*m terminationMessagePolicy volumeDevices:*m startupProbe:?m resizePolicy:*m restartPolicy:? restartPolicyRules:*m', ContainerPort, EnvVar, ResourceRequirements, VolumeMount, Probe, Probe, Lifecycle, SecurityContext, EnvFromSource, VolumeDevice, Probe, ContainerResizePolicy, ContainerRestartRule]

export const PodAffinityTerm: MessageTable = ['labelSelector:?m namespaces:* topologyKey:! namespaceSelector:?m matchLabelKeys:* mismatchLabelKeys:*', metaV1.LabelSelector, metaV1.LabelSelector]

export const WeightedPodAffinityTerm: MessageTable = ['weight:!i podAffinityTerm:!m', PodAffinityTerm]

export const Toleration: MessageTable = ['key operator value effect tolerationSeconds:?i']

export const PodSpec: MessageTable = ['volumes:*m containers:!*m restartPolicy terminationGracePeriodSeconds:?i activeDeadlineSeconds:?i dnsPolicy nodeSelector:% serviceAccountName serviceAccount nodeName hostNetwork:b hostPID:b hostIPC:b securityContext:?m imagePullSecrets:*m hostname subdomain affinity:?m schedulerName initContainers:*m automountServiceAccountToken:?b tolerations:*m hostAliases:*m priorityClassName priority:?i dnsConfig:?m shareProcessNamespace:?b readinessGates:*m runtimeClassName:? enableServiceLinks:?b preemptionPolicy:? overhead:%q topologySpreadConstraints:*m ephemeralContainers:*m setHostnameAsFQDN:?b os:?m hostUsers:?b schedulingGates:*m resourceClaims:*m resources:?m hostnameOverride:? 43schedulingGroup:?m', ['name:! volumeSource:^m', ['hostPath:?m emptyDir:?m gcePersistentDisk:?m awsElasticBlockStore:?m gitRepo:?m secret:?m nfs:?m iscsi:?m glusterfs:?m persistentVolumeClaim:?m rbd:?m flexVolume:?m cinder:?m cephfs:?m flocker:?m downwardAPI:?m fc:?m azureFile:?m configMap:?m vsphereVolume:?m quobyte:?m azureDisk:?m photonPersistentDisk:?m portworxVolume:?m scaleIO:?m projected:?m storageos:?m csi:?m ephemeral:?m image:?m', HostPathVolumeSource, ['medium sizeLimit:?q'], GCEPersistentDiskVolumeSource, AWSElasticBlockStoreVolumeSource, ['repository:! revision directory'], ['secretName items:*m defaultMode:?i optional:?b', KeyToPath], NFSVolumeSource, ['targetPortal:! iqn:! lun:!i iscsiInterface fsType readOnly:b portals:* chapAuthDiscovery:b 10secretRef:?m chapAuthSession:b initiatorName:?', LocalObjectReference], ['endpoints:! path:! readOnly:b'], ['claimName:! readOnly:b'], ['monitors:!* image:! fsType pool user keyring secretRef:?m readOnly:b', LocalObjectReference], ['driver:! fsType secretRef:?m readOnly:b options:%', LocalObjectReference], ['volumeID:! fsType readOnly:b secretRef:?m', LocalObjectReference], ['monitors:!* path user secretFile secretRef:?m readOnly:b', LocalObjectReference], FlockerVolumeSource, ['items:*m defaultMode:?i', DownwardAPIVolumeFile], FCVolumeSource, ['secretName:! shareName:! readOnly:b'], ['localObjectReference:^m items:*m defaultMode:?i optional:?b', LocalObjectReference, KeyToPath], VsphereVirtualDiskVolumeSource, QuobyteVolumeSource, AzureDiskVolumeSource, PhotonPersistentDiskVolumeSource, PortworxVolumeSource, ['gateway:! system:! secretRef:!?m sslEnabled:b protectionDomain storagePool storageMode volumeName fsType readOnly:b', LocalObjectReference], ['sources:!*m defaultMode:?i', ['secret:?m downwardAPI:?m configMap:?m serviceAccountToken:?m clusterTrustBundle:?m podCertificate:?m', ['localObjectReference:^m items:*m 4optional:?b', LocalObjectReference, KeyToPath], ['items:*m', DownwardAPIVolumeFile], ['localObjectReference:^m items:*m 4optional:?b', LocalObjectReference, KeyToPath], ['audience expirationSeconds:?i path:!'], ['name:? signerName:? labelSelector:?m path:! optional:?b', metaV1.LabelSelector], ['signerName keyType maxExpirationSeconds:?i credentialBundlePath keyPath certificateChainPath userAnnotations:%']]], ['volumeName volumeNamespace fsType readOnly:b secretRef:?m', LocalObjectReference], ['driver:! readOnly:?b fsType:? volumeAttributes:% nodePublishSecretRef:?m', LocalObjectReference], ['volumeClaimTemplate:?m', ['metadata:!m spec:!m', metaV1.ObjectMeta, PersistentVolumeClaimSpec]], ['reference pullPolicy']]], Container, ['seLinuxOptions:?m runAsUser:?i runAsNonRoot:?b supplementalGroups:*i fsGroup:?i runAsGroup:?i sysctls:*m windowsOptions:?m fsGroupChangePolicy:? seccompProfile:?m appArmorProfile:?m supplementalGroupsPolicy:? seLinuxChangePolicy:?', SELinuxOptions, ['name:! value:!'], WindowsSecurityContextOptions, SeccompProfile, AppArmorProfile], LocalObjectReference, ['nodeAffinity:?m podAffinity:?m podAntiAffinity:?m', ['requiredDuringSchedulingIgnoredDuringExecution:?m preferredDuringSchedulingIgnoredDuringExecution:*m', NodeSelector, ['weight:!i preference:!m', NodeSelectorTerm]], ['requiredDuringSchedulingIgnoredDuringExecution:*m preferredDuringSchedulingIgnoredDuringExecution:*m', PodAffinityTerm, WeightedPodAffinityTerm], ['requiredDuringSchedulingIgnoredDuringExecution:*m preferredDuringSchedulingIgnoredDuringExecution:*m', PodAffinityTerm, WeightedPodAffinityTerm]], Container, Toleration, ['ip:! hostnames:*'], ['nameservers:* searches:* options:*m', ['name value:?']], ['conditionType:!'], ['maxSkew:!i topologyKey:! whenUnsatisfiable:! labelSelector:?m minDomains:?i nodeAffinityPolicy:? nodeTaintsPolicy:? matchLabelKeys:*', metaV1.LabelSelector], ['ephemeralContainerCommon:^m targetContainerName', ['name:! image command:* args:* workingDir ports:*m env:*m resources:!m volumeMounts:*m livenessProbe:?m readinessProbe:?m lifecycle:?m terminationMessagePath imagePullPolicy securityContext:?m stdin:b stdinOnce:b tty:b envFrom:*m terminationMessagePolicy volumeDevices:*m startupProbe:?m resizePolicy:*m restartPolicy:? restartPolicyRules:*m', ContainerPort, EnvVar, ResourceRequirements, VolumeMount, Probe, Probe, Lifecycle, SecurityContext, EnvFromSource, VolumeDevice, Probe, ContainerResizePolicy, ContainerRestartRule]], ['name:!'], ['name:!'], ['name:! 3resourceClaimName:? resourceClaimTemplateName:?'], ResourceRequirements, ['podGroupName:?']]

export const ContainerState: MessageTable = ['waiting:?m running:?m terminated:?m', ['reason message'], ['startedAt:!t'], ['exitCode:!i signal:i reason message startedAt:!t finishedAt:!t containerID']]

export const ContainerStatus: MessageTable = ['name:! state:!m lastState:!m ready:!b restartCount:!i image:! imageID:! containerID started:?b allocatedResources:%q resources:?m volumeMounts:*m user:?m allocatedResourcesStatus:*m stopSignal:?', ContainerState, ContainerState, ResourceRequirements, ['name:! mountPath:! readOnly:b recursiveReadOnly:? volumeStatus:?m', ['image:?m', ['imageRef']]], ['linux:?m', ['uid:!i gid:!i supplementalGroups:*i']], ['name:! resources:*m', ['resourceID:! health 6message:?']]]

export const Pod: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, PodSpec, ['phase conditions:*m message reason hostIP podIP startTime:?t containerStatuses:*m qosClass initContainerStatuses:*m nominatedNodeName podIPs:*m ephemeralContainerStatuses:*m resize resourceClaimStatuses:*m hostIPs:*m observedGeneration:i extendedResourceClaimStatus:?m allocatedResources:%q resources:?m nodeAllocatableResourceClaimStatuses:*m', ['type:! status:! lastProbeTime:!t lastTransitionTime:!t reason message observedGeneration:i'], ContainerStatus, ContainerStatus, ['ip:!'], ContainerStatus, ['name:! resourceClaimName:?'], ['ip:!'], ['requestMappings:!*m resourceClaimName:!', ['containerName:! resourceName:! requestName:!']], ResourceRequirements, ['resourceClaimName:! containers:* resources:!%q']]]

export const PodTemplateSpec: MessageTable = ['metadata:!m spec:!m', metaV1.ObjectMeta, PodSpec]

export const PodTemplate: MessageTable = ['metadata:!m template:!m', metaV1.ObjectMeta, PodTemplateSpec]

export const ReplicationController: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['replicas:?i selector:% template:?m minReadySeconds:i', PodTemplateSpec], ['replicas:!i fullyLabeledReplicas:i observedGeneration:i readyReplicas:i availableReplicas:i conditions:*m', ['type:! status:! lastTransitionTime:!t reason message']]]

export const ResourceQuota: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['hard:%q scopes:* scopeSelector:?m', ['matchExpressions:*m', ['scopeName:! operator:! values:*']]], ['hard:%q used:%q']]

export const Secret: MessageTable = ['metadata:!m data:%y type stringData:% immutable:?b', metaV1.ObjectMeta]

export const ServiceAccount: MessageTable = ['metadata:!m secrets:*m imagePullSecrets:*m automountServiceAccountToken:?b', metaV1.ObjectMeta, ObjectReference, LocalObjectReference]

export const Service: MessageTable = ['metadata:!m spec:!m status:!m', metaV1.ObjectMeta, ['ports:*m selector:% clusterIP type externalIPs:* 7sessionAffinity loadBalancerIP loadBalancerSourceRanges:* externalName externalTrafficPolicy healthCheckNodePort:i publishNotReadyAddresses:b sessionAffinityConfig:?m 17ipFamilyPolicy:? clusterIPs:* ipFamilies:* allocateLoadBalancerNodePorts:?b loadBalancerClass:? internalTrafficPolicy:? trafficDistribution:?', ['name protocol port:!i targetPort:!o nodePort:i appProtocol:?'], ['clientIP:?m', ['timeoutSeconds:?i']]], ['loadBalancer:!m conditions:*m', ['ingress:*m', ['ip hostname ipMode:? ports:*m', ['port:!i protocol:! error:?']]], metaV1.Condition]]
