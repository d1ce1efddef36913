import type { Random } from 'setpoint/host'
import type { JsonObject } from 'setpoint/schema'
import { metadataOf, randomSuffix } from '../../object/index.ts'
import type { ClusterReader } from '../cluster-reader.ts'
import { isAbout, lookupProblem, refusal, type Plugin } from '../plugin.ts'

interface Container {
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[]
}

interface PodSpec {
  serviceAccountName?: string
  serviceAccount?: string
  automountServiceAccountToken?: boolean
  imagePullSecrets?: { name: string }[]
  volumes?: { name?: string }[]
  containers?: Container[]
  initContainers?: Container[]
}

interface ServiceAccount {
  automountServiceAccountToken?: boolean
  imagePullSecrets?: { name: string }[]
}

const volumePrefix = 'kube-api-access-'
const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Sets the service account of a pod, and mounts its token. */
export function serviceAccount(cluster: ClusterReader, host: Random): Plugin {
  return {
    name: 'ServiceAccount',
    mutate(attributes) {
      if (attributes.operation !== 'CREATE' || !isAbout(attributes, '', 'pods')) return
      const { object, namespace } = attributes
      if (metadataOf(object).annotations?.['kubernetes.io/config.mirror'] !== undefined) return
      const spec = object['spec'] as unknown as PodSpec
      spec.serviceAccountName ||= 'default'
      spec.serviceAccount = spec.serviceAccountName
      const name = spec.serviceAccountName
      const found = cluster.get('/serviceaccounts', `${namespace}/${name}`)
      if (found === undefined) {
        const why = lookupProblem(name) ?? `serviceaccount "${name}" not found`
        throw refusal(attributes, `error looking up service account ${namespace}/${name}: ${why}`)
      }
      const account = found as unknown as ServiceAccount
      if ((spec.imagePullSecrets ?? []).length === 0 && account.imagePullSecrets !== undefined) {
        spec.imagePullSecrets = account.imagePullSecrets.map((secret) => ({ ...secret }))
      }
      const mounts =
        spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true
      if (mounts) mountToken(spec, host)
    },
  }
}

function mountToken(spec: PodSpec, host: Random): void {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])]
  const needing = containers.filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === tokenPath),
  )
  if (needing.length === 0) return
  // A copy of another pod's manifest already has the volume.
  const known = spec.volumes?.find((volume) => volume.name?.startsWith(volumePrefix))
  const name = known?.name ?? `${volumePrefix}${randomSuffix(host)}`
  for (const container of needing) {
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name, readOnly: true, mountPath: tokenPath },
    ]
  }
  if (known === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)]
}

/** A little more than an hour, so that the kubelet renews the token before it expires. */
const tokenSeconds = 3607

function tokenVolume(name: string): { name: string; projected: JsonObject } {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [
              {
                path: 'namespace',
                fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
              },
            ],
          },
        },
      ],
      defaultMode: 420,
    },
  }
}
