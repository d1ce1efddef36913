import type { Frozen } from 'setpoint'
import type { ConfigMap, Secret, Service } from 'setpoint/kinds'

/** The objects of the pod's namespace that it can use. */
export interface PodSources {
  configMap(name: string): Frozen<ConfigMap> | undefined
  secret(name: string): Frozen<Secret> | undefined
  /** The name of the volume that a claim is bound to. */
  volumeOf(claim: string): string | undefined
  services(): readonly Frozen<Service>[]
  /** A token of the pod's service account for an audience; by default for the API server. */
  token(audience: string | undefined): string
  /** The URL of the API for processes. */
  readonly apiUrl: string
}

/** A source of a pod that does not exist. The message is that of a kubelet. */
export class MissingSource extends Error {}

/** The values of a ConfigMap by key; `undefined` if it is optional and missing. */
export function configMapValues(
  sources: PodSources,
  { name = '', optional = false }: { readonly name?: string; readonly optional?: boolean },
): Readonly<Record<string, Uint8Array>> | undefined {
  const found = sources.configMap(name)
  if (found === undefined) return absent(`configmap ${JSON.stringify(name)} not found`, optional)
  const texts = Object.entries(found.data ?? {}).map(([key, text]) => [key, utf8.encode(text)])
  return { ...(Object.fromEntries(texts) as object), ...decoded(found.binaryData) }
}

/** The values of a Secret by key; `undefined` if it is optional and missing. */
export function secretValues(
  sources: PodSources,
  { name = '', optional = false }: { readonly name?: string; readonly optional?: boolean },
): Readonly<Record<string, Uint8Array>> | undefined {
  const found = sources.secret(name)
  if (found === undefined) return absent(`secret ${JSON.stringify(name)} not found`, optional)
  return decoded(found.data)
}

const utf8 = new TextEncoder()

function absent(problem: string, optional: boolean): undefined {
  if (!optional) throw new MissingSource(problem)
}

function decoded(data: Readonly<Record<string, string>> = {}): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, new Uint8Array(Buffer.from(text, 'base64'))]),
  )
}
