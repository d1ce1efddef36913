import { parse } from 'yaml'
import type { Client } from 'setpoint/client'
import { ConfigMap, Secret } from 'setpoint/kinds'
import type { Spec } from './helm-release.ts'

type Values = Readonly<Record<string, unknown>>

/** The values of a release, and the texts in them that must not be shown. */
export interface ReleaseValues {
  readonly values: Values
  readonly secrets: readonly string[]
}

/** Reads and merges the values: `valuesFrom` in order, then the values of the spec. */
export async function valuesOf(
  spec: Spec,
  client: Client,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<ReleaseValues> {
  let values: Values = {}
  const secrets: string[] = []
  for (const source of spec.valuesFrom) {
    const { kind, name, valuesKey, targetPath, optional } = source
    const text = await textOf(client, source, { namespace, signal })
    if (text === undefined && optional) continue
    if (text === undefined) {
      throw new Error(`${kind} ${namespace}/${name} with the key ${valuesKey} does not exist`)
    }
    const part = targetPath === undefined ? parsed(text, `${kind} ${name}`) : at(targetPath, text)
    if (kind === 'Secret') secrets.push(...textsIn(part))
    values = merged(values, part)
  }
  return { values: merged(values, spec.values), secrets }
}

async function textOf(
  client: Client,
  { kind, name, valuesKey }: Spec['valuesFrom'][number],
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const key = { name, namespace }
  if (kind === 'ConfigMap') {
    return (await client.find(ConfigMap, key, { signal }))?.data?.[valuesKey]
  }
  const encoded = (await client.find(Secret, key, { signal }))?.data?.[valuesKey]
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString()
}

function parsed(text: string, from: string): Values {
  let value: unknown
  try {
    value = parse(text) ?? {}
  } catch {
    // The error of the parser would show the text, which may be secret.
    throw new Error(`the values of ${from} are not YAML`)
  }
  if (isMap(value)) return value
  throw new Error(`the values of ${from} are not a map`)
}

/** One value at a path such as `image.tag`. */
function at(path: string, text: string): Values {
  return path.split('.').reduceRight<unknown>((value, name) => ({ [name]: value }), text) as Values
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

function isMap(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
