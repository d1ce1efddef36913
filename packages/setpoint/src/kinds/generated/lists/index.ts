// Written by scripts/generate-kinds from Kubernetes 1.36.3; edits are lost. Run `npm run generate:kinds`.

import type { ListTable } from '../../list-table.ts'
import { listTables as admissionregistrationV1 } from './admissionregistration-v1.ts'
import { listTables as apiextensionsV1 } from './apiextensions-v1.ts'
import { listTables as apiregistrationV1 } from './apiregistration-v1.ts'
import { listTables as appsV1 } from './apps-v1.ts'
import { listTables as autoscalingV2 } from './autoscaling-v2.ts'
import { listTables as batchV1 } from './batch-v1.ts'
import { listTables as certificatesV1 } from './certificates-v1.ts'
import { listTables as coreV1 } from './core-v1.ts'
import { listTables as flowcontrolV1 } from './flowcontrol-v1.ts'
import { listTables as networkingV1 } from './networking-v1.ts'
import { listTables as nodeV1 } from './node-v1.ts'
import { listTables as policyV1 } from './policy-v1.ts'
import { listTables as resourceV1 } from './resource-v1.ts'
import { listTables as storageV1 } from './storage-v1.ts'

/** Tables by apiVersion, then by kind. */
export const listTablesByApiVersion: Readonly<
  Record<string, Readonly<Record<string, ListTable>>>
> = {
  'admissionregistration.k8s.io/v1': admissionregistrationV1,
  'apiextensions.k8s.io/v1': apiextensionsV1,
  'apiregistration.k8s.io/v1': apiregistrationV1,
  'apps/v1': appsV1,
  'autoscaling/v2': autoscalingV2,
  'batch/v1': batchV1,
  'certificates.k8s.io/v1': certificatesV1,
  v1: coreV1,
  'flowcontrol.apiserver.k8s.io/v1': flowcontrolV1,
  'networking.k8s.io/v1': networkingV1,
  'node.k8s.io/v1': nodeV1,
  'policy/v1': policyV1,
  'resource.k8s.io/v1': resourceV1,
  'storage.k8s.io/v1': storageV1,
}
