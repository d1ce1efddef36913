import { authorizerType, resourceCheckType } from '../library/authorizer.ts'
import { type CelType, celTypes, listType, mapType, objectType } from '../types/cel-type.ts'

const { string, dyn, bool, int, timestamp } = celTypes

const objectTypes: CelType[] = []

function declared(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  const type = objectType(`kubernetes.${name}`, new Map(Object.entries(fields)))
  objectTypes.push(type)
  return type
}

const kindType = declared('GroupVersionKind', { group: string, version: string, kind: string })
const resourceType = declared('GroupVersionResource', {
  group: string,
  version: string,
  resource: string,
})
const userType = declared('UserInfo', {
  username: string,
  uid: string,
  groups: listType(string),
  extra: mapType(string, listType(string)),
})
const requestType = declared('AdmissionRequest', {
  kind: kindType,
  resource: resourceType,
  subResource: string,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: userType,
  dryRun: bool,
  options: dyn,
})
const namespaceType = declared('Namespace', {
  metadata: declared('NamespaceMetadata', {
    name: string,
    generateName: string,
    namespace: string,
    labels: mapType(string, string),
    annotations: mapType(string, string),
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: listType(string),
  }),
  spec: declared('NamespaceSpec', { finalizers: listType(string) }),
  status: declared('NamespaceStatus', {
    conditions: listType(
      declared('NamespaceCondition', {
        status: string,
        type: string,
        lastTransitionTime: timestamp,
        message: string,
        reason: string,
      }),
    ),
    phase: string,
  }),
})

/** The object types of the variables below, by name. */
export const admissionObjectTypes: ReadonlyMap<string, CelType> = new Map(
  objectTypes.map((type) => [type.name, type]),
)

/** The variables of every expression of admission. */
export const commonVariables = {
  object: dyn,
  oldObject: dyn,
  request: requestType,
  namespaceObject: namespaceType,
} as const

/** The variables of expressions that may check permissions. */
export const authorizerVariables = {
  authorizer: authorizerType,
  'authorizer.requestResource': resourceCheckType,
} as const
