/**
 * Kubernetes' internal structs, with their fields in the order in which a real server (1.36) prints
 * them. Messages about a whole struct and the diffs of immutable fields show these names, not the
 * JSON names.
 *
 * Each field is `Name=jsonName:zero:Type`. The JSON name is omitted when it is the Go name with a
 * lower-case first letter; a `^` before it means that the field is in the enclosing object. Zero is
 * the output for an absent field: s `""`, i `0`, b `false`, q `"0"`, n `null` (the default), o a
 * struct of the type, inline: the fields of the type. `~` starts a struct with its own JSON names,
 * which omits absent fields unless they have a zero.
 */
export const goShapes = {
  AWSElasticBlockStoreVolumeSource: 'VolumeID:s FSType=fsType:s Partition:i ReadOnly:b',
  Affinity:
    'NodeAffinity:n:NodeAffinity PodAffinity:n:PodAffinity PodAntiAffinity:n:PodAntiAffinity',
  AppArmorProfile: 'Type:s LocalhostProfile',
  AzureDiskVolumeSource: 'DiskName:s DataDiskURI=diskURI:s CachingMode FSType=fsType ReadOnly Kind',
  AzureFilePersistentVolumeSource: 'SecretName:s ShareName:s ReadOnly:b SecretNamespace',
  AzureFileVolumeSource: 'SecretName:s ShareName:s ReadOnly:b',
  CSINodeDriver: 'Name:s NodeID:s TopologyKeys Allocatable:n:VolumeNodeResources',
  CSIPersistentVolumeSource:
    'Driver:s VolumeHandle:s ReadOnly:b FSType=fsType:s VolumeAttributes ControllerPublishSecretRef:n:SecretReference NodeStageSecretRef:n:SecretReference NodePublishSecretRef:n:SecretReference ControllerExpandSecretRef:n:SecretReference NodeExpandSecretRef:n:SecretReference',
  CSIVolumeSource:
    'Driver:s ReadOnly FSType=fsType VolumeAttributes NodePublishSecretRef:n:LocalObjectReference',
  Capabilities: 'Add Drop',
  CephFSPersistentVolumeSource:
    'Monitors Path:s User:s SecretFile:s SecretRef:n:SecretReference ReadOnly:b',
  CephFSVolumeSource:
    'Monitors Path:s User:s SecretFile:s SecretRef:n:LocalObjectReference ReadOnly:b',
  CinderPersistentVolumeSource: 'VolumeID:s FSType=fsType:s ReadOnly:b SecretRef:n:SecretReference',
  CinderVolumeSource: 'VolumeID:s FSType=fsType:s ReadOnly:b SecretRef:n:LocalObjectReference',
  ClusterTrustBundleProjection: 'Name SignerName LabelSelector:n:LabelSelector Optional Path:s',
  ConfigMapEnvSource: 'Name:s Optional',
  ConfigMapKeySelector: 'Name:s Key:s Optional',
  ConfigMapNodeConfigSource: 'Namespace:s Name:s UID=uid:s ResourceVersion:s KubeletConfigKey:s',
  ConfigMapProjection: 'Name:s Items:n:KeyToPath Optional',
  ConfigMapVolumeSource: 'Name:s Items:n:KeyToPath DefaultMode Optional',
  Container:
    'Name:s Image:s Command Args WorkingDir:s Ports:n:ContainerPort EnvFrom:n:EnvFromSource Env:n:EnvVar Resources:o:ResourceRequirements ResizePolicy:n:ContainerResizePolicy RestartPolicy RestartPolicyRules:n:ContainerRestartRule VolumeMounts:n:VolumeMount VolumeDevices:n:VolumeDevice LivenessProbe:n:Probe ReadinessProbe:n:Probe StartupProbe:n:Probe Lifecycle:n:Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:n:SecurityContext Stdin:b StdinOnce:b TTY=tty:b',
  ContainerPort: 'Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s',
  ContainerResizePolicy: 'ResourceName:s RestartPolicy:s',
  ContainerRestartRule: 'Action:s ExitCodes:n:ContainerRestartRuleOnExitCodes',
  ContainerRestartRuleOnExitCodes: 'Operator:s Values',
  DaemonSetUpdateStrategy: 'Type:s RollingUpdate:n:RollingUpdateDaemonSet',
  DeploymentStrategy: 'Type:s RollingUpdate:n:RollingUpdateDeployment',
  DownwardAPIProjection: 'Items:n:DownwardAPIVolumeFile',
  DownwardAPIVolumeFile:
    'Path:s FieldRef:n:ObjectFieldSelector ResourceFieldRef:n:ResourceFieldSelector Mode',
  DownwardAPIVolumeSource: 'Items:n:DownwardAPIVolumeFile DefaultMode',
  EmptyDirVolumeSource: 'Medium:s SizeLimit',
  EnvFromSource: 'Prefix:s ConfigMapRef:n:ConfigMapEnvSource SecretRef:n:SecretEnvSource',
  EnvVar: 'Name:s Value:s ValueFrom:n:EnvVarSource',
  EnvVarSource:
    'FieldRef:n:ObjectFieldSelector ResourceFieldRef:n:ResourceFieldSelector ConfigMapKeyRef:n:ConfigMapKeySelector SecretKeyRef:n:SecretKeySelector FileKeyRef:n:FileKeySelector',
  EphemeralContainer:
    'Name:s Image:s Command Args WorkingDir:s Ports:n:ContainerPort EnvFrom:n:EnvFromSource Env:n:EnvVar Resources:o:ResourceRequirements ResizePolicy:n:ContainerResizePolicy RestartPolicy RestartPolicyRules:n:ContainerRestartRule VolumeMounts:n:VolumeMount VolumeDevices:n:VolumeDevice LivenessProbe:n:Probe ReadinessProbe:n:Probe StartupProbe:n:Probe Lifecycle:n:Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:n:SecurityContext Stdin:b StdinOnce:b TTY=tty:b TargetContainerName:s',
  EphemeralVolumeSource: 'VolumeClaimTemplate:n:PersistentVolumeClaimTemplate',
  EventSource: 'Component:s Host:s',
  ExecAction: 'Command',
  FCVolumeSource: 'TargetWWNs Lun FSType=fsType:s ReadOnly:b WWIDs=wwids',
  FileKeySelector: 'VolumeName:s Path:s Key:s Optional',
  FlexPersistentVolumeSource:
    'Driver:s FSType=fsType:s SecretRef:n:SecretReference ReadOnly:b Options',
  FlexVolumeSource: 'Driver:s FSType=fsType:s SecretRef:n:LocalObjectReference ReadOnly:b Options',
  FlockerVolumeSource: 'DatasetName:s DatasetUUID:s',
  FlowDistinguisherMethod: 'Type:s',
  FlowSchemaSpec:
    'PriorityLevelConfiguration:n:LocalObjectReference MatchingPrecedence:i DistinguisherMethod:n:FlowDistinguisherMethod Rules:n:FlowSchemaRule',
  FlowSchemaRule:
    'Subjects:n:FlowSchemaSubject ResourceRules:n:FlowResourceRule NonResourceRules:n:FlowNonResourceRule',
  FlowSchemaSubject:
    'Kind:s User:n:LocalObjectReference Group:n:LocalObjectReference ServiceAccount:n:FlowServiceAccount',
  FlowServiceAccount: 'Namespace:s Name:s',
  FlowResourceRule: 'Verbs APIGroups=apiGroups Resources ClusterScope:b Namespaces',
  FlowNonResourceRule: 'Verbs NonResourceURLs=nonResourceURLs',
  FlowLevelSpec: 'Type:s Limited:n:FlowLimitedLevel Exempt:n:FlowExemptLevel',
  FlowLimitedLevel:
    'NominalConcurrencyShares:i LimitResponse:n:FlowLimitResponse LendablePercent BorrowingLimitPercent',
  FlowLimitResponse: 'Type:s Queuing:n:FlowQueuing',
  FlowQueuing: 'Queues:i HandSize:i QueueLengthLimit:i',
  FlowExemptLevel: 'NominalConcurrencyShares LendablePercent',
  GCEPersistentDiskVolumeSource: 'PDName=pdName:s FSType=fsType:s Partition:i ReadOnly:b',
  GRPCAction: 'Port:i Service',
  GitRepoVolumeSource: 'Repository:s Revision:s Directory:s',
  GlusterfsPersistentVolumeSource: 'EndpointsName=endpoints:s Path:s ReadOnly:b EndpointsNamespace',
  GlusterfsVolumeSource: 'EndpointsName=endpoints:s Path:s ReadOnly:b',
  HTTPGetAction: 'Path:s Port:i Host:s Scheme:s HTTPHeaders=httpHeaders:n:HTTPHeader',
  HTTPHeader: 'Name:s Value:s',
  HostAlias: 'IP=ip:s Hostnames',
  HostIP: 'IP=ip:s',
  HostPathVolumeSource: 'Path:s Type',
  ISCSIPersistentVolumeSource:
    'TargetPortal:s IQN=iqn:s Lun:i ISCSIInterface=iscsiInterface:s FSType=fsType:s ReadOnly:b Portals DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b SecretRef:n:SecretReference InitiatorName',
  ISCSIVolumeSource:
    'TargetPortal:s IQN=iqn:s Lun:i ISCSIInterface=iscsiInterface:s FSType=fsType:s ReadOnly:b Portals DiscoveryCHAPAuth=chapAuthDiscovery:b SessionCHAPAuth=chapAuthSession:b SecretRef:n:LocalObjectReference InitiatorName',
  ImageVolumeSource: 'Reference:s PullPolicy:s',
  KeyToPath: 'Key:s Path:s Mode',
  LabelSelector: '~ matchLabels matchExpressions:n:LabelSelectorRequirement',
  LabelSelectorRequirement: '~ key:s operator:s values',
  Lifecycle: 'PostStart:n:LifecycleHandler PreStop:n:LifecycleHandler StopSignal',
  LifecycleHandler:
    'Exec:n:ExecAction HTTPGet=httpGet:n:HTTPGetAction TCPSocket=tcpSocket:n:TCPSocketAction Sleep:n:SleepAction',
  LocalObjectReference: 'Name:s',
  LocalVolumeSource: 'Path:s FSType=fsType',
  ManagedFieldsEntry: '~ manager operation apiVersion time fieldsType fieldsV1 subresource',
  NFSVolumeSource: 'Server:s Path:s ReadOnly:b',
  NodeAddress: 'Type:s Address:s',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:n:NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:n:PreferredSchedulingTerm',
  NodeConfigSource: 'ConfigMap:n:ConfigMapNodeConfigSource',
  NodeSelector: 'NodeSelectorTerms:n:NodeSelectorTerm',
  NodeSelectorRequirement: 'Key:s Operator:s Values',
  NodeSelectorTerm:
    'MatchExpressions:n:NodeSelectorRequirement MatchFields:n:NodeSelectorRequirement',
  ObjectFieldSelector: 'APIVersion=apiVersion:s FieldPath:s',
  ObjectMeta:
    '~ name generateName namespace selfLink uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences:n:OwnerReference finalizers managedFields:n:ManagedFieldsEntry',
  ObjectReference:
    'Kind:s Namespace:s Name:s UID=uid:s APIVersion=apiVersion:s ResourceVersion:s FieldPath:s',
  OwnerReference: '~ apiVersion:s kind:s name:s uid:s controller blockOwnerDeletion',
  ParentReference: 'Group:s Resource:s Namespace:s Name:s',
  PersistentVolumeClaimSpec:
    'AccessModes Selector:n:LabelSelector Resources:o:VolumeResourceRequirements VolumeName:s StorageClassName VolumeMode DataSource:n:TypedLocalObjectReference DataSourceRef:n:TypedObjectReference VolumeAttributesClassName',
  PersistentVolumeClaimTemplate:
    'ObjectMeta=metadata:inline:ObjectMeta Spec:o:PersistentVolumeClaimSpec',
  PersistentVolumeClaimVolumeSource: 'ClaimName:s ReadOnly:b',
  PersistentVolumeSource:
    'GCEPersistentDisk=gcePersistentDisk:n:GCEPersistentDiskVolumeSource AWSElasticBlockStore=awsElasticBlockStore:n:AWSElasticBlockStoreVolumeSource HostPath:n:HostPathVolumeSource Glusterfs:n:GlusterfsPersistentVolumeSource NFS=nfs:n:NFSVolumeSource RBD=rbd:n:RBDPersistentVolumeSource Quobyte:n:QuobyteVolumeSource ISCSI=iscsi:n:ISCSIPersistentVolumeSource FlexVolume:n:FlexPersistentVolumeSource Cinder:n:CinderPersistentVolumeSource CephFS=cephfs:n:CephFSPersistentVolumeSource FC=fc:n:FCVolumeSource Flocker:n:FlockerVolumeSource AzureFile:n:AzureFilePersistentVolumeSource VsphereVolume:n:VsphereVirtualDiskVolumeSource AzureDisk:n:AzureDiskVolumeSource PhotonPersistentDisk:n:PhotonPersistentDiskVolumeSource PortworxVolume:n:PortworxVolumeSource ScaleIO:n:ScaleIOPersistentVolumeSource Local:n:LocalVolumeSource StorageOS=storageos:n:StorageOSPersistentVolumeSource CSI=csi:n:CSIPersistentVolumeSource',
  PersistentVolumeSpec:
    'Capacity PersistentVolumeSource:inline:PersistentVolumeSource AccessModes ClaimRef:n:ObjectReference PersistentVolumeReclaimPolicy:s StorageClassName:s MountOptions VolumeMode NodeAffinity:n:VolumeNodeAffinity VolumeAttributesClassName',
  PhotonPersistentDiskVolumeSource: 'PdID:s FSType=fsType:s',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:n:PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:n:WeightedPodAffinityTerm',
  PodAffinityTerm:
    'LabelSelector:n:LabelSelector Namespaces TopologyKey:s NamespaceSelector:n:LabelSelector MatchLabelKeys MismatchLabelKeys',
  PodAntiAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution:n:PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:n:WeightedPodAffinityTerm',
  PodCertificateProjection:
    'SignerName:s KeyType:s MaxExpirationSeconds CredentialBundlePath:s KeyPath:s CertificateChainPath:s UserAnnotations',
  PodDNSConfig: 'Nameservers Searches Options:n:PodDNSConfigOption',
  PodDNSConfigOption: 'Name:s Value',
  PodDisruptionBudgetSpec:
    'MinAvailable Selector:n:LabelSelector MaxUnavailable UnhealthyPodEvictionPolicy',
  PodFailurePolicy: 'Rules:n:PodFailurePolicyRule',
  PodFailurePolicyOnExitCodesRequirement: 'ContainerName Operator:s Values',
  PodFailurePolicyOnPodConditionsPattern: 'Type:s Status:s',
  PodFailurePolicyRule:
    'Action:s OnExitCodes:n:PodFailurePolicyOnExitCodesRequirement OnPodConditions:n:PodFailurePolicyOnPodConditionsPattern',
  PodIP: 'IP=ip:s',
  PodOS: 'Name:s',
  PodReadinessGate: 'ConditionType:s',
  PodResourceClaim: 'Name:s ResourceClaimName ResourceClaimTemplateName',
  PodSchedulingGate: 'Name:s',
  PodSchedulingGroup: 'PodGroupName',
  PodSecurityContext:
    'HostNetwork=^hostNetwork:b HostPID=^hostPID:b HostIPC=^hostIPC:b ShareProcessNamespace=^shareProcessNamespace HostUsers=^hostUsers SELinuxOptions=seLinuxOptions:n:SELinuxOptions WindowsOptions:n:WindowsSecurityContextOptions RunAsUser RunAsGroup RunAsNonRoot SupplementalGroups SupplementalGroupsPolicy FSGroup=fsGroup FSGroupChangePolicy=fsGroupChangePolicy Sysctls:n:Sysctl SeccompProfile:n:SeccompProfile AppArmorProfile:n:AppArmorProfile SELinuxChangePolicy=seLinuxChangePolicy',
  PodSpec:
    'Volumes:n:Volume InitContainers:n:Container Containers:n:Container EphemeralContainers:n:EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds ActiveDeadlineSeconds DNSPolicy=dnsPolicy:s NodeSelector ServiceAccountName:s AutomountServiceAccountToken NodeName:s SecurityContext:n:PodSecurityContext ImagePullSecrets:n:LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN Affinity:n:Affinity SchedulerName:s Tolerations:n:Toleration HostAliases:n:HostAlias PriorityClassName:s Priority PreemptionPolicy DNSConfig=dnsConfig:n:PodDNSConfig ReadinessGates:n:PodReadinessGate RuntimeClassName Overhead EnableServiceLinks TopologySpreadConstraints:n:TopologySpreadConstraint OS=os:n:PodOS SchedulingGates:n:PodSchedulingGate ResourceClaims:n:PodResourceClaim Resources:n:ResourceRequirements HostnameOverride SchedulingGroup:n:PodSchedulingGroup',
  PodTemplateSpec: 'ObjectMeta=metadata:inline:ObjectMeta Spec:o:PodSpec',
  PortworxVolumeSource: 'VolumeID:s FSType=fsType:s ReadOnly:b',
  PreferredSchedulingTerm: 'Weight:i Preference:o:NodeSelectorTerm',
  Probe:
    'Exec:n:ExecAction HTTPGet=httpGet:n:HTTPGetAction TCPSocket=tcpSocket:n:TCPSocketAction GRPC=grpc:n:GRPCAction InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds',
  ProjectedVolumeSource: 'Sources:n:VolumeProjection DefaultMode',
  QuobyteVolumeSource: 'Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s',
  RBDPersistentVolumeSource:
    'CephMonitors=monitors RBDImage=image:s FSType=fsType:s RBDPool=pool:s RadosUser=user:s Keyring:s SecretRef:n:SecretReference ReadOnly:b',
  RBDVolumeSource:
    'CephMonitors=monitors RBDImage=image:s FSType=fsType:s RBDPool=pool:s RadosUser=user:s Keyring:s SecretRef:n:LocalObjectReference ReadOnly:b',
  ResourceClaim: 'Name:s Request:s',
  ResourceFieldSelector: 'ContainerName:s Resource:s Divisor:q',
  ResourceRequirements: 'Limits Requests Claims:n:ResourceClaim',
  RoleRef: 'APIGroup=apiGroup:s Kind:s Name:s',
  RollingUpdateDaemonSet: 'MaxUnavailable:i MaxSurge:i',
  RollingUpdateDeployment: 'MaxUnavailable:i MaxSurge:i',
  RollingUpdateStatefulSetStrategy: 'Partition:i MaxUnavailable',
  SELinuxOptions: 'User:s Role:s Type:s Level:s',
  ScaleIOPersistentVolumeSource:
    'Gateway:s System:s SecretRef:n:SecretReference SSLEnabled=sslEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType=fsType:s ReadOnly:b',
  ScaleIOVolumeSource:
    'Gateway:s System:s SecretRef:n:LocalObjectReference SSLEnabled=sslEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType=fsType:s ReadOnly:b',
  ScopeSelector: 'MatchExpressions:n:ScopedResourceSelectorRequirement',
  ScopedResourceSelectorRequirement: 'ScopeName:s Operator:s Values',
  SeccompProfile: 'Type:s LocalhostProfile',
  SecretEnvSource: 'Name:s Optional',
  SecretKeySelector: 'Name:s Key:s Optional',
  SecretProjection: 'Name:s Items:n:KeyToPath Optional',
  SecretReference: 'Name:s Namespace:s',
  SecretVolumeSource: 'SecretName:s Items:n:KeyToPath DefaultMode Optional',
  SecurityContext:
    'Capabilities:n:Capabilities Privileged SELinuxOptions=seLinuxOptions:n:SELinuxOptions WindowsOptions:n:WindowsSecurityContextOptions RunAsUser RunAsGroup RunAsNonRoot ReadOnlyRootFilesystem AllowPrivilegeEscalation ProcMount SeccompProfile:n:SeccompProfile AppArmorProfile:n:AppArmorProfile',
  ServiceAccountTokenProjection: 'Audience:s ExpirationSeconds Path:s',
  ServiceCIDRSpec: 'CIDRs=cidrs',
  ServicePort: 'Name:s Protocol:s AppProtocol Port:i TargetPort:i NodePort:i',
  SleepAction: 'Seconds:i',
  StatefulSetUpdateStrategy: 'Type:s RollingUpdate:n:RollingUpdateStatefulSetStrategy',
  StorageOSPersistentVolumeSource:
    'VolumeName:s VolumeNamespace:s FSType=fsType:s ReadOnly:b SecretRef:n:ObjectReference',
  StorageOSVolumeSource:
    'VolumeName:s VolumeNamespace:s FSType=fsType:s ReadOnly:b SecretRef:n:LocalObjectReference',
  SuccessPolicy: 'Rules:n:SuccessPolicyRule',
  SuccessPolicyRule: 'SucceededIndexes SucceededCount',
  Sysctl: 'Name:s Value:s',
  TCPSocketAction: 'Port:i Host:s',
  Taint: 'Key:s Value:s Effect:s TimeAdded',
  Toleration: 'Key:s Operator:s Value:s Effect:s TolerationSeconds',
  TopologySpreadConstraint:
    'MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:n:LabelSelector MinDomains NodeAffinityPolicy NodeTaintsPolicy MatchLabelKeys',
  TypedLocalObjectReference: 'APIGroup=apiGroup Kind:s Name:s',
  TypedObjectReference: 'APIGroup=apiGroup Kind:s Name:s Namespace',
  UncountedTerminatedPods: 'Succeeded Failed',
  Volume:
    'Name:s HostPath:n:HostPathVolumeSource EmptyDir:n:EmptyDirVolumeSource GCEPersistentDisk=gcePersistentDisk:n:GCEPersistentDiskVolumeSource AWSElasticBlockStore=awsElasticBlockStore:n:AWSElasticBlockStoreVolumeSource GitRepo:n:GitRepoVolumeSource Secret:n:SecretVolumeSource NFS=nfs:n:NFSVolumeSource ISCSI=iscsi:n:ISCSIVolumeSource Glusterfs:n:GlusterfsVolumeSource PersistentVolumeClaim:n:PersistentVolumeClaimVolumeSource RBD=rbd:n:RBDVolumeSource Quobyte:n:QuobyteVolumeSource FlexVolume:n:FlexVolumeSource Cinder:n:CinderVolumeSource CephFS=cephfs:n:CephFSVolumeSource Flocker:n:FlockerVolumeSource DownwardAPI:n:DownwardAPIVolumeSource FC=fc:n:FCVolumeSource AzureFile:n:AzureFileVolumeSource ConfigMap:n:ConfigMapVolumeSource VsphereVolume:n:VsphereVirtualDiskVolumeSource AzureDisk:n:AzureDiskVolumeSource PhotonPersistentDisk:n:PhotonPersistentDiskVolumeSource Projected:n:ProjectedVolumeSource PortworxVolume:n:PortworxVolumeSource ScaleIO:n:ScaleIOVolumeSource StorageOS=storageos:n:StorageOSVolumeSource CSI=csi:n:CSIVolumeSource Ephemeral:n:EphemeralVolumeSource Image:n:ImageVolumeSource',
  VolumeAttachmentSource: 'PersistentVolumeName InlineVolumeSpec:n:PersistentVolumeSpec',
  VolumeAttachmentSpec: 'Attacher:s Source:o:VolumeAttachmentSource NodeName:s',
  VolumeDevice: 'Name:s DevicePath:s',
  VolumeMount:
    'Name:s ReadOnly:b RecursiveReadOnly MountPath:s SubPath:s MountPropagation SubPathExpr:s',
  VolumeNodeAffinity: 'Required:n:NodeSelector',
  VolumeNodeResources: 'Count',
  VolumeProjection:
    'Secret:n:SecretProjection DownwardAPI:n:DownwardAPIProjection ConfigMap:n:ConfigMapProjection ServiceAccountToken:n:ServiceAccountTokenProjection ClusterTrustBundle:n:ClusterTrustBundleProjection PodCertificate:n:PodCertificateProjection',
  VolumeResourceRequirements: 'Limits Requests',
  VsphereVirtualDiskVolumeSource:
    'VolumePath:s FSType=fsType:s StoragePolicyName:s StoragePolicyID:s',
  WeightedPodAffinityTerm: 'Weight:i PodAffinityTerm:o:PodAffinityTerm',
  WindowsSecurityContextOptions:
    'GMSACredentialSpecName=gmsaCredentialSpecName GMSACredentialSpec=gmsaCredentialSpec RunAsUserName HostProcess',
} as const satisfies Readonly<Record<string, string>>
