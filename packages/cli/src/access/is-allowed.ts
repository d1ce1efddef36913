import type { Client } from 'setpoint/client'
import { SelfSubjectAccessReview, SubjectAccessReview } from 'setpoint/kinds'

/** One verb on one resource. */
export interface Permission {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly verb: string
  /** The name of one object; undefined for all objects. */
  readonly name: string | undefined
  readonly namespace: string | undefined
}

/** Whether a user has a permission; without a user, the user of the kubeconfig. */
export async function isAllowed(
  client: Client,
  permission: Permission,
  user?: string,
): Promise<boolean> {
  const { name, namespace, ...attributes } = permission
  const resourceAttributes = {
    ...attributes,
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
  }
  const review =
    user === undefined
      ? await client.create(SelfSubjectAccessReview, { spec: { resourceAttributes } })
      : await client.create(SubjectAccessReview, {
          spec: { resourceAttributes, user, groups: groupsOf(user) },
        })
  return review.status?.allowed === true
}

/** The groups that the server adds to service accounts. */
function groupsOf(user: string): string[] {
  const namespace = /^system:serviceaccount:([^:]+):/.exec(user)?.[1]
  const own =
    namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`]
  return [...own, 'system:authenticated']
}
