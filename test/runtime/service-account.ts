import type { PolicyRule } from 'setpoint'
import type { Client } from 'setpoint/client'
import { ClusterRole, ClusterRoleBinding, ServiceAccount } from 'setpoint/kinds'

/** The service account. */
export interface AccountName {
  readonly name: string
  readonly namespace: string
}

/** Creates a service account with exactly these rules; with all permissions without rules. */
export async function createAccount(
  client: Client,
  { name, namespace }: AccountName,
  rules?: readonly PolicyRule[],
): Promise<void> {
  await client.create(ServiceAccount, { metadata: { name, namespace } })
  const role = rules === undefined ? 'cluster-admin' : `${namespace}-${name}`
  if (rules !== undefined) {
    await client.create(ClusterRole, { metadata: { name: role }, rules })
  }
  await client.create(ClusterRoleBinding, {
    metadata: { name: `${namespace}-${name}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  })
}

/** Removes the roles of an account; the account itself is deleted with its namespace. */
export async function removeAccount(
  client: Client,
  { name, namespace }: AccountName,
): Promise<void> {
  for (const kind of [ClusterRoleBinding, ClusterRole]) {
    await client.delete(kind, `${namespace}-${name}`)
  }
}

/** Long enough for tests that let hours pass. */
const expirationSeconds = 30 * 24 * 3600

/** A new token of an account. */
export async function tokenOf(client: Client, { name, namespace }: AccountName): Promise<string> {
  const answer = await client.transport.text({
    method: 'POST',
    path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds },
    }),
    what: `token of ${name}`,
  })
  const { status } = JSON.parse(answer) as { readonly status: { readonly token: string } }
  return status.token
}
