import type { Frozen } from 'setpoint'
import type { Service } from 'setpoint/kinds'
import type { SourceLookup } from '../missing-sources.ts'

/** The objects of the pod's namespace that it can use. */
export interface PodSources extends SourceLookup {
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

/** The values of a ConfigMap by key. One that is missing has none. */
export function configMapValues(
  sources: PodSources,
  { name = '' }: { readonly name?: string },
): Readonly<Record<string, Uint8Array>> {
  const found = sources.configMap(name)
  if (found === undefined) return {}
  const texts = Object.entries(found.data ?? {}).map(([key, text]) => [key, utf8.encode(text)])
  return { ...(Object.fromEntries(texts) as object), ...decoded(found.binaryData) }
}

/** The values of a ConfigMap that are text: only these can be variables. */
export function configMapTexts(
  sources: PodSources,
  { name = '' }: { readonly name?: string },
): Readonly<Record<string, string>> {
  return sources.configMap(name)?.data ?? {}
}

/** The values of a Secret by key. One that is missing has none. */
export function secretValues(
  sources: PodSources,
  { name = '' }: { readonly name?: string },
): Readonly<Record<string, Uint8Array>> {
  return decoded(sources.secret(name)?.data)
}

const utf8 = new TextEncoder()

function decoded(data: Readonly<Record<string, string>> = {}): Record<string, Uint8Array> {
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, new Uint8Array(Buffer.from(text, 'base64'))]),
  )
}
