import type { JsonObject } from 'setpoint/schema'
import type { Clock, Random } from 'setpoint/host'
import { storedText } from '../../api/index.ts'
import { formatTime } from '../../object/index.ts'
import { frontProxyName } from '../../outbound/index.ts'
import type { Store } from '../../store/index.ts'

interface AuthenticationContext {
  readonly host: Clock & Random
  readonly store: Store
  /** The authority of client certificates. */
  readonly clientCa: string
  /** The authority of the certificate that the server shows to aggregated APIs. */
  readonly frontProxyCa: string
}

const bucket = '/configmaps'
const key = 'kube-system/extension-apiserver-authentication'

/**
 * Publishes how aggregated servers recognise clients and this server, as a real server does at each
 * start. The ConfigMap is changed only if something differs.
 */
export function publishAuthentication(context: AuthenticationContext): void {
  const { host, store } = context
  const data = authenticationData(context)
  const stored = store.get(bucket, key)
  const before =
    stored && (JSON.parse(`{${stored.text}`) as { metadata: JsonObject; data?: JsonObject })
  const isCurrent = Object.entries(data).every(([name, value]) => before?.data?.[name] === value)
  if (isCurrent) return
  const time = formatTime(host.now())
  const fields = ['.', ...Object.keys(data).map((name) => `f:${name}`)]
  const object: JsonObject = {
    metadata: {
      name: 'extension-apiserver-authentication',
      namespace: 'kube-system',
      uid: host.uuid(),
      resourceVersion: '',
      creationTimestamp: time,
      ...before?.metadata,
      managedFields: [
        {
          manager: 'kube-apiserver',
          operation: 'Update',
          apiVersion: 'v1',
          time,
          fieldsType: 'FieldsV1',
          fieldsV1: { 'f:data': Object.fromEntries(fields.map((name) => [name, {}])) },
        },
      ],
    },
    data: { ...before?.data, ...data },
  }
  store.put({
    bucket,
    key,
    expected: stored?.revision ?? 0,
    schemaTag: stored?.schemaTag ?? '',
    labels: stored?.labels,
    serialise: (revision) => storedText(object, revision),
  })
}

function authenticationData({ clientCa, frontProxyCa }: AuthenticationContext): JsonObject {
  return {
    'client-ca-file': clientCa,
    'requestheader-allowed-names': JSON.stringify([frontProxyName]),
    'requestheader-client-ca-file': frontProxyCa,
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-username-headers': '["X-Remote-User"]',
  }
}
