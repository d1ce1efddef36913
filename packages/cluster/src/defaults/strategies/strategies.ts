import { allMetadata } from './all-metadata.ts'
import { certificateSigningRequestStrategy } from './certificate-signing-request-strategy.ts'
import { daemonSetStrategy } from './daemon-set-strategy.ts'
import { jobStrategy } from './job-strategy.ts'
import { persistentVolumeClaimStrategy } from './persistent-volume-claim-strategy.ts'
import { podStrategy } from './pod-strategy.ts'
import type { Strategy } from './strategy.ts'
import { serviceStrategy } from './service-strategy.ts'
import {
  apiServiceStrategy,
  customResourceDefinitionStrategy,
  endpointSliceStrategy,
  namespaceStrategy,
  nodeStrategy,
  persistentVolumeStrategy,
  secretStrategy,
  stampTaints,
  serviceAccountStrategy,
  limitRangeStrategy,
} from './small-kind-strategies.ts'

const status: Strategy = { status: 'wiped' }
const specGeneration: Strategy = { startsGeneration: true, generationOf: [['spec']] }
const statusAndGeneration: Strategy = { ...status, ...specGeneration }
const strictStatus: Strategy = { ...status, metadataKeptByStatus: allMetadata }
const webhooks: Strategy = {
  startsGeneration: true,
  generationOf: [['webhooks']],
  comparesStrictly: true,
}

/** By `group/kind`; the core group is empty. Kinds without an entry are stored as they are. */
export const strategies: ReadonlyMap<string, Strategy> = new Map(
  Object.entries<Strategy>({
    '/Pod': podStrategy,
    '/PodTemplate': { startsGeneration: true, generationOf: [['template']] },
    '/ReplicationController': statusAndGeneration,
    '/Service': serviceStrategy,
    '/ServiceAccount': serviceAccountStrategy,
    '/Secret': secretStrategy,
    '/Namespace': namespaceStrategy,
    '/Node': nodeStrategy,
    '/PersistentVolume': persistentVolumeStrategy,
    '/PersistentVolumeClaim': persistentVolumeClaimStrategy,
    '/LimitRange': limitRangeStrategy,
    '/ResourceQuota': status,
    'apps/Deployment': {
      ...statusAndGeneration,
      // Annotations count because the controller copies them to replica sets.
      generationOf: [['spec'], ['metadata', 'annotations']],
      metadataKeptByStatus: ['labels'],
    },
    'apps/ReplicaSet': statusAndGeneration,
    'apps/StatefulSet': statusAndGeneration,
    'apps/DaemonSet': daemonSetStrategy,
    'batch/Job': jobStrategy,
    'batch/CronJob': statusAndGeneration,
    'autoscaling/HorizontalPodAutoscaler': status,
    'policy/PodDisruptionBudget': statusAndGeneration,
    'networking.k8s.io/Ingress': statusAndGeneration,
    'networking.k8s.io/IngressClass': specGeneration,
    'networking.k8s.io/NetworkPolicy': { ...specGeneration, comparesStrictly: true },
    'networking.k8s.io/ServiceCIDR': strictStatus,
    'discovery.k8s.io/EndpointSlice': endpointSliceStrategy,
    'scheduling.k8s.io/PriorityClass': { startsGeneration: true },
    'storage.k8s.io/CSIDriver': { generationOf: [['spec']] },
    'storage.k8s.io/VolumeAttachment': strictStatus,
    'resource.k8s.io/DeviceClass': specGeneration,
    'resource.k8s.io/ResourceSlice': {
      countsDisabledFields: true,
      ...specGeneration,
      onCreate: stampTaints,
      onUpdate: stampTaints,
    },
    'resource.k8s.io/ResourceClaim': strictStatus,
    'flowcontrol.apiserver.k8s.io/FlowSchema': {
      ...statusAndGeneration,
      metadataKeptByStatus: allMetadata,
    },
    'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': {
      ...statusAndGeneration,
      metadataKeptByStatus: allMetadata,
    },
    'certificates.k8s.io/CertificateSigningRequest': certificateSigningRequestStrategy,
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks,
    'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks,
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy': {
      ...statusAndGeneration,
      metadataKeptByStatus: allMetadata,
    },
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': specGeneration,
    'admissionregistration.k8s.io/MutatingAdmissionPolicy': specGeneration,
    'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': specGeneration,
    'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionStrategy,
    'apiregistration.k8s.io/APIService': apiServiceStrategy,
  }),
)
