import type { StructuralSchema } from 'setpoint/schema'

/** Describes a field for consoles that show forms. */
interface Descriptor {
  readonly path: string
  readonly displayName: string
  readonly description?: string
  readonly 'x-descriptors'?: readonly string[]
}

const ui = 'urn:alm:descriptor:com.tectonic.ui:'

/** Deeper fields are edited as YAML. */
const depthMax = 3

/** The descriptors of the fields of `spec` or `status`. */
export function descriptors(
  schema: StructuralSchema | undefined,
  part: 'spec' | 'status',
  at = '',
): Descriptor[] {
  const fields = Object.entries(schema?.properties ?? {})
  return fields.flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`
    const own = descriptor(path, field, part)
    const isGroup = field.properties !== undefined && path.split('.').length < depthMax
    return isGroup ? [own, ...descriptors(field, part, path)] : [own]
  })
}

function descriptor(path: string, field: StructuralSchema, part: 'spec' | 'status'): Descriptor {
  const name = path.split('.').at(-1) ?? path
  const marks = part === 'spec' ? specMarks(name, field) : statusMarks(name)
  return {
    path,
    displayName: displayName(name),
    ...(field.description === undefined ? {} : { description: field.description }),
    ...(marks.length === 0 ? {} : { 'x-descriptors': marks }),
  }
}

function specMarks(name: string, { type, enum: choices }: StructuralSchema): string[] {
  const texts = (choices ?? []).filter((choice) => typeof choice === 'string')
  if (texts.length > 0) return texts.map((choice) => `${ui}select:${choice}`)
  if (type === 'boolean') return [`${ui}booleanSwitch`]
  if (name === 'replicas') return [`${ui}podCount`]
  if (type === 'integer' || type === 'number') return [`${ui}number`]
  return type === 'string' ? [`${ui}text`] : []
}

function statusMarks(name: string): string[] {
  if (name === 'conditions') return ['urn:alm:descriptor:io.kubernetes.conditions']
  return /ur[il]$/i.test(name) ? ['urn:alm:descriptor:org.w3:link'] : []
}

/** `readyReplicas` is `Ready Replicas`. */
export function displayName(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]+/g, ' ')
    .replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
