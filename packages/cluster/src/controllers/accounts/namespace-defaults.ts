import { operator, type AnyOperator } from 'setpoint'
import { ConfigMap, Namespace, ServiceAccount } from 'setpoint/kinds'
import { controllerOptions } from '../controller-options.ts'
import { ignoreApiError } from '../ignore-api-error.ts'

const accountName = 'default'
const certificateName = 'kube-root-ca.crt'

/** Creates the default ServiceAccount in every namespace. */
export const serviceAccountController: AnyOperator = operator(Namespace, {
  ...controllerOptions,
  name: 'serviceaccount-controller',
})
  .watch(ServiceAccount, ({ metadata }) =>
    metadata.name === accountName ? [metadata.namespace] : [],
  )
  .reconcile(async ({ metadata: { name: namespace }, status }, ctx) => {
    if (status?.phase !== 'Active') return
    if (ctx.get(ServiceAccount, `${namespace}/${accountName}`) !== undefined) return
    const manifest = { metadata: { name: accountName, namespace } }
    await ignoreApiError(
      ctx.client.create(ServiceAccount, manifest, { fieldManager: 'kube-controller-manager' }),
      'API_ALREADY_EXISTS',
    )
  })

/** Publishes the cluster's CA certificate in every namespace, and restores it after changes. */
export function rootCertificateController(caCert: string): AnyOperator {
  const data = { 'ca.crt': caCert }
  return operator(Namespace, {
    ...controllerOptions,
    name: 'root-ca-certificate-publisher-controller',
  })
    .watch(ConfigMap, ({ metadata }) =>
      metadata.name === certificateName ? [metadata.namespace] : [],
    )
    .writes(ConfigMap)
    .reconcile(async ({ metadata: { name: namespace }, status }, ctx) => {
      if (status?.phase !== 'Active') return
      const known = ctx.get(ConfigMap, `${namespace}/${certificateName}`)
      const description =
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'
      if (known === undefined) {
        const annotations = { 'kubernetes.io/description': description }
        const manifest = { metadata: { name: certificateName, namespace, annotations }, data }
        await ignoreApiError(
          ctx.client.create(ConfigMap, manifest, { fieldManager: 'kube-controller-manager' }),
          'API_ALREADY_EXISTS',
        )
      } else if (JSON.stringify(known.data) !== JSON.stringify(data)) {
        const json = [{ op: 'add', path: '/data', value: data } as const]
        await ctx.patch(ConfigMap, known, { json })
      }
    })
}
