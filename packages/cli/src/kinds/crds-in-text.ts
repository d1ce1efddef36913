import type { CrdManifest } from 'setpoint'
import { parseAllDocuments } from 'yaml'
import { CommandError } from '../command/index.ts'

interface Document {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly items?: unknown
}

/** The CRDs of a YAML text, including those in lists. */
export function crdsInText(source: string, text: string): CrdManifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new CommandError(`${source}: ${error.message}`)
    try {
      return crdsIn(source, document.toJS() as Document | null)
    } catch (cause) {
      if (cause instanceof CommandError) throw cause
      // An unresolved alias, or so many that parsing them would exhaust the memory.
      throw new CommandError(`${source}: ${(cause as Error).message}`, { cause })
    }
  })
}

function crdsIn(source: string, object: Document | null): CrdManifest[] {
  if (object === null || typeof object !== 'object') return []
  if (Array.isArray(object.items))
    return object.items.flatMap((item) => crdsIn(source, item as Document))
  if (object.kind !== 'CustomResourceDefinition') return []
  if (object.apiVersion !== 'apiextensions.k8s.io/v1') {
    throw new CommandError(`${source}: the apiVersion of a CRD is ${String(object.apiVersion)}`, {
      hint: 'use apiextensions.k8s.io/v1; Kubernetes removed the older versions in 1.22',
    })
  }
  return [checked(source, object)]
}

/** Checks what a server would check; the name is written into the generated module. */
function checked(source: string, object: Document): CrdManifest {
  const { metadata, spec } = object as Partial<CrdManifest>
  const { group, names, versions } = (spec ?? {}) as Partial<CrdManifest['spec']>
  const { kind, plural } = (names ?? {}) as Partial<CrdManifest['spec']['names']>
  const isWhole = [group, kind, plural].every((each) => typeof each === 'string' && each !== '')
  if (!isWhole || !Array.isArray(versions)) {
    throw new CommandError(
      `${source}: a CRD needs spec.group, spec.names.kind, spec.names.plural and spec.versions`,
    )
  }
  if (metadata?.name !== `${plural ?? ''}.${group ?? ''}`) {
    throw new CommandError(
      `${source}: the name of a CRD is ${JSON.stringify(metadata?.name)}, not PLURAL.GROUP`,
    )
  }
  return object as unknown as CrdManifest
}
