import type { CrdManifest } from 'setpoint'
import { parseAllDocuments } from 'yaml'
import { CommandError } from '../command/index.ts'

interface Document {
  readonly apiVersion?: unknown
  readonly kind?: unknown
  readonly items?: unknown
}

/** The CRDs among the documents of a text, and in lists among them. */
export function crdsInText(source: string, text: string): CrdManifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw new CommandError(`${source}: ${error.message}`)
    return crdsIn(source, document.toJS({ maxAliasCount: 0 }) as Document | null)
  })
}

function crdsIn(source: string, object: Document | null): CrdManifest[] {
  if (object === null || typeof object !== 'object') return []
  if (Array.isArray(object.items))
    return object.items.flatMap((item) => crdsIn(source, item as Document))
  if (object.kind !== 'CustomResourceDefinition') return []
  if (object.apiVersion !== 'apiextensions.k8s.io/v1') {
    throw new CommandError(`${source}: a CRD of ${String(object.apiVersion)}`, {
      hint: 'Kubernetes has not served that version since 1.22; get the CRD in apiextensions.k8s.io/v1',
    })
  }
  return [object as unknown as CrdManifest]
}
