import { ApiError, forbidden, notFound } from '../status/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import type { ClusterReader } from './cluster-reader.ts'
import { isAbout, refusal, shownName, type Plugin } from './plugin.ts'

const undeletable = new Set(['default', 'kube-system', 'kube-public'])

/**
 * Refuses creates in namespaces that are missing or terminating, and the deletion of system
 * namespaces.
 */
export function namespaceLifecycle(cluster: ClusterReader): Plugin {
  return {
    name: 'NamespaceLifecycle',
    mutate(attributes) {
      const { operation, resource, namespace, name } = attributes
      if (
        operation === 'DELETE' &&
        isAbout(attributes, '', 'namespaces') &&
        undeletable.has(name)
      ) {
        throw forbidden(
          { group: '', resource: 'namespaces' },
          name,
          'this namespace may not be deleted',
        )
      }
      if (!resource.namespaced || operation !== 'CREATE' || isReview(attributes)) return
      const found = cluster.get('/namespaces', namespace)
      if (found === undefined) throw notFound({ group: '', resource: 'namespaces' }, namespace)
      const { phase } = (found['status'] ?? {}) as { phase?: string }
      if (phase === 'Terminating') throw terminating(attributes)
    },
  }
}

/** Access reviews need no existing namespace. */
function isReview({ resource }: AdmissionAttributes): boolean {
  return resource.group === 'authorization.k8s.io'
}

function terminating(attributes: AdmissionAttributes): ApiError {
  const { resource, namespace } = attributes
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  const { message } = refusal(attributes, why)
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message,
    details: {
      name: shownName(attributes),
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.plural,
      causes: [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    },
  })
}
