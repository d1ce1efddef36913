import type { JsonObject } from 'setpoint/schema'
import { managedLabel } from '../../api/index.ts'
import { localAvailability } from './api-service-availability.ts'

/** A served version of custom resources. */
export interface ServedGroupVersion {
  readonly group: string
  readonly version: string
}

/** The labels of an APIService that is deleted when its version is no longer served. */
export const managedLabels = { [managedLabel]: 'true' } as const

/** The APIService that a real server creates for a version of custom resources. */
export function automanagedService(
  { group, version }: ServedGroupVersion,
  { uid, time }: { readonly uid: string; readonly time: string },
): JsonObject {
  return {
    metadata: {
      name: `${version}.${group}`,
      uid,
      resourceVersion: '',
      creationTimestamp: time,
      labels: { ...managedLabels },
      managedFields: [
        {
          manager: 'kube-apiserver',
          operation: 'Update',
          apiVersion: 'apiregistration.k8s.io/v1',
          time,
          fieldsType: 'FieldsV1',
          fieldsV1: {
            'f:metadata': { 'f:labels': { '.': {}, [`f:${managedLabel}`]: {} } },
            'f:spec': {
              'f:group': {},
              'f:groupPriorityMinimum': {},
              'f:version': {},
              'f:versionPriority': {},
            },
          },
        },
      ],
    },
    spec: { group, version, groupPriorityMinimum: 1000, versionPriority: 100 },
    status: {
      conditions: [
        {
          type: localAvailability.type,
          status: localAvailability.status,
          lastTransitionTime: time,
          reason: localAvailability.reason,
          message: localAvailability.message,
        },
      ],
    },
  }
}
