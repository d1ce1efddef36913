import type { Client } from 'setpoint/client'
import { ConfigMap, Secret } from 'setpoint/kinds'
import { documentsIn } from './go-yaml.ts'
import type { Spec } from './helm-release.ts'
import { isMap, setLiteral, setValue, type Values } from './set-value.ts'

/** The values of a release, and the texts in them that must not be shown. */
export interface ReleaseValues {
  readonly values: Values
  readonly secrets: readonly string[]
}

/**
 * Reads and merges the values as Flux does: `valuesFrom` in order, then the values of the spec, then
 * the sources with a `targetPath`.
 */
export async function valuesOf(
  spec: Spec,
  client: Client,
  where: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<ReleaseValues> {
  let values: Values = {}
  const secrets: string[] = []
  const later: ((values: Values) => Values)[] = []
  for (const source of spec.valuesFrom) {
    const { kind, name, valuesKey, targetPath, optional, literal } = source
    const data = await dataOf(client, source, where)
    if (data === undefined && optional) continue
    const text = data?.[valuesKey]
    if (text === undefined) {
      const missing = data === undefined ? 'does not exist' : `has no key ${valuesKey}`
      throw new Error(`${kind} ${where.namespace}/${name} ${missing}`)
    }
    if (targetPath === undefined) {
      const part = parsed(text, `${kind} ${name}`)
      values = merged(values, part)
      if (kind === 'Secret') secrets.push(...textsIn(part))
    } else {
      const set = literal ? setLiteral : setValue
      later.push((before) => set(before, targetPath, text))
      if (kind === 'Secret') secrets.push(text)
    }
  }
  const all = later.reduce((before, set) => set(before), merged(values, spec.values))
  return { values: all, secrets }
}

/** The texts of a ConfigMap or Secret by key; `undefined` if it does not exist. */
async function dataOf(
  client: Client,
  { kind, name }: Spec['valuesFrom'][number],
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<Readonly<Record<string, string>> | undefined> {
  const where = { name, namespace }
  if (kind === 'ConfigMap') {
    const found = await client.find(ConfigMap, where, { signal })
    return found === undefined ? undefined : { ...found.data }
  }
  const found = await client.find(Secret, where, { signal })
  if (found === undefined) return undefined
  const entries = Object.entries(found.data ?? {}).map(
    ([key, text]) => [key, Buffer.from(text, 'base64').toString()] as const,
  )
  return Object.fromEntries(entries)
}

function parsed(text: string, from: string): Values {
  let value: unknown
  try {
    const [document] = documentsIn(text)
    value = document ?? {}
  } catch {
    // The error of the parser would show the text, which may be secret.
    throw new Error(`the values of ${from} are not YAML`)
  }
  if (isMap(value)) return value
  throw new Error(`the values of ${from} are not a map`)
}

/** Maps are merged, everything else is replaced. A null removes a default of the chart. */
export function merged(base: Values, over: Values): Values {
  const entries = Object.entries(over).map(([name, value]) => {
    const before = base[name]
    return [name, isMap(before) && isMap(value) ? merged(before, value) : value] as const
  })
  return { ...base, ...Object.fromEntries(entries) }
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (value === null || typeof value !== 'object') return []
  return Object.values(value).flatMap(textsIn)
}

/** Replaces secret texts. Short ones are left: they would replace parts of ordinary words. */
export function redacted(text: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= 4)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}
