import { allMetadata } from './all-metadata.ts'
import { certificateSigningRequestPreparation } from './certificate-signing-request-preparation.ts'
import { daemonSetPreparation } from './daemon-set-preparation.ts'
import { jobPreparation } from './job-preparation.ts'
import { persistentVolumeClaimPreparation } from './persistent-volume-claim-preparation.ts'
import { podPreparation } from './pod-preparation.ts'
import type { Preparation } from './preparation.ts'
import { servicePreparation } from './service-preparation.ts'
import {
  apiServicePreparation,
  customResourceDefinitionPreparation,
  endpointSlicePreparation,
  namespacePreparation,
  persistentVolumePreparation,
  secretPreparation,
  serviceAccountPreparation,
  limitRangePreparation,
} from './small-kind-preparations.ts'

const status: Preparation = { status: 'wiped' }
const specGeneration: Preparation = { startsGeneration: true, generationOf: [['spec']] }
const statusAndGeneration: Preparation = { ...status, ...specGeneration }
const strictStatus: Preparation = { ...status, metadataKeptByStatus: allMetadata }
const webhooks: Preparation = { startsGeneration: true, generationOf: [['webhooks']] }

/** By `group/kind`; the core group is empty. Kinds without an entry are stored as they are. */
export const preparations: ReadonlyMap<string, Preparation> = new Map(
  Object.entries<Preparation>({
    '/Pod': podPreparation,
    '/PodTemplate': { startsGeneration: true, generationOf: [['template']] },
    '/ReplicationController': statusAndGeneration,
    '/Service': servicePreparation,
    '/ServiceAccount': serviceAccountPreparation,
    '/Secret': secretPreparation,
    '/Namespace': namespacePreparation,
    '/Node': { status: 'kept' },
    '/PersistentVolume': persistentVolumePreparation,
    '/PersistentVolumeClaim': persistentVolumeClaimPreparation,
    '/LimitRange': limitRangePreparation,
    '/ResourceQuota': status,
    'apps/Deployment': {
      ...statusAndGeneration,
      // Annotations count because the controller copies them to replica sets.
      generationOf: [['spec'], ['metadata', 'annotations']],
      metadataKeptByStatus: ['labels'],
    },
    'apps/ReplicaSet': statusAndGeneration,
    'apps/StatefulSet': statusAndGeneration,
    'apps/DaemonSet': daemonSetPreparation,
    'batch/Job': jobPreparation,
    'batch/CronJob': statusAndGeneration,
    'autoscaling/HorizontalPodAutoscaler': status,
    'policy/PodDisruptionBudget': statusAndGeneration,
    'networking.k8s.io/Ingress': statusAndGeneration,
    'networking.k8s.io/IngressClass': specGeneration,
    'networking.k8s.io/NetworkPolicy': specGeneration,
    'networking.k8s.io/ServiceCIDR': strictStatus,
    'discovery.k8s.io/EndpointSlice': endpointSlicePreparation,
    'scheduling.k8s.io/PriorityClass': { startsGeneration: true },
    'storage.k8s.io/CSIDriver': { generationOf: [['spec']] },
    'storage.k8s.io/VolumeAttachment': strictStatus,
    'resource.k8s.io/DeviceClass': specGeneration,
    'resource.k8s.io/ResourceSlice': specGeneration,
    'resource.k8s.io/ResourceClaim': strictStatus,
    'flowcontrol.apiserver.k8s.io/FlowSchema': {
      ...statusAndGeneration,
      metadataKeptByStatus: allMetadata,
    },
    'flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration': {
      ...statusAndGeneration,
      metadataKeptByStatus: allMetadata,
    },
    'certificates.k8s.io/CertificateSigningRequest': certificateSigningRequestPreparation,
    'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhooks,
    'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhooks,
    'admissionregistration.k8s.io/ValidatingAdmissionPolicy': {
      ...statusAndGeneration,
      metadataKeptByStatus: allMetadata,
    },
    'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': specGeneration,
    'admissionregistration.k8s.io/MutatingAdmissionPolicy': specGeneration,
    'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': specGeneration,
    'apiextensions.k8s.io/CustomResourceDefinition': customResourceDefinitionPreparation,
    'apiregistration.k8s.io/APIService': apiServicePreparation,
  }),
)
