import type { Clock, Random } from 'setpoint/host'
import { builtinData } from '../data/index.ts'
import { formatTime } from '../object/index.ts'
import type { Store } from '../store/index.ts'

interface BootContext {
  readonly host: Clock & Random
  readonly store: Store
  /** The certificate of the cluster's CA, which is published in every namespace. */
  readonly caCert: string
  /** Omits the objects of controllers: only the API server runs. */
  readonly isServerAlone: boolean
}

const blank = /"(UID|TIME|REVISION|CERTIFICATE|CLUSTER-IP)"/g

/** Fills an empty store with the objects of a fresh cluster. */
export function createBootObjects({ host, store, caCert, isServerAlone }: BootContext): void {
  const time = formatTime(host.now())
  const valueOf = (name: string, revision: number): string => {
    if (name === 'UID') return host.uuid()
    if (name === 'TIME') return time
    if (name === 'REVISION') return String(revision)
    return name === 'CERTIFICATE' ? caCert : '10.96.0.1'
  }
  for (const { bucket, key, labels, ...texts } of builtinData.freshCluster()) {
    const text = isServerAlone ? (texts.serverAlone ?? texts.text) : texts.text
    if (isServerAlone && texts.serverAlone === null) continue
    store.put({
      bucket,
      key,
      expected: 0,
      schemaTag: '',
      labels,
      serialise: (revision) =>
        text.replace(blank, (_, name: string) => JSON.stringify(valueOf(name, revision))),
    })
  }
}
