import type { JsonObject } from 'setpoint/schema'
import type { AdmissionAttributes } from '../../admission/index.ts'
import { formatTime, nameOf, namespaceOf } from '../../object/index.ts'
import type { ApiRequest } from '../api-request.ts'
import type { ServedResource, WriteOrigin } from '../resources/served-resource.ts'

/** A write as admission plugins see it. */
export function admissionAttributes(
  request: ApiRequest,
  resource: ServedResource,
  write: {
    readonly operation: AdmissionAttributes['operation']
    readonly object: JsonObject
    readonly old?: JsonObject
    readonly isDryRun: boolean
  },
): AdmissionAttributes {
  const { object } = write
  return {
    ...write,
    old: write.old,
    resource,
    subresource: request.info.subresource,
    namespace: namespaceOf(object),
    name: nameOf(object),
    user: request.user,
    warn: (text) => request.warnings.add(text),
  }
}

/** The time and the user of a request. */
export function originOf({ server, user, warnings }: ApiRequest): WriteOrigin {
  return { now: formatTime(server.host.now()), user, warn: (text) => warnings.add(text) }
}
