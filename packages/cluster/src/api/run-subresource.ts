import { unknownResource } from '../status/index.ts'
import type { ApiRequest } from './api-request.ts'
import type { Outcome } from './outcome.ts'
import type { ServedResource } from './resources/served-resource.ts'
import { admitConnection } from './subresources/admit-subresource.ts'
import { bindPod } from './subresources/bindings.ts'
import { evictPod } from './subresources/evictions.ts'
import { respondWithoutNode } from './subresources/respond-without-node.ts'
import { podExec } from './subresources/pod-exec.ts'
import { checkLogOptions, podLog } from './subresources/pod-log.ts'
import { requestToken } from './subresources/tokens.ts'
import { getObject } from './verbs/get.ts'
import { patchObject } from './verbs/patch/patch.ts'
import { updateObject } from './verbs/update.ts'

/** The subresources of built-in kinds other than `status` and `scale`. */
export async function runSubresource(
  request: ApiRequest,
  resource: ServedResource,
): Promise<Outcome> {
  const { subresource, verb } = request.info
  await admitConnection(request, resource)
  switch (`${resource.plural}/${subresource}`) {
    case 'pods/binding':
      return { answer: await bindPod(request, resource) }
    case 'pods/eviction':
      return { answer: await evictPod(request, resource) }
    case 'serviceaccounts/token':
      return { answer: await requestToken(request, resource) }
    case 'namespaces/finalize':
    case 'pods/ephemeralcontainers':
    case 'pods/resize':
    case 'certificatesigningrequests/approval':
      if (verb === 'get') return { answer: await getObject(request, resource) }
      if (verb === 'patch') return { answer: await patchObject(request, resource) }
      return { answer: await updateObject(request, resource) }
    case 'pods/log': {
      checkLogOptions(request.info)
      const { pods } = request.server
      return pods === undefined
        ? respondWithoutNode(request, resource)
        : podLog(request, resource, pods)
    }
    case 'pods/exec':
    case 'pods/attach': {
      const { pods } = request.server
      return pods === undefined
        ? respondWithoutNode(request, resource)
        : podExec(request, resource, pods)
    }
    case 'pods/portforward':
    case 'pods/proxy':
    case 'services/proxy':
    case 'nodes/proxy':
      return respondWithoutNode(request, resource)
    default:
      throw unknownResource()
  }
}
