import {
  type Authorizer as CelAuthorizer,
  authorizerValue,
  plainValue,
  type Program,
  resourceCheckValue,
} from 'setpoint/cel'
import type { JsonObject } from 'setpoint/schema'
import type { Authorizer, UserInfo } from '../auth/index.ts'
import type { AdmissionAttributes } from './admission.ts'
import { describedRequest } from './webhooks/admission-review.ts'
import type { Invocation } from './webhooks/invocation.ts'

/** The values of variables, by name. */
export type ExpressionBindings = Parameters<Program['evaluate']>[0]

/** The values of the variables that every expression of admission can use. */
export function expressionBindings(
  { attributes, invocation }: { attributes: AdmissionAttributes; invocation: Invocation },
  authorizer: Authorizer,
  namespaceObject?: JsonObject,
): ExpressionBindings {
  const { object, old, namespace } = invocation.write
  const { name, subresource, resource } = attributes
  const check = checkOf(attributes, authorizer)
  const checked = { group: resource.group, resource: resource.plural, subresource, namespace, name }
  return {
    object: plainValue(object ?? null),
    oldObject: plainValue(old ?? null),
    request: plainValue(describedRequest(attributes, invocation)),
    namespaceObject: plainValue(namespaceObject ?? null),
    authorizer: authorizerValue(check),
    'authorizer.requestResource': resourceCheckValue(check, {
      ...checked,
      fieldSelector: '',
      labelSelector: '',
    }),
  }
}

/** Asks the authorizer of the server, for the user of the request or a service account. */
function checkOf({ user }: AdmissionAttributes, authorizer: Authorizer): CelAuthorizer {
  return ({ verb, serviceAccount, path = '', resource }) => {
    const subject = serviceAccount === undefined ? user : serviceAccountUser(serviceAccount)
    return authorizer.authorize({
      user: subject,
      verb,
      isResource: resource !== undefined,
      group: resource?.group ?? '',
      version: '*',
      resource: resource?.resource ?? '',
      subresource: resource?.subresource ?? '',
      namespace: resource?.namespace ?? '',
      name: resource?.name ?? '',
      path,
    })
  }
}

function serviceAccountUser({ namespace, name }: { namespace: string; name: string }): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: [
      'system:serviceaccounts',
      `system:serviceaccounts:${namespace}`,
      'system:authenticated',
    ],
  }
}
